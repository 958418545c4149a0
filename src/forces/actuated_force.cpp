#include "solidyn/forces/actuated_force.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::forces {

using bodies::Kinematics;
using Eigen::MatrixXd;
using Eigen::VectorXd;

ActuatedForce::ActuatedForce(std::string name, const bodies::FrameLink& link,
                             bodies::Coordinate coordinate, std::unique_ptr<EffortLaw> law,
                             Actuator actuator, const SystemLayout& layout)
    : ActuatedForce(std::move(name), link, std::move(coordinate), std::move(law),
                    std::move(actuator.curve), MeasuredColumns::only(std::move(actuator.measure)),
                    layout) {}

ActuatedForce::ActuatedForce(std::string name, const bodies::FrameLink& link,
                             bodies::Coordinate coordinate, std::unique_ptr<EffortLaw> law,
                             math::Curve curve, MeasuredColumns::Measures measures,
                             const SystemLayout& layout)
    : Force(name, MeasuredColumns::all_bodies(link, measures, layout)),
      passive_(std::move(name), link, std::move(coordinate), std::move(law)),
      curve_(std::move(curve)),
      measured_(std::move(measures), bodies(), layout) {}

double ActuatedForce::actuation(const Kinematics& k) const {
  return curve_.value(measured_.value(0, k));
}

void ActuatedForce::require_no_jump(const Kinematics& k) const {
  constexpr double kSame = 1e-6;
  const std::optional<double> beyond = measured_.beyond_jump(0, k);
  if (!beyond) return;
  const double here = actuation(k), there = curve_.value(*beyond);
  if (std::abs(here - there) > kSame * (std::abs(here) + std::abs(there)))
    throw base::ComputationError(fmt::format(
        "force {}: the table of its actuator is over an orientation angle that jumps at half a turn: use a joint_angle, which counts turns, or a table with  ends: periodic",
        name()));
}

void ActuatedForce::read(const Kinematics& k, double t, double* values) const {
  constexpr int kEffort = 3;
  passive_.read(k, t, values);
  values[kEffort] -= actuation(k);
}

void ActuatedForce::add_residual(const Kinematics& k, double t, Eigen::Ref<VectorXd> r) const {
  require_no_jump(k);
  const bodies::FrameLink& link = passive_.link();
  link.add_force(k, -pair_wrench(k, t)->wrench, r.head(link.n_columns()));
}

void ActuatedForce::add_tangent(const Kinematics& k, double t, const bodies::TangentCoefficients& c,
                                Eigen::Ref<MatrixXd> J_rate, Eigen::Ref<MatrixXd> J_q) const {
  if (c.stiffness == 0.0 && c.damping == 0.0) return;
  const bodies::FrameLink& link = passive_.link();
  const int n = link.n_columns();
  auto K = J_q.topLeftCorner(n, n);
  passive_.add_tangent(k, t, c, J_rate.topLeftCorner(n, n), K);
  const FramePair f = link.pair(k);
  const Vector12 J_T = value_of(passive_.coordinate(), f).J.transpose();
  const double m = measured_.value(0, k), push = curve_.value(m);
  Matrix12 turn = Matrix12::Zero();
  add_stiffness_of(passive_.coordinate(), f, push, turn);
  link.add_matrix(k, -c.stiffness * turn, K);
  link.add_geometric_stiffness(k, -c.stiffness * push * J_T, K);
  VectorXd column = VectorXd::Zero(J_q.rows());
  link.add_force(k, curve_.slope(m) * J_T, column.head(n));
  if (!column.isZero(0.0)) measured_.add_tangent(k, 0, column, c, J_rate, J_q);
}

std::optional<Force::PairWrench> ActuatedForce::pair_wrench(const Kinematics& k, double t) const {
  const FramePair f = passive_.pair(k);
  const Vector12 J_T = value_of(passive_.coordinate(), f).J.transpose();
  return PairWrench{passive_.link(), passive_.wrench(f, t) + actuation(k) * J_T};
}

double ActuatedForce::energy(const Kinematics& k, double t) const {
  const Force& passive = passive_;
  return passive.energy(k, t);
}

double ActuatedForce::power(const Kinematics& k, double t) const {
  const FramePair f = passive_.pair(k);
  const double rate = value_of(passive_.coordinate(), f).J.dot(f.twist());
  return passive_.power(f, t) + actuation(k) * rate;
}

}  // namespace solidyn::forces
