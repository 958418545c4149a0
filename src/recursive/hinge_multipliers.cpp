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
  place_.assign(tree_.links().size(), -1);
  const system::System& system = tree_.system();
  for (std::size_t i = 0; i < tree_.links().size(); ++i) {
    const Link& k = tree_.links()[i];
    const Branch& branch = tree_.forest().branches[i];
    if (branch.constraint() == bodies::kNoConstraint) continue;
    std::optional<Rows> rows;
    if (branch.attachment == bodies::kNoConstraint && k.modes < 0 && k.carried < 0 &&
        !k.is_reversed && branch.drives.empty())
      rows = find_fixed_rows(*system.constraint(branch.joint).as_joint(), k.hinge);
    if (!rows) {
      others_.push_back(static_cast<int>(i));
      continue;
    }
    Fixed fixed{static_cast<int>(i), system.layout().constraint_offset(branch.joint),
                static_cast<int>(rows->cols()), Eigen::Matrix<double, 6, 6>::Zero()};
    fixed.by_wrench.topRows(fixed.n) =
        -Eigen::ColPivHouseholderQR<Rows>(*rows).solve(Eigen::Matrix<double, 6, 6>::Identity());
    place_[i] = static_cast<int>(fixed_.size());
    fixed_.push_back(fixed);
  }
}

// In the axes of the inboard frame, torque about the outboard one.
Vector6d HingeMultipliers::at_inboard(const Link& k, const Vector6d& f) const {
  const Vector3d force_W = f.head<3>(), arm = k.R * k.x_outboard;
  Vector3d force = force_W, torque = f.tail<3>() - arm.cross(force_W);
  if (k.parent >= 0) {
    const Matrix3d& R = tree_.links()[k.parent].R;
    force = (R.transpose() * force).eval();
    torque = (R.transpose() * torque).eval();
  }
  Vector6d wrench;
  wrench.head<3>().noalias() = k.R_inboard.transpose() * force;
  wrench.tail<3>().noalias() = k.R_inboard.transpose() * torque;
  return wrench;
}

// Force in W, torque about the outboard frame in its axes.
Vector6d HingeMultipliers::at_outboard(int link, const Vector6d& f) const {
  if (tree_.forest().branches[link].attachment != bodies::kNoConstraint)
    return on_virtual_body(link, f);
  const bodies::FrameMotion& outboard =
      tree_.system().kinematics().frames[tree_.forest().branches[link].outboard_frame];
  const Vector3d force = f.head<3>(), arm = tree_.links()[link].p - outboard.p;
  Vector6d wrench;
  wrench << force, outboard.R.transpose() * (f.tail<3>() + arm.cross(force));
  return wrench;
}

// Of an attachment: the rows and the wrench are those on the virtual body, which the hinge pushes,
// or by which it pushes.
Vector6d HingeMultipliers::on_virtual_body(int link, const Vector6d& f) const {
  const Branch& branch = tree_.forest().branches[link];
  const BodyIndex body = tree_.system().constraint(branch.attachment).bodies()[1];
  const Link &k = tree_.links()[link], &on = tree_.links()[tree_.index_of(body)];
  const Vector3d force = f.head<3>(), arm = k.p - on.p;
  Vector6d wrench;
  wrench << force, on.R.transpose() * (f.tail<3>() + arm.cross(force));
  return branch.body == body ? wrench : Vector6d(-wrench);
}

Eigen::ColPivHouseholderQR<Rows> HingeMultipliers::factor_of(int link) const {
  const Link& k = tree_.links()[link];
  const Branch& branch = tree_.forest().branches[link];
  Rows rows(6, 0);
  if (branch.attachment != bodies::kNoConstraint) {
    const system::System& system = tree_.system();
    const joints::Constraint& attachment = system.constraint(branch.attachment);
    joints::ConstraintValues values;
    values.phi.setZero(attachment.n_rows());
    values.nu = values.gamma = values.phi;
    values.G.setZero(attachment.n_rows(),
                     tree_.n_velocities(tree_.links()[tree_.index_of(attachment.bodies()[0])]) + 6);
    attachment.evaluate(system.kinematics(), 0.0, values);
    rows = values.G.rightCols<6>().transpose();
    return Eigen::ColPivHouseholderQR<Rows>(rows);
  }
  append_rows(tree_.system(), k, branch.joint, rows);
  for (const Branch::Drive& drive : branch.drives)
    append_rows(tree_.system(), k, drive.constraint, rows);
  return Eigen::ColPivHouseholderQR<Rows>(rows);
}

// put(multiplier of the system, its place among those of the link)
template <class Put>
void HingeMultipliers::for_each_row(int link, const Put& put) const {
  const system::System& system = tree_.system();
  const Branch& branch = tree_.forest().branches[link];
  int place = 0;
  const auto put_all = [&](ConstraintIndex c) {
    const int first = system.layout().constraint_offset(c), n = system.constraint(c).n_rows();
    for (int row = 0; row < n; ++row) put(first + row, place++);
  };
  put_all(branch.constraint());
  for (const Branch::Drive& drive : branch.drives) put_all(drive.constraint);
}

void HingeMultipliers::write_one(int link, VectorXd& lambda) const {
  const Link& k = tree_.links()[link];
  if (place_[link] >= 0) {
    const Fixed& fixed = fixed_[place_[link]];
    const Vector6d multipliers = fixed.by_wrench * at_inboard(k, k.f);
    for (int j = 0; j < fixed.n; ++j) lambda[fixed.offset + j] = multipliers[j];
    return;
  }
  const Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 6, 1> multipliers =
      factor_of(link).solve(-at_outboard(link, k.f));
  for_each_row(link, [&](int row, int place) { lambda[row] = multipliers[place]; });
}

void HingeMultipliers::write(VectorXd& lambda) {
  if (!is_known_) find_fixed();
  for (const Fixed& fixed : fixed_) write_one(fixed.link, lambda);
  for (const int i : others_) write_one(i, lambda);
}

void HingeMultipliers::write(const std::vector<int>& links, VectorXd& lambda) {
  if (!is_known_) find_fixed();
  for (const int i : links) write_one(i, lambda);
}

std::vector<int> HingeMultipliers::rows(int link) const {
  std::vector<int> rows;
  for_each_row(link, [&](int row, int) { rows.push_back(row); });
  return rows;
}

HingeMultipliers::OfLink HingeMultipliers::find(int link, const Matrix6X& f) {
  if (!is_known_) find_fixed();
  OfLink found;
  found.rows = rows(link);
  const auto n = static_cast<Eigen::Index>(found.rows.size());
  Matrix6X wrenches(6, f.cols());
  if (place_[link] >= 0) {
    for (Eigen::Index i = 0; i < f.cols(); ++i)
      wrenches.col(i) = at_inboard(tree_.links()[link], f.col(i));
    found.values = fixed_[place_[link]].by_wrench.topRows(n) * wrenches;
  } else {
    for (Eigen::Index i = 0; i < f.cols(); ++i) wrenches.col(i) = -at_outboard(link, f.col(i));
    found.values = factor_of(link).solve(wrenches);
  }
  return found;
}

// With J^T lambda = -e of the wrench e = [F; T = R_F^T (torque + arm x F)] on the outboard frame F,
// and s^T = c^T (J^T)^+, it is -s^T (de + d(J^T) lambda), and in the axes of W
//   dT = R_F^T (dtorque + darm x F + arm x dF - dtheta_F x R_F T),   darm = dp - dp_F
HingeMultipliers::Variation HingeMultipliers::vary(int link, const VectorXd& c,
                                                   const VectorXd& lambda) const {
  const system::System& system = tree_.system();
  const bodies::Kinematics& kinematics = system.kinematics();
  const Link& k = tree_.links()[link];
  const Branch& branch = tree_.forest().branches[link];
  if (branch.attachment != bodies::kNoConstraint) return vary_attachment(link, c, lambda);
  const bodies::FrameMotion& outboard = kinematics.frames[branch.outboard_frame];
  const Eigen::MatrixXd inverse = factor_of(link).solve(Eigen::MatrixXd::Identity(6, 6));
  const Vector6d s = inverse.transpose() * c, e = at_outboard(link, k.f);
  const Vector3d F = e.head<3>(), T = e.tail<3>(), arm = k.p - outboard.p,
                 s_T = outboard.R * s.tail<3>(), s_T_F = s.tail<3>();
  Variation v;
  v.by_force << -s.head<3>() - s_T.cross(arm), -s_T;

  // By the poses of the joint's frames A and B, [position in W; rotation in its own axes].
  const int on_outboard = k.is_reversed ? 0 : 6;
  Eigen::Matrix<double, 12, 1> by_poses = Eigen::Matrix<double, 12, 1>::Zero();
  const auto add_stiffness = [&](ConstraintIndex constraint) {
    const joints::Joint& joint = *system.constraint(constraint).as_joint();
    const VectorXd own =
        lambda.segment(system.layout().constraint_offset(constraint), joint.n_rows());
    const bodies::Matrix12 K = joint.pair_stiffness(joint.link().pair(kinematics), own);
    by_poses -= K.middleRows<6>(on_outboard).transpose() * s;
  };
  add_stiffness(branch.joint);
  for (const Branch::Drive& drive : branch.drives) add_stiffness(drive.constraint);
  const Vector3d of_arm = F.cross(s_T);
  by_poses.segment<3>(on_outboard) += of_arm;
  by_poses.segment<3>(on_outboard + 3) += T.cross(s_T_F);

  const auto on_carrier = [&](const Link& carrier, const bodies::FrameMotion& frame, int at) {
    const int n = carrier.modes >= 0 ? tree_.modes()[carrier.modes].n : 0;
    const VectorXd by_velocities = frame.J.transpose() * by_poses.segment<6>(at);
    VectorXd row = VectorXd::Zero(6 + n);
    row.head(by_velocities.size()) = by_velocities;
    row.segment<3>(3) = (carrier.R * row.segment<3>(3)).eval();
    return row;
  };
  v.by_link = on_carrier(k, outboard, on_outboard);
  v.by_link.head<3>() -= of_arm;
  if (k.parent >= 0)
    v.by_parent = on_carrier(tree_.links()[k.parent], kinematics.frames[branch.inboard_frame],
                             6 - on_outboard);
  return v;
}

// The same of the wrench on the virtual body, whose frame is its own.
HingeMultipliers::Variation HingeMultipliers::vary_attachment(int link, const VectorXd& c,
                                                              const VectorXd& lambda) const {
  const system::System& system = tree_.system();
  const Link& k = tree_.links()[link];
  const Branch& branch = tree_.forest().branches[link];
  const joints::Constraint& attachment = system.constraint(branch.attachment);
  const Link& carrier = tree_.links()[tree_.index_of(attachment.bodies()[0])];
  const Link& on = tree_.links()[tree_.index_of(attachment.bodies()[1])];
  const Eigen::MatrixXd inverse = factor_of(link).solve(Eigen::MatrixXd::Identity(6, 6));
  const Vector6d s = inverse.transpose() * c, e = on_virtual_body(link, k.f);
  const double sign = &on == &k ? 1.0 : -1.0;
  const Vector3d arm = k.p - on.p, T = e.tail<3>(), s_T_F = s.tail<3>(), s_T = on.R * s_T_F,
                 of_arm = Vector3d(e.head<3>()).cross(s_T);
  Variation v;
  v.by_force << -sign * (Vector3d(s.head<3>()) + s_T.cross(arm)), -sign * s_T;
  const int n = tree_.n_velocities(carrier);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + 6, n + 6);
  attachment.add_stiffness(
      system.kinematics(), 0.0,
      lambda.segment(system.layout().constraint_offset(branch.attachment), attachment.n_rows()),
      1.0, K);
  VectorXd by_positions = -K.bottomRows<6>().transpose() * s;
  by_positions.segment<3>(n) += of_arm;
  by_positions.tail<3>() += T.cross(s_T_F);
  VectorXd of_carrier = by_positions.head(n), of_body = by_positions.tail(6);
  of_carrier.segment<3>(3) = (carrier.R * of_carrier.segment<3>(3)).eval();
  of_body.segment<3>(3) = (on.R * of_body.segment<3>(3)).eval();
  v.by_link = &on == &k ? of_body : of_carrier;
  v.by_parent = &on == &k ? of_carrier : of_body;
  v.by_link.head<3>() -= of_arm;
  return v;
}

}  // namespace solidyn::recursive
