#include "solidyn/recursive/hinge_multipliers.h"

#include <optional>

#include "solidyn/joints/joint.h"
#include "solidyn/math/rotation.h"

namespace solidyn::recursive {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Rows = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

// Of rows of two poses: more is no round-off.
constexpr double kSameRows = 1e-14;

// Columns J^T of a joint on its frame B, force and torque in A's axes, at a pose of A and of the
// hinge.
Rows rows_at(const joints::Joint& joint, const joints::Hinge& hinge, const Matrix3d& R_A,
             const VectorXd& q) {
  const VectorXd at_rest = VectorXd::Zero(6);
  joints::HingeMotion motion;
  hinge.compute(q.data(), at_rest.data(), motion);
  bodies::FrameMotion A, B;
  A.R = R_A;
  B.p = R_A * motion.p;
  B.R = R_A * motion.R;
  const auto J = joint.pair_rows({A, B, 0.0});
  Rows rows(6, J.rows());
  rows.topRows<3>() = R_A.transpose() * J.middleCols<3>(6).transpose();
  rows.bottomRows<3>() = motion.R * J.middleCols<3>(9).transpose();
  return rows;
}

// Those, where they are the same at all poses: at three that have nothing to do with each other.
std::optional<Rows> find_fixed_rows(const joints::Joint& joint, const joints::Hinge& hinge) {
  const int n = hinge.n_coordinates();
  const Rows first = rows_at(joint, hinge, Matrix3d::Identity(), VectorXd::LinSpaced(n, 0.4, 0.7));
  for (const double size : {-1.1, 2.3}) {
    const Matrix3d R_A = math::exp_rotation(size * Vector3d(0.3, -0.5, 0.8));
    const VectorXd q = size * VectorXd::LinSpaced(n, 1.0, -0.3);
    if (!((rows_at(joint, hinge, R_A, q) - first).norm() <= kSameRows * first.norm())) return {};
  }
  return first;
}

// Columns J^T of a constraint on the outboard frame: force in W, torque in the frame's axes.
void append_rows(const system::System& system, const Link& k, ConstraintIndex c, Rows& rows) {
  const joints::Joint& joint = *system.constraint(c).as_joint();
  const auto J = joint.pair_rows(joint.link().pair(system.kinematics()));
  const Eigen::Index n = rows.cols();
  rows.conservativeResize(6, n + J.rows());
  for (Eigen::Index row = 0; row < J.rows(); ++row)
    rows.col(n + row) = J.row(row).segment<6>(k.is_reversed ? 0 : 6).transpose();
}

}  // namespace

HingeMultipliers::HingeMultipliers(Tree& tree) : tree_(tree) {}

// When they are first asked for: explicit steps never do.
void HingeMultipliers::find_fixed() {
  is_known_ = true;
  const system::System& system = tree_.system();
  for (std::size_t i = 0; i < tree_.links().size(); ++i) {
    const Link& k = tree_.links()[i];
    const Branch& branch = tree_.forest().branches[i];
    if (branch.joint == bodies::kNoConstraint) continue;
    std::optional<Rows> rows;
    if (k.modes < 0 && k.carried < 0 && !k.is_reversed && branch.drives.empty())
      rows = find_fixed_rows(*system.constraint(branch.joint).as_joint(), k.hinge);
    if (!rows) {
      others_.push_back(static_cast<int>(i));
      continue;
    }
    Fixed fixed{static_cast<int>(i), system.layout().constraint_offset(branch.joint),
                static_cast<int>(rows->cols()), Eigen::Matrix<double, 6, 6>::Zero()};
    fixed.by_wrench.topRows(fixed.n) =
        -Eigen::ColPivHouseholderQR<Rows>(*rows).solve(Eigen::Matrix<double, 6, 6>::Identity());
    fixed_.push_back(fixed);
  }
}

void HingeMultipliers::write(VectorXd& lambda) {
  if (!is_known_) find_fixed();
  for (const Fixed& fixed : fixed_) {
    const Link& k = tree_.links()[fixed.link];
    const Vector3d force = k.f.head<3>(), arm = k.R * k.x_outboard;
    Vector3d f = force, torque = k.f.tail<3>() - arm.cross(force);
    if (k.parent >= 0) {
      const Matrix3d& R = tree_.links()[k.parent].R;
      f = (R.transpose() * f).eval();
      torque = (R.transpose() * torque).eval();
    }
    Vector6d wrench;
    wrench.head<3>().noalias() = k.R_inboard.transpose() * f;
    wrench.tail<3>().noalias() = k.R_inboard.transpose() * torque;
    const Vector6d multipliers = fixed.by_wrench * wrench;
    for (int j = 0; j < fixed.n; ++j) lambda[fixed.offset + j] = multipliers[j];
  }
  for (const int i : others_) write_of(i, lambda);
}

void HingeMultipliers::write_of(std::size_t i, VectorXd& lambda) const {
  const system::System& system = tree_.system();
  const Link& k = tree_.links()[i];
  const Branch& branch = tree_.forest().branches[i];
  Rows rows(6, 0);
  append_rows(system, k, branch.joint, rows);
  for (const Branch::Drive& drive : branch.drives) append_rows(system, k, drive.constraint, rows);
  const bodies::FrameMotion& outboard = system.kinematics().frames[branch.outboard_frame];
  const Vector3d force = k.f.head<3>(), arm = k.p - outboard.p;
  Vector6d wrench;
  wrench << force, outboard.R.transpose() * (k.f.tail<3>() + arm.cross(force));
  const Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1> multipliers =
      Eigen::ColPivHouseholderQR<Rows>(rows).solve(-wrench);
  int at = 0;
  const auto write_part = [&](ConstraintIndex c) {
    const int n = system.constraint(c).n_rows();
    lambda.segment(system.layout().constraint_offset(c), n) = multipliers.segment(at, n);
    at += n;
  };
  write_part(branch.joint);
  for (const Branch::Drive& drive : branch.drives) write_part(drive.constraint);
}

}  // namespace solidyn::recursive
