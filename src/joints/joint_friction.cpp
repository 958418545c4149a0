#include "solidyn/joints/joint_friction.h"

#include <cmath>

#include "solidyn/math/rotation.h"

namespace solidyn::joints {

using bodies::Kinematics;
using bodies::Row12;
using bodies::Vector12;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

using Rows3x12 = Eigen::Matrix<double, 3, 12>;

const Vector3d kLateral(1.0, 1.0, 0.0), kAxial(0.0, 0.0, 1.0), kAll(1.0, 1.0, 1.0);

// |v|^2 / sqrt(|v|^2 + e^2) of the components along some axes, and its gradient; zero at zero, and
// of large ones the size but for e^2/2|v|.
struct Size {
  double value;
  Eigen::RowVector3d gradient;
};
Size size_of(const Vector3d& v, const Vector3d& axes, double e) {
  const Vector3d part = v.cwiseProduct(axes);
  const double square = part.squaredNorm(), root = std::sqrt(square + e * e);
  if (root == 0.0) return {0.0, Eigen::RowVector3d::Zero()};
  return {square / root, (square + 2.0 * e * e) / (root * root * root) * part.transpose()};
}

}  // namespace

void JointFriction::Slip::add(const bodies::Coordinate& coordinate, const FramePair& f,
                              double radius) {
  rows.push_back(radius * value_of(coordinate, f).J);
  curvatures.push_back(Matrix12::Zero());
  add_stiffness_of(coordinate, f, radius, curvatures.back());
}

// The components in A's axes, e . (R_AB w_B - w_A). With c = R_BA e,
//   dc = -R_BA skew(e) dtheta_A + skew(c) dtheta_B
void JointFriction::Slip::add_relative_rotation(const FramePair& f, double radius) {
  const Eigen::Matrix3d R_BA = f.B.R.transpose() * f.A.R;
  for (int axis = 0; axis < 3; ++axis) {
    const Vector3d e = Vector3d::Unit(axis), c = R_BA * e;
    Row12 row = Row12::Zero();
    row.segment<3>(3) = -radius * e.transpose();
    row.segment<3>(9) = radius * c.transpose();
    rows.push_back(row);
    Matrix12 curvature = Matrix12::Zero();
    curvature.block<3, 3>(9, 3) = -radius * R_BA * math::skew(e);
    curvature.block<3, 3>(9, 9) = radius * math::skew(c);
    curvatures.push_back(curvature);
  }
}

JointFriction::JointFriction(std::string name, const Joint& joint, ConstraintIndex constraint,
                             const Options& options)
    : Force(std::move(name), joint.bodies()), joint_(joint), constraint_(constraint), o_(options) {}

// Forces along a pin press nothing, or its `thrust`.
Vector3d JointFriction::pressing_axes_of_force() const {
  if (o_.presses_any_way) return kAll;
  return o_.turns == Turning::none || o_.turns == Turning::about_z ? kLateral : kAll;
}

// Those about which the joint does not turn; a cross carries none but about its normal.
Vector3d JointFriction::pressing_axes_of_moment() const {
  return o_.turns == Turning::about_z ? kLateral : kAll;
}

// What the joint exerts on B is -rows^T lambda; its sign does not press.
JointFriction::Normal JointFriction::normal(const Kinematics& k, const FramePair& f) const {
  const auto& lambda = k.multipliers[constraint_];
  if (o_.presses == Options::Presses::preload)
    return {o_.preload, Row12::Zero(), Eigen::RowVectorXd::Zero(lambda.size())};
  const Eigen::Matrix<double, 12, Eigen::Dynamic> rows = joint_.pair_rows(f).transpose();
  const Matrix12 K = joint_.pair_stiffness(f, lambda);
  const Vector12 w = rows * lambda;
  const Vector3d force_B = f.B.R.transpose() * w.segment<3>(6);
  Rows3x12 d_force = f.B.R.transpose() * K.middleRows<3>(6);
  d_force.rightCols<3>() += math::skew(force_B);
  Size force = size_of(force_B, pressing_axes_of_force(), o_.rounding);
  if (o_.thrust > 0.0) {
    const Size axial = size_of(force_B, kAxial, o_.rounding);
    force.value += o_.thrust * axial.value;
    force.gradient += o_.thrust * axial.gradient;
  }
  Normal n{force.value + o_.preload, force.gradient * d_force,
           force.gradient * (f.B.R.transpose() * rows.middleRows<3>(6))};
  if (o_.moment_arm > 0.0) {
    const Size moment =
        size_of(w.tail<3>(), pressing_axes_of_moment(), o_.rounding * o_.moment_arm);
    n.size += moment.value / o_.moment_arm;
    n.by_position += moment.gradient * K.bottomRows<3>() / o_.moment_arm;
    n.by_lambda += moment.gradient * rows.bottomRows<3>() / o_.moment_arm;
  }
  return n;
}

void JointFriction::add_turning(const FramePair& f, Slip& s) const {
  switch (o_.turns) {
    case Turning::none:
      return;
    case Turning::about_z:
      return s.add(bodies::RotationAngle(), f, o_.radius);
    case Turning::about_first_arm:
      return s.add(bodies::angle_about_arm(1), f, o_.radius);
    case Turning::about_second_arm:
      return s.add(bodies::angle_about_arm(2), f, o_.radius);
    case Turning::any:
      return s.add_relative_rotation(f, o_.radius);
  }
}

JointFriction::Slip JointFriction::slip(const FramePair& f, const Vector12& twist) const {
  Slip s;
  for (const Coordinate& coordinate : o_.slides) s.add(coordinate, f, 1.0);
  add_turning(f, s);
  for (const Row12& row : s.rows) {
    s.values.push_back(row.dot(twist));
    s.square += s.values.back() * s.values.back();
  }
  return s;
}

Vector12 JointFriction::direction(const Slip& s) const {
  const double factor = o_.law.factor(s.square);
  Vector12 w = Vector12::Zero();
  for (std::size_t i = 0; i < s.rows.size(); ++i) w -= factor * s.values[i] * s.rows[i].transpose();
  return w;
}

void JointFriction::add_residual(const Kinematics& k, double, Eigen::Ref<VectorXd> r) const {
  const FramePair f = joint_.link().pair(k);
  const Slip s = slip(f, joint_.link().consistent_twist(k));
  joint_.link().add_force(k, -normal(k, f).size * direction(s), r);
}

void JointFriction::add_tangent(const Kinematics& k, double, const bodies::TangentCoefficients& c,
                                Eigen::Ref<MatrixXd> J_rate, Eigen::Ref<MatrixXd> J_q) const {
  if (c.stiffness == 0.0 && c.damping == 0.0) return;
  const FramePair f = joint_.link().pair(k);
  const Normal n = normal(k, f);
  const Vector12 twist = joint_.link().consistent_twist(k);
  const Slip s = slip(f, twist);
  const double factor = o_.law.factor(s.square), slope = 2.0 * o_.law.slope(s.square);
  const Vector12 unit = direction(s);
  Row12 half_square_by_position = Row12::Zero(), half_square_by_twist = Row12::Zero();
  for (std::size_t i = 0; i < s.rows.size(); ++i) {
    half_square_by_position += s.values[i] * twist.transpose() * s.curvatures[i];
    half_square_by_twist += s.values[i] * s.rows[i];
  }
  Matrix12 by_position = unit * n.by_position, by_twist = Matrix12::Zero();
  for (std::size_t i = 0; i < s.rows.size(); ++i) {
    const Row12 turn = twist.transpose() * s.curvatures[i];
    by_position -= n.size * (s.rows[i].transpose() *
                                 (factor * turn + slope * s.values[i] * half_square_by_position) +
                             factor * s.values[i] * s.curvatures[i]);
    by_twist -= n.size * s.rows[i].transpose() *
                (factor * s.rows[i] + slope * s.values[i] * half_square_by_twist);
  }
  const bodies::FrameLink& link = joint_.link();
  link.add_matrix(k, -c.stiffness * by_position, J_q);
  link.add_matrix(k, -c.damping * by_twist, J_rate);
  link.add_rate_stiffness(k, -c.stiffness * by_twist, J_q);
  link.add_geometric_stiffness(k, -c.stiffness * n.size * unit, J_q);
}

void JointFriction::add_multiplier_tangent(const Kinematics& k, double,
                                           Eigen::Ref<MatrixXd> J_lambda) const {
  const FramePair f = joint_.link().pair(k);
  VectorXd column = VectorXd::Zero(J_lambda.rows());
  const Slip s = slip(f, joint_.link().consistent_twist(k));
  joint_.link().add_force(k, direction(s), column);
  J_lambda -= column * normal(k, f).by_lambda;
}

std::optional<forces::Force::PairWrench> JointFriction::pair_wrench(const Kinematics& k,
                                                                    double) const {
  const FramePair f = joint_.link().pair(k);
  const Slip s = slip(f, joint_.link().consistent_twist(k));
  return PairWrench{joint_.link(), normal(k, f).size * direction(s)};
}

void JointFriction::add_slips(const Kinematics& k, std::vector<forces::Slip>& slips) const {
  const Slip s = slip(joint_.link().pair(k), joint_.link().consistent_twist(k));
  forces::Slip total{Vector3d::Zero(), o_.law.transition_speed};
  for (std::size_t i = 0; i < s.values.size(); ++i)
    total.velocity[static_cast<Eigen::Index>(i)] = s.values[i];
  slips.push_back(total);
}

double JointFriction::power(const Kinematics& k, double t) const {
  return pair_wrench(k, t)->wrench.dot(joint_.link().consistent_twist(k));
}

}  // namespace solidyn::joints
