#include "solidyn/joints/joint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "solidyn/base/error.h"

namespace solidyn::joints {

using bodies::Row12;

Primitive Primitive::without_slip(bodies::RollingContact slip) {
  Primitive row(std::move(slip));
  row.level_ = Level::velocity;
  return row;
}

double Primitive::violation(const CoordinateValue& c, const FramePair& f, double t) const {
  const double law = law_ ? law_->value(t) : 0.0;
  if (level_ == Level::velocity) return c.J.dot(f.twist()) - law;
  const double difference = c.value - target_ - law;
  return is_angle(coordinate_) ? std::remainder(difference, 2.0 * M_PI) : difference;
}

Primitive::Rates Primitive::rates(double t) const {
  if (!law_) return {0.0, 0.0};
  const math::TimeFunction::Values law = law_->evaluate(t);
  if (level_ == Level::velocity) return {law.value, law.first};
  return {law.first, law.second};
}

Joint::Joint(std::string name, const bodies::FrameLink& link, std::vector<Primitive> primitives,
             std::vector<std::string> row_names, const std::optional<Hinge>& hinge)
    : Constraint(std::move(name), link.bodies(), static_cast<int>(primitives.size())),
      link_(link),
      primitives_(std::move(primitives)),
      row_names_(std::move(row_names)),
      hinge_(hinge) {
  SOLIDYN_ASSERT(!link.is_within_one_body());
}

Eigen::Matrix<double, Eigen::Dynamic, 12> Joint::pair_rows(const FramePair& f) const {
  Eigen::Matrix<double, Eigen::Dynamic, 12> rows(n_rows(), 12);
  for (int row = 0; row < n_rows(); ++row)
    rows.row(row) = value_of(primitives_[row].coordinate(), f).J;
  return rows;
}

Matrix12 Joint::pair_stiffness(const FramePair& f,
                               const Eigen::Ref<const Eigen::VectorXd>& lambda) const {
  Matrix12 K = Matrix12::Zero();
  for (int row = 0; row < n_rows(); ++row)
    add_stiffness_of(primitives_[row].coordinate(), f, lambda[row], K);
  return K;
}

void Joint::evaluate(const bodies::Kinematics& kinematics, double t, ConstraintValues& out) const {
  const FramePair f = link_.pair(kinematics);
  for (int row = 0; row < n_rows(); ++row) {
    const CoordinateValue c = value_of(primitives_[row].coordinate(), f);
    out.phi[row] = primitives_[row].violation(c, f, t);
    link_.set_row(kinematics, c.J, out.G.row(row));
  }
}

void Joint::evaluate_rates(const bodies::Kinematics& kinematics, double t,
                           ConstraintValues& out) const {
  const FramePair f = link_.pair(kinematics);
  for (int row = 0; row < n_rows(); ++row) {
    const Coordinate& coordinate = primitives_[row].coordinate();
    const Row12 J = value_of(coordinate, f).J;
    const Primitive::Rates rates = primitives_[row].rates(t);
    out.nu[row] = rates.nu;
    // What does not depend on the accelerations moves to the right-hand side.
    out.gamma[row] = rates.gamma - bias_of(coordinate, f) - J.head<6>().dot(f.A.bias) -
                     J.tail<6>().dot(f.B.bias);
  }
}

void Joint::add_stiffness(const bodies::Kinematics& kinematics, double,
                          const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                          Eigen::Ref<Eigen::MatrixXd> K) const {
  const FramePair f = link_.pair(kinematics);
  const Eigen::VectorXd force = weight * lambda;
  link_.add_geometric_stiffness(kinematics, pair_rows(f).transpose() * force, K);
  link_.add_matrix(kinematics, pair_stiffness(f, force), K);
}

std::vector<Eigen::Vector3d> Joint::spans(const bodies::Kinematics& kinematics) const {
  std::vector<Eigen::Vector3d> spans;
  for (const Primitive& row : primitives_)
    if (std::holds_alternative<bodies::Distance>(row.coordinate())) {
      const FramePair f = link_.pair(kinematics);
      spans.emplace_back(f.B.p - f.A.p);
    }
  return spans;
}

std::string Joint::warning(const bodies::Kinematics& kinematics) const {
  constexpr double kDoubtful = 170.0;  // degrees
  if (!hinge_ || hinge_->kind() != Hinge::Kind::constant_velocity) return {};
  const FramePair f = link_.pair(kinematics);
  const double cosine = f.A.R.col(2).dot(f.B.R.col(2));
  const double angle = std::acos(std::clamp(cosine, -1.0, 1.0)) * 180.0 / M_PI;
  if (angle <= kDoubtful) return {};
  return fmt::format(
      "its shafts are at {:.4g} degrees to each other: at 180 degrees, a singular position, the rotation of one no longer says how far the other turns; connect the bodies by another joint, such as spherical, or bend it less",
      angle);
}

const Joint& joint_of(const Constraint& constraint) {
  const Joint* joint = constraint.as_joint();
  if (!joint) throw std::logic_error(constraint.name() + " is no joint between two frames");
  return *joint;
}

bool Joint::is_rheonomic() const {
  for (const Primitive& p : primitives_)
    if (p.is_driven()) return true;
  return false;
}

bodies::Vector12 Joint::reaction(const bodies::Kinematics& kinematics,
                                 const Eigen::Ref<const Eigen::VectorXd>& lambda) const {
  return -pair_rows(link_.pair(kinematics)).transpose() * lambda;
}

}  // namespace solidyn::joints
