#include "solidyn/system/accelerations.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/followed_multipliers.h"

namespace solidyn::system {
namespace {

using Eigen::VectorXd;

// One solve is exact; repetitions remove the error of the regularisation and of coupling terms of
// full-mesh bodies that the condensed matrix holds at the undeformed shape. Where forces depend on
// multipliers (friction), they are Newton's iterations.
constexpr int kMaxSolves = 20;
constexpr double kConverged = 1e-13;
// Newton's increments may grow before they shrink; below this they are round-off.
constexpr double kStagnated = 1e-9;
// Of the largest multiplier, or of 1 N, an increment after which the next one is nothing; and what
// round-off may leave of redundant ones.
constexpr double kSettledMultipliers = 1e-9, kRoundOffOfMultipliers = 1e-6;

bool has_multiplier_forces(const System& system) {
  for (const ForceIndex i : system.forces())
    if (!system.force(i).constraints().empty()) return true;
  return false;
}

// What G a is to become.
VectorXd acceleration_target(System& system, const State& state, const VectorXd& phi,
                             const AccelerationOptions& options) {
  VectorXd nu, gamma, Gv;
  system.update_accelerations();
  system.compute_rates(state, nu, gamma);
  const double alpha = options.baumgarte_alpha, beta = options.baumgarte_beta;
  if (alpha == 0.0 && beta == 0.0) return gamma;
  system.multiply_G(state.v, Gv);
  for (int i = 0; i < gamma.size(); ++i)
    gamma[i] -= system.layout().is_velocity_level()[i]
                    ? alpha * phi[i]
                    : 2.0 * alpha * (Gv[i] - nu[i]) + beta * beta * phi[i];
  return gamma;
}

double largest_entry(const VectorXd& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0; }

// @return its size
double add_increment(System& system, const VectorXd& x, State& state) {
  const int n_v = system.layout().n_velocities();
  double size = x.head(n_v).norm();
  state.a += x.head(n_v);
  state.lambda += x.tail(system.layout().n_constraints());
  for (std::size_t k = 0; k < state.nodal.size(); ++k) {
    bodies::NodalBody* body = system.layout().nodal_bodies()[k];
    const BodyIndex b = system.layout().body_of_nodal(static_cast<int>(k));
    base::Vec increment;
    SOLIDYN_PETSC(VecDuplicate(state.nodal[k].u, increment.out()));
    body->recover(
        x.segment(system.layout().velocity_offset(b) + body->n_rigid(), body->n_elastic()),
        increment);
    SOLIDYN_PETSC(VecAXPY(state.nodal[k].ddu, 1.0, increment));
    PetscReal nodal = 0.0;
    SOLIDYN_PETSC(VecNorm(increment, NORM_2, &nodal));
    size = std::hypot(size, nodal);
  }
  return size;
}

}  // namespace

int solve_acceleration_equations(System& system, State& state, const AccelerationOptions& options,
                                 solvers::LinearSolver& solver) {
  const int n_v = system.layout().n_velocities(), n_l = system.layout().n_constraints();
  const bool is_linear = !has_multiplier_forces(system);
  const double regularization = options.rows.is_all() ? options.regularization : 0.0;
  const bool is_exact = is_linear && regularization == 0.0 && state.nodal.empty();
  const bodies::TangentCoefficients mass_only{1.0, 0.0, 0.0};
  system.set_coefficients(mass_only);
  VectorXd r, phi, Ga, target, x, rhs(n_v + n_l);
  double first = 0.0, before = 0.0, change_before = 0.0;
  // Accelerations may be prescribed, and forces that follow multipliers still be off; not with
  // full-mesh bodies, of which no increment is as small as Newton's.
  const auto has_settled_multipliers = [&](double change) {
    const double largest = 1.0 + largest_entry(state.lambda);
    return is_linear || !state.nodal.empty() || change <= kSettledMultipliers * largest ||
           (change >= change_before && change <= kRoundOffOfMultipliers * largest);
  };
  for (int i = 0; i < kMaxSolves; ++i) {
    system.update(state);
    system.compute_residual(state, r, phi);
    if (i == 0) target = acceleration_target(system, state, phi, options);
    if (i == 0 || !is_linear) {
      System::TangentOptions tangent;
      tangent.coefficients = mass_only;
      tangent.regularization = regularization;
      system.assemble(state, tangent, solver);
      options.rows.leave_out(system, solver);
      solver.factor();
    }
    system.multiply_G(state.a, Ga);
    rhs << -r, target - Ga;
    options.rows.leave_out(rhs, n_v);
    solver.solve(rhs, x);
    if (!x.allFinite())
      throw base::ComputationError(fmt::format(
          "t = {:.6g} s: the accelerations are undefined: the system is singular", state.t));
    const double size = add_increment(system, x, state), change = largest_entry(x.tail(n_l));
    if (i == 0) first = size;
    // Below the tolerance, or as far down as round-off lets it come.
    const bool is_stagnant = size >= before && (is_linear || size <= kStagnated * (1.0 + first));
    if (is_exact || (i > 0 && (size <= kConverged * (1.0 + first) || is_stagnant) &&
                     has_settled_multipliers(change))) {
      system.update(state);
      return i + 1;
    }
    before = size;
    change_before = change;
  }
  if (!is_linear)
    throw JammedError(fmt::format(
        "t = {:.6g} s: no accelerations and constraint forces satisfy the equations with joint friction, worst that of {}: its coefficients may be too large for the geometry",
        state.t, worst_follower(system, x.tail(n_l))));
  system.update(state);
  return kMaxSolves;
}

}  // namespace solidyn::system
