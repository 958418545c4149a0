#include "solidyn/forces/tabulated_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {

using bodies::FramePair;
using bodies::Kinematics;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

TabulatedForce::TabulatedForce(std::string name, const bodies::FrameLink& link, Options options,
                               const SystemLayout& layout)
    : TabulatedForce(std::move(name), link, std::move(options),
                     MeasuredColumns::only(std::move(options.measure)), layout) {}

TabulatedForce::TabulatedForce(std::string name, const bodies::FrameLink& link, Options&& options,
                               MeasuredColumns::Measures measures, const SystemLayout& layout)
    : Force(std::move(name), MeasuredColumns::all_bodies(link, measures, layout)),
      link_(link),
      o_(std::move(options)),
      measured_(std::move(measures), bodies(), layout) {}

double TabulatedForce::size(double m) const {
  const math::Curve& curve = o_.curve;
  if (curve.is_periodic()) return curve.value(m);
  const double end = std::clamp(m, curve.first(), curve.last());
  return curve.value(end) + (end == m ? 0.0 : slope(m) * (m - end));
}

double TabulatedForce::slope(double m) const {
  const math::Curve& curve = o_.curve;
  if (curve.is_periodic()) return curve.slope(m);
  const double end = std::clamp(m, curve.first(), curve.last());
  return end != m && o_.beyond == Beyond::hold ? 0.0 : curve.slope(end);
}

bool TabulatedForce::is_refused(double m) const {
  constexpr double kRoundOff = 1e-9;  // of the table's range
  const math::Curve& curve = o_.curve;
  const double margin = kRoundOff * (curve.last() - curve.first());
  return o_.beyond == Beyond::refuse && !curve.is_periodic() &&
         !(m >= curve.first() - margin && m <= curve.last() + margin);
}

void TabulatedForce::remember(const Kinematics& k, double t, Eigen::Ref<VectorXd>) const {
  const double m = measured_.value(0, k);
  if (!is_refused(m)) return;
  throw base::ComputationError(fmt::format(
      "t = {:.6g} s: `{}` is {:.6g}, and the table of force {} goes from {:.6g} to {:.6g} (SI)\n  give the table more points, or  beyond: hold  or  beyond: linear",
      t, o_.of, m, name(), o_.curve.first(), o_.curve.last()));
}

void TabulatedForce::require_no_jump(const Kinematics& k) const {
  constexpr double kSame = 1e-6;
  const std::optional<double> beyond = measured_.beyond_jump(0, k);
  if (!beyond) return;
  const double here = size(measured_.value(0, k)), there = size(*beyond);
  if (std::abs(here - there) > kSame * (std::abs(here) + std::abs(there)))
    throw base::ComputationError(fmt::format(
        "force {}: its table is over an angle of an orientation that jumps by a turn at half a turn: use a joint_angle, which counts turns, or a table with  ends: periodic",
        name()));
}

Vector6 TabulatedForce::direction_in_world(const FramePair& f) const {
  if (o_.axes == Axes::world) return *o_.direction;
  const Matrix3d& R = (o_.axes == Axes::first ? f.A : f.B).R;
  Vector6 d;
  d << R * o_.direction->head<3>(), R * o_.direction->tail<3>();
  return d;
}

Vector12 TabulatedForce::unit_wrench(const FramePair& f) const {
  if (!o_.direction) return bodies::Distance().value(f).J.transpose();
  return reaction_map(f) * direction_in_world(f);
}

// d(R n) = -skew(R n) R dtheta
Matrix12 TabulatedForce::unit_stiffness(const FramePair& f) const {
  Matrix12 K = Matrix12::Zero();
  if (!o_.direction) {
    bodies::Distance().add_stiffness(f, 1.0, K);
    return K;
  }
  const Vector6 d = direction_in_world(f);
  K = reaction_stiffness(f, d);
  if (o_.axes == Axes::world) return K;
  const Matrix3d& R = (o_.axes == Axes::first ? f.A : f.B).R;
  Eigen::Matrix<double, 6, 3> turn;
  turn << -math::skew(d.head<3>()) * R, -math::skew(d.tail<3>()) * R;
  K.middleCols<3>(o_.axes == Axes::first ? 3 : 9) += reaction_map(f) * turn;
  return K;
}

void TabulatedForce::add_residual(const Kinematics& k, double t, Eigen::Ref<VectorXd> r) const {
  require_no_jump(k);
  link_.add_force(k, -pair_wrench(k, t)->wrench, r.head(link_.n_columns()));
}

void TabulatedForce::add_tangent(const Kinematics& k, double, const bodies::TangentCoefficients& c,
                                 Eigen::Ref<MatrixXd> J_rate, Eigen::Ref<MatrixXd> J_q) const {
  if (c.stiffness == 0.0 && c.damping == 0.0) return;
  const FramePair f = link_.pair(k);
  const double m = measured_.value(0, k), force = -c.stiffness * size(m);
  const int n = link_.n_columns();
  const Vector12 unit = unit_wrench(f);
  auto K = J_q.topLeftCorner(n, n);
  link_.add_matrix(k, force * unit_stiffness(f), K);
  link_.add_geometric_stiffness(k, force * unit, K);
  VectorXd column = VectorXd::Zero(J_q.rows());
  link_.add_force(k, slope(m) * unit, column.head(n));
  if (!column.isZero(0.0)) measured_.add_tangent(k, 0, column, c, J_rate, J_q);
}

std::optional<Force::PairWrench> TabulatedForce::pair_wrench(const Kinematics& k, double) const {
  return PairWrench{link_, size(measured_.value(0, k)) * unit_wrench(link_.pair(k))};
}

double TabulatedForce::power(const Kinematics& k, double t) const {
  return pair_wrench(k, t)->wrench.dot(link_.pair(k).twist());
}

}  // namespace solidyn::forces
