#include "integrators/consistent_end.h"

#include <algorithm>
#include <utility>

#include "integrators/contact_solution.h"
#include "integrators/newton_rules.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/system/followed_multipliers.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

namespace {

// How often multipliers that forces follow are corrected for that.
constexpr int kMostCorrections = 30;

}  // namespace

ConsistentEnd::ConsistentEnd(system::System& system, const StageOptions& options,
                             const ContactPoints& points)
    : system_(system),
      points_(points),
      followed_(system::followed_multipliers(system)),
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
  const VectorXd unsettled =
      follow_multipliers(s, rhs.tail(n_l), last.round_off_of_multipliers(), x);
  if (unsettled.size() > 0) warn_of(s, unsettled);
  if (unsettled.size() > 0 || !x.allFinite() || !(last.weighted_size(x.head(n_v)) <= allowed))
    return false;
  s.a += x.head(n_v);
  s.lambda += x.tail(n_l);
  return points_.is_empty() || renew_contacts(s);
}

// Friction in joints is no linear function of the multipliers that it follows, and where these
// change much, as after a jump of accelerations, the matrix knows nothing of their size.
// @param missing  G da   @param round_off  of multipliers, all that presses joints of what rests
// @param[in,out] x  of the first solution; of S da + r(lambda + dlambda) - r(lambda) = 0
// @return what multipliers still change by where no balance is found; else empty
VectorXd ConsistentEnd::follow_multipliers(const State& s, const VectorXd& missing,
                                           double round_off, VectorXd& x) {
  if (followed_.empty()) return {};
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  State at = s.clone();
  VectorXd r_of_step, r, phi, dx;
  system_.update(at);
  system_.compute_residual(at, r_of_step, phi);
  for (int i = 0; i < kMostCorrections && x.allFinite(); ++i) {
    at.lambda = s.lambda + x.tail(n_l);
    system_.update(at);
    system_.compute_residual(at, r, phi);
    VectorXd rhs = x;
    rhs.tail(n_l).setZero();
    rhs = -solver_->product(rhs);
    rhs.head(n_v) += r_of_step - r;
    rhs.tail(n_l) += missing;
    solve_.solve(rhs, dx);
    x += dx;
    const double allowed = kSettled * largest_followed(s.lambda + x.tail(n_l));
    if (largest_followed(dx.tail(n_l)) <= (i < kPatience ? allowed : std::max(allowed, round_off)))
      return {};
  }
  return x.allFinite() ? VectorXd(dx.tail(n_l)) : VectorXd();
}

void ConsistentEnd::warn_of(const State& s, const VectorXd& unsettled) {
  if (std::exchange(has_warned_, true)) return;
  base::log_warning(
      "t = {:.6g} s: accelerations have jumped, and the constraint forces that {} follows find no balance with them: they are shown as the step has left them, and may be wrong, which may happen again and is not told again\n  try a smaller `step`, or `integrator: ed_alpha`, whose constraint forces do not swing after a jump",
      s.t, system::worst_follower(system_, unsettled));
}

double ConsistentEnd::largest_followed(const VectorXd& multipliers) const {
  return multipliers(followed_).lpNorm<Eigen::Infinity>();
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
