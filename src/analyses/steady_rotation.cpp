#include "solidyn/analyses/steady_rotation.h"

#include <fmt/format.h>

#include <cmath>

#include "carried_tangent.h"
#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"
#include "solidyn/system/linearisation.h"
#include "solidyn/system/scales.h"
#include "solidyn/system/velocity_violation.h"

namespace solidyn::analyses {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using system::State;
using system::System;

constexpr int kMaxRotations = 40;
// Corrections relative to the mechanism; below the second one, growing again is round-off.
constexpr double kConvergedRotation = 1e-13, kNearlyConverged = 1e-9;
constexpr double kFreeDirection = 1e-11;  // directions without stiffness or constraint
constexpr double kContradicts = 1e-8;     // of a constraint's rate, relative to the speed

// Velocities and accelerations of the rotation at the positions of `state`.
void set_rates(const System& system, const RotationAxis& axis, const Vector3d& w_W, State& state) {
  system::State& s = state;
  s.v.setZero();
  s.a.setZero();
  for (const bodies::BodyIndex b : system.bodies()) {
    if (system.body(b).n_rigid() == 0) continue;
    const int at = system.layout().velocity_offset(b), q = system.layout().configuration_offset(b);
    const Eigen::Quaterniond R(s.q[q + 3], s.q[q + 4], s.q[q + 5], s.q[q + 6]);
    s.v.segment<3>(at) = w_W.cross(s.q.segment<3>(q) - axis.point);
    s.v.segment<3>(at + 3) = R.conjugate() * w_W;
    s.a.segment<3>(at) = w_W.cross(Vector3d(s.v.segment<3>(at)));
  }
}

// The smallest correction of positions; forces and multipliers are measured by the stiffness.
VectorXd correction(System& system, const State& state, const Vector3d& w_W, const VectorXd& r,
                    const VectorXd& phi) {
  const int n_v = system.layout().n_velocities(), n_l = system.layout().n_constraints();
  const double length = characteristic_length(system);
  VectorXd scale(n_v + n_l), rhs(n_v + n_l);
  scale.head(n_v) = increment_weights(system, length).cwiseInverse();
  const auto turns = [&](bodies::BodyIndex b) { return system.body(b).n_rigid() > 0; };
  const MatrixXd J = carried_tangent(system, state, w_W, turns).J;
  const VectorXd columns = scale.head(n_v);
  const double largest = (columns.asDiagonal() * J.topLeftCorner(n_v, n_v) * columns.asDiagonal())
                             .cwiseAbs()
                             .maxCoeff();
  scale.tail(n_l).setConstant(largest > 0.0 ? largest / length : 1.0);
  rhs << -r, -phi;
  const math::LeastSquares factor(scale.asDiagonal() * J * scale.asDiagonal(), kFreeDirection);
  return scale.cwiseProduct(factor.solve(scale.cwiseProduct(rhs)));
}

void refuse_contradiction(System& system, const State& state, const RotationAxis& axis,
                          double speed) {
  const VectorXd violation = system::velocity_violation(system, state);
  const double allowed =
      kContradicts * std::max(1.0, std::abs(speed)) * std::max(1.0, characteristic_length(system));
  for (const bodies::ConstraintIndex c : system.constraints()) {
    if (c == axis.constraint) continue;
    for (int k = 0; k < system.constraint(c).n_rows(); ++k) {
      const int row = system.layout().constraint_offset(c) + k;
      if (std::abs(violation[row]) <= allowed) continue;
      throw base::ComputationError(fmt::format(
          "{} does not allow the mechanism to rotate with {:.6g} rad/s: the error of its rate is {:.3g}\n  use the axis of the drive (`about`), and connect nothing that rotates to the ground",
          system.layout().multiplier_name(row), speed, violation[row]));
    }
  }
}

}  // namespace

State steady_rotation(System& system, const State& start, const RotationAxis& axis, double speed) {
  const Vector3d w_W = speed * axis.direction;
  const int n_v = system.layout().n_velocities();
  State state = start.clone();
  VectorXd r, phi, q;
  double before = 0.0;
  for (int i = 0; i < kMaxRotations; ++i) {
    set_rates(system, axis, w_W, state);
    system.update(state);
    system.compute_residual(state, r, phi);
    for (int k = 0; k < phi.size(); ++k)
      if (system.layout().is_velocity_level()[k]) phi[k] = 0.0;
    const VectorXd x = correction(system, state, w_W, r, phi);
    const VectorXd weights = increment_weights(system, characteristic_length(system));
    const double size = x.head(n_v).cwiseProduct(weights).lpNorm<Eigen::Infinity>();
    if (!std::isfinite(size)) break;
    system.advance(state.q, x.head(n_v), q);
    state.q = q;
    state.lambda += x.tail(system.layout().n_constraints());
    const bool is_noise = i > 0 && size >= before && size <= kNearlyConverged;
    if (size <= kConvergedRotation || is_noise) {
      set_rates(system, axis, w_W, state);
      system.update(state);
      system.accept(state);
      system.compute_residual(state, r, phi);
      refuse_contradiction(system, state, axis, speed);
      return state;
    }
    before = size;
  }
  throw base::ComputationError(fmt::format(
      "no steady rotation with {:.6g} rad/s was found (last correction {:.3g} of the characteristic length)\n  raise the speed in smaller steps, or constrain parts that fly off",
      speed, before));
}

}  // namespace solidyn::analyses
