#include "solidyn/forces/expression_force.h"

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
using Eigen::MatrixXd;
using Eigen::VectorXd;
using math::skew;

namespace {

// Those of the link first, so that its columns are the first ones.
std::vector<int> all_bodies(const bodies::FrameLink& link,
                            const std::vector<std::unique_ptr<Measure>>& measures,
                            const std::vector<int>& bodies_of_frames) {
  std::vector<int> all = link.bodies();
  for (const auto& measure : measures)
    for (int frame : measure->frames()) {
      const int body = bodies_of_frames[frame];
      if (body >= 0 && std::find(all.begin(), all.end(), body) == all.end()) all.push_back(body);
    }
  return all;
}

}  // namespace

ExpressionForce::ExpressionForce(std::string name, const bodies::FrameLink& link, Options options,
                                 const std::vector<int>& bodies_of_frames,
                                 const std::vector<int>& n_velocities)
    : Force(std::move(name), all_bodies(link, options.measures, bodies_of_frames)),
      link_(link),
      o_(std::move(options)) {
  const auto columns_of = [&](int frame) -> Columns {
    int offset = 0;
    for (int body : bodies()) {
      if (body == bodies_of_frames[frame]) return {offset, n_velocities[body]};
      offset += n_velocities[body];
    }
    return {0, 0};
  };
  for (const auto& measure : o_.measures) {
    columns_.emplace_back();
    for (int frame : measure->frames()) columns_.back().push_back(columns_of(frame));
  }
}

std::vector<double> ExpressionForce::variables(const Kinematics& k, double t) const {
  std::vector<double> values{t / o_.t_scale};
  for (std::size_t i = 0; i < o_.measures.size(); ++i)
    values.push_back(o_.measures[i]->value(k) / o_.measure_scale[i]);
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
  const Vector6 f = in_world(pair, components(variables(k, t), t));
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
  for (std::size_t i = 0; i < o_.measures.size(); ++i)
    add_measure_tangent(k, pair, values, static_cast<int>(i), c, J_rate, J_q);
}

// Where a formula has a corner, such as a root of zero, it has no derivative.
void ExpressionForce::require_finite(const Vector6& change, const std::vector<double>& values,
                                     int i) const {
  for (int j = 0; j < 6; ++j)
    if (!std::isfinite(change[j]))
      throw base::ComputationError(fmt::format(
          "force {}: `{}` has no finite derivative by {} at {:g}", name(), o_.components[j]->text(),
          o_.components[j]->variables()[i + 1], values[i + 1]));
}

// Column: what the force changes by per unit of the measure; rows: its gradient.
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
  const Measure& measure = *o_.measures[i];
  for (std::size_t f = 0; f < measure.frames().size(); ++f) {
    const Columns at = columns_[i][f];
    if (at.size == 0) continue;
    const int frame = measure.frames()[f];
    const bodies::Frame& definition = k.frame_definitions[frame];
    const Measure::Gradient g = measure.gradient(k, static_cast<int>(f));
    const auto& J = k.frames[frame].J;
    J_q.middleCols(at.offset, at.size) -=
        c.stiffness * column *
        (g.by_position * J +
         g.by_twist * bodies::frame_rate_stiffness(definition, k.bodies[definition.body]));
    J_rate.middleCols(at.offset, at.size) -= c.damping * column * (g.by_twist * J);
  }
}

std::optional<Force::PairWrench> ExpressionForce::pair_wrench(const Kinematics& k, double t) const {
  const FramePair pair = link_.pair(k);
  return PairWrench{link_, reaction_map(pair) * in_world(pair, components(variables(k, t), t))};
}

double ExpressionForce::power(const Kinematics& k, double t) const {
  return pair_wrench(k, t)->wrench.dot(link_.pair(k).twist());
}

}  // namespace solidyn::forces
