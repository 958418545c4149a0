#include "solidyn/forces/expression_force.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {

using bodies::FramePair;
using bodies::Kinematics;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using math::skew;

ExpressionForce::ExpressionForce(std::string name, const bodies::FrameLink& link, Options options,
                                 const SystemLayout& layout)
    : Force(std::move(name), MeasuredColumns::all_bodies(link, options.measures, layout)),
      link_(link),
      o_(std::move(options)),
      measured_(std::move(o_.measures), bodies(), layout) {}

std::vector<double> ExpressionForce::variables(const Kinematics& k, double t) const {
  std::vector<double> values{t / o_.t_scale};
  for (int i = 0; i < measured_.size(); ++i)
    values.push_back(measured_.value(i, k) / o_.measure_scale[i]);
  return values;
}

Vector6 ExpressionForce::components(const std::vector<double>& variables, double t) const {
  Vector6 f = Vector6::Zero();
  for (int i = 0; i < 6; ++i) {
    if (!o_.components[i]) continue;
    const double value = o_.components[i]->value(variables.data());
    if (!std::isfinite(value))
      throw base::ComputationError(fmt::format("force {}: `{}` is {} at t = {:g} s", name(),
                                               o_.components[i]->text(), value, t));
    f[i] = value * (i < 3 ? o_.force_scale : o_.torque_scale);
  }
  return f;
}

Vector6 ExpressionForce::in_world(const FramePair& pair, const Vector6& f) const {
  if (!o_.is_in_body_axes) return f;
  Vector6 f_W;
  f_W << pair.B.R * f.head<3>(), pair.B.R * f.tail<3>();
  return f_W;
}

void ExpressionForce::add_residual(const Kinematics& k, double t, Eigen::Ref<VectorXd> r) const {
  const FramePair pair = link_.pair(k);
  const std::vector<double> values = variables(k, t);
  require_no_jump(k, values, t);
  const Vector6 f = in_world(pair, components(values, t));
  link_.add_force(k, -reaction_map(pair) * f, r.head(link_.n_columns()));
}

void ExpressionForce::add_tangent(const Kinematics& k, double t,
                                  const bodies::TangentCoefficients& c, Eigen::Ref<MatrixXd> J_rate,
                                  Eigen::Ref<MatrixXd> J_q) const {
  if (c.stiffness == 0.0 && c.damping == 0.0) return;
  const FramePair pair = link_.pair(k);
  const std::vector<double> values = variables(k, t);
  const Vector6 f = in_world(pair, components(values, t));
  Matrix12 by_position = reaction_stiffness(pair, f);
  if (o_.is_in_body_axes) {  // d(R_B f) = -skew(R_B f) R_B dtheta_B
    Eigen::Matrix<double, 6, 3> turn;
    turn << -skew(f.head<3>()) * pair.B.R, -skew(f.tail<3>()) * pair.B.R;
    by_position.rightCols<3>() += reaction_map(pair) * turn;
  }
  const int n = link_.n_columns();
  auto K = J_q.topLeftCorner(n, n);
  link_.add_matrix(k, -c.stiffness * by_position, K);
  link_.add_geometric_stiffness(k, -c.stiffness * reaction_map(pair) * f, K);
  for (int i = 0; i < measured_.size(); ++i)
    add_measure_tangent(k, pair, values, i, c, J_rate, J_q);
}

void ExpressionForce::require_no_jump(const Kinematics& k, const std::vector<double>& values,
                                      double t) const {
  constexpr double kSame = 1e-6;
  for (int i = 0; i < measured_.size(); ++i) {
    const std::optional<double> beyond = measured_.beyond_jump(i, k);
    if (!beyond) continue;
    std::vector<double> other = values;
    other[i + 1] = *beyond / o_.measure_scale[i];
    const Vector6 here = components(values, t), there = components(other, t);
    if ((here - there).norm() > kSame * (here.norm() + there.norm()))
      throw base::ComputationError(fmt::format(
          "force {}: it depends on an orientation angle that jumps at half a turn (t = {:g} s): use a joint_angle, which counts turns, or the sine and cosine of the angle",
          name(), t));
  }
}

// Where a formula has a corner, such as a root of zero, it has no derivative.
void ExpressionForce::require_finite(const Vector6& change, const std::vector<double>& values,
                                     int i) const {
  for (int j = 0; j < 6; ++j)
    if (!std::isfinite(change[j]))
      throw base::ComputationError(
          fmt::format("force {}: `{}` has no finite derivative with respect to {} at {:g}", name(),
                      o_.components[j]->text(), o_.components[j]->name_of(i + 1), values[i + 1]));
}

void ExpressionForce::add_measure_tangent(const Kinematics& k, const FramePair& pair,
                                          const std::vector<double>& values, int i,
                                          const bodies::TangentCoefficients& c,
                                          Eigen::Ref<MatrixXd> J_rate,
                                          Eigen::Ref<MatrixXd> J_q) const {
  Vector6 change = Vector6::Zero();
  for (int j = 0; j < 6; ++j)
    if (o_.components[j] && o_.components[j]->uses(i + 1))
      change[j] = o_.components[j]->derivative(values.data(), i + 1) *
                  (j < 3 ? o_.force_scale : o_.torque_scale) / o_.measure_scale[i];
  require_finite(change, values, i);
  if (change.isZero(0.0)) return;
  VectorXd column = VectorXd::Zero(J_q.rows());
  link_.add_force(k, reaction_map(pair) * in_world(pair, change), column.head(link_.n_columns()));
  measured_.add_tangent(k, i, column, c, J_rate, J_q);
}

std::optional<Force::PairWrench> ExpressionForce::pair_wrench(const Kinematics& k, double t) const {
  const FramePair pair = link_.pair(k);
  return PairWrench{link_, reaction_map(pair) * in_world(pair, components(variables(k, t), t))};
}

double ExpressionForce::power(const Kinematics& k, double t) const {
  return pair_wrench(k, t)->wrench.dot(link_.pair(k).twist());
}

}  // namespace solidyn::forces
