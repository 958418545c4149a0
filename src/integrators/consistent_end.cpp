#include "integrators/consistent_end.h"

#include <utility>

#include "integrators/contact_solution.h"
#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

ConsistentEnd::ConsistentEnd(system::System& system, const StageOptions& options,
                             const ContactPoints& points)
    : system_(system),
      points_(points),
      regularization_(options.regularization),
      solver_(solvers::make_linear_solver(options.preset, system.layout().n_unknowns())),
      solve_(*solver_, system.layout().n_velocities(), system.layout().n_constraints(),
             options.regularization) {
  SOLIDYN_ASSERT(system.layout().nodal_bodies().empty());
}

bool ConsistentEnd::find(const ImplicitStage& last, double velocity, double allowed, State& s) {
  const State kept = s.clone();
  bool is_found = false;
  try {
    is_found = solve(last, velocity, allowed, s);
  } catch (const base::ResourceError&) {
    s.copy_from(kept);
    throw;
  } catch (const base::ComputationError&) {  // singular where the motion itself has gone on
  }
  if (!is_found) s.copy_from(kept);
  system_.update(s);
  return is_found;
}

bool ConsistentEnd::solve(const ImplicitStage& last, double velocity, double allowed, State& s) {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  if (!std::exchange(has_pattern_, true)) system_.set_pattern(*solver_);
  VectorXd phi, nu, gamma, Ga, x, rhs = VectorXd::Zero(n_v + n_l);
  system_.compute_constraints(s, phi);  // G
  system_.update_accelerations();
  system_.compute_rates(s, nu, gamma);
  system_.multiply_G(s.a, Ga);
  rhs.tail(n_l) = gamma - Ga;
  system::System::TangentOptions tangent;
  tangent.coefficients = {1.0, 1.0 / velocity, 1.0 / (velocity * velocity)};
  tangent.regularization = regularization_;
  system_.assemble(s, tangent, *solver_);
  solver_->factor();
  solve_.solve(rhs, x);
  if (!x.allFinite() || !(last.weighted_size(x.head(n_v)) <= allowed)) return false;
  s.a += x.head(n_v);
  s.lambda += x.tail(n_l);
  return points_.is_empty() || renew_contacts(s);
}

// As ContactTransitions do where accelerations begin anew, from the forces that there are. What
// sticks, slips or is open stays what it is.
bool ConsistentEnd::renew_contacts(State& s) {
  const std::vector<int> closed = points_.closed(s);
  if (closed.empty()) return true;
  system_.update(s);
  system_.update_accelerations();
  const int n = static_cast<int>(closed.size());
  const ContactCompliance c =
      contact_compliance(points_, closed, solve_, 1.0, system_.layout().n_unknowns());
  VectorXd r(3 * n), q(3 * n);
  std::vector<bool> sticks(n);
  for (int k = 0; k < n; ++k) {
    const forces::SetValuedPoint point = points_.read(s, closed[k]);
    r.segment<3>(3 * k) = points_.axes(closed[k]).transpose() * point.force;
    q.segment<3>(3 * k) = points_.acceleration(closed[k]);
    sticks[k] = point.sticks;
  }
  q -= c.A * r;
  const KnownSlips known = find_known_slips(points_, s, closed);
  const ContactSolution solution =
      solve_contacts(points_, c, c.A, q, r, sticks, VectorXd::Zero(n), &known, 1.0, nullptr,
                     ContactSolver::Unknowns::accelerations);
  points_.solver().take_totals();  // of steps alone
  if (!solution.failure.empty()) {
    points_.solver().forget_unsolved();  // the step itself had forces
    return false;
  }
  const VectorXd x = c.X * (solution.r - r);
  s.a += x.head(system_.layout().n_velocities());
  s.lambda += x.tail(system_.layout().n_constraints());
  for (int k = 0; k < n; ++k) {
    forces::SetValuedPoint point = points_.read(s, closed[k]);
    point.force = points_.axes(closed[k]) * solution.r.segment<3>(3 * k);
    points_.write(s, closed[k], point);
  }
  return true;
}

}  // namespace solidyn::integrators
