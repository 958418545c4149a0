#include "solidyn/joints/joint.h"

#include "solidyn/base/error.h"

namespace solidyn::joints {
namespace {

using Eigen::Vector3d;

void add_coincident_points(JointRows& rows) {
  const char* names[] = {"translation along world x", "translation along world y",
                         "translation along world z"};
  for (int i = 0; i < 3; ++i) {
    rows.primitives.emplace_back(PointAlongWorldAxis(i));
    rows.names.emplace_back(names[i]);
  }
}

void add_point_along(JointRows& rows, int axis) {
  const char* names[] = {"translation along joint x", "translation along joint y",
                         "translation along joint z"};
  rows.primitives.emplace_back(PointAlongFrameAxis(Vector3d::Unit(axis)));
  rows.names.emplace_back(names[axis]);
}

void add_dot(JointRows& rows, int a, int b, const char* name) {
  rows.primitives.emplace_back(AxesDot(Vector3d::Unit(a), Vector3d::Unit(b)));
  rows.names.emplace_back(name);
}

// B's x and y stay normal to A's z.
void add_parallel_z(JointRows& rows) {
  add_dot(rows, 2, 1, "rotation about joint x");
  add_dot(rows, 2, 0, "rotation about joint y");
}

void add_no_spin(JointRows& rows) { add_dot(rows, 0, 1, "rotation about joint z"); }

}  // namespace

JointRows joint_rows(JointType type) {
  JointRows rows;
  switch (type) {
    case JointType::fixed:
      add_coincident_points(rows);
      add_parallel_z(rows);
      add_no_spin(rows);
      break;
    case JointType::spherical:
      add_coincident_points(rows);
      break;
    case JointType::revolute:
      add_coincident_points(rows);
      add_parallel_z(rows);
      break;
    case JointType::cylindrical:
      add_point_along(rows, 0);
      add_point_along(rows, 1);
      add_parallel_z(rows);
      break;
    case JointType::prismatic:
      add_point_along(rows, 0);
      add_point_along(rows, 1);
      add_parallel_z(rows);
      add_no_spin(rows);
      break;
    case JointType::planar:
      add_point_along(rows, 2);
      add_parallel_z(rows);
      break;
    case JointType::universal:
      add_coincident_points(rows);
      add_no_spin(rows);
      break;
  }
  return rows;
}

JointRows rotation_drive_rows(math::TimeFunction angle) {
  JointRows rows;
  rows.primitives.emplace_back(DrivenAngle(std::move(angle)));
  rows.names.emplace_back("driven angle");
  return rows;
}

Joint::Joint(std::string name, const bodies::FrameLink& link, std::vector<Primitive> primitives,
             std::vector<std::string> row_names)
    : Constraint(std::move(name), link.bodies(), static_cast<int>(primitives.size())),
      link_(link),
      primitives_(std::move(primitives)),
      row_names_(std::move(row_names)) {
  SOLIDYN_ASSERT(!link.is_within_one_body());
}

Eigen::Matrix<double, Eigen::Dynamic, 12> Joint::pair_rows(const FramePair& f) const {
  Eigen::Matrix<double, Eigen::Dynamic, 12> rows(n_rows(), 12);
  for (int row = 0; row < n_rows(); ++row)
    rows.row(row) = std::visit([&](const auto& p) { return p.value(f, 0.0).J; }, primitives_[row]);
  return rows;
}

Matrix12 Joint::pair_stiffness(const FramePair& f,
                               const Eigen::Ref<const Eigen::VectorXd>& lambda) const {
  Matrix12 K = Matrix12::Zero();
  for (int row = 0; row < n_rows(); ++row)
    std::visit([&](const auto& p) { p.add_stiffness(f, 0.0, lambda[row], K); }, primitives_[row]);
  return K;
}

void Joint::evaluate(const bodies::Kinematics& kinematics, double t, ConstraintValues& out) const {
  const FramePair f = link_.pair(kinematics);
  for (int row = 0; row < n_rows(); ++row) {
    const PrimitiveValue value =
        std::visit([&](const auto& p) { return p.value(f, t); }, primitives_[row]);
    out.phi[row] = value.phi;
    link_.set_row(kinematics, value.J, out.G.row(row));
  }
}

void Joint::evaluate_rates(const bodies::Kinematics& kinematics, double t,
                           ConstraintValues& out) const {
  const FramePair f = link_.pair(kinematics);
  for (int row = 0; row < n_rows(); ++row) {
    std::visit(
        [&](const auto& p) {
          const Row12 J = p.value(f, t).J;
          out.nu[row] = p.nu(t);
          // The frames' own bias accelerations move to the right-hand side.
          out.gamma[row] = p.gamma(f, t) - J.template head<6>().dot(f.A.bias) -
                           J.template tail<6>().dot(f.B.bias);
        },
        primitives_[row]);
  }
}

void Joint::add_stiffness(const bodies::Kinematics& kinematics, double t,
                          const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                          Eigen::Ref<Eigen::MatrixXd> K) const {
  const FramePair f = link_.pair(kinematics);
  Matrix12 S = Matrix12::Zero();
  Row12 wrench = Row12::Zero();
  for (int row = 0; row < n_rows(); ++row) {
    std::visit(
        [&](const auto& p) {
          p.add_stiffness(f, t, weight * lambda[row], S);
          wrench += weight * lambda[row] * p.value(f, t).J;
        },
        primitives_[row]);
  }
  link_.add_geometric_stiffness(kinematics, wrench.transpose(), K);
  link_.add_matrix(kinematics, S, K);
}

bool Joint::is_rheonomic() const {
  for (const Primitive& p : primitives_)
    if (std::holds_alternative<DrivenAngle>(p)) return true;
  return false;
}

Eigen::Matrix<double, 6, 1> Joint::reaction_on_B(
    const bodies::Kinematics& kinematics, double t,
    const Eigen::Ref<const Eigen::VectorXd>& lambda) const {
  const FramePair f = link_.pair(kinematics);
  Eigen::Matrix<double, 6, 1> wrench = Eigen::Matrix<double, 6, 1>::Zero();
  for (int row = 0; row < n_rows(); ++row) {
    const PrimitiveValue value =
        std::visit([&](const auto& p) { return p.value(f, t); }, primitives_[row]);
    wrench -= lambda[row] * value.J.tail<6>().transpose();
  }
  return wrench;
}

}  // namespace solidyn::joints
