#pragma once
#include <array>

#include "solidyn/bodies/frame.h"

namespace solidyn::bodies {

using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

/// The two frames that a joint or a force acts between. Their variations are ordered
/// [dp_A (W), dtheta_A (A's axes), dp_B (W), dtheta_B (B's axes)]; so are twists and wrenches.
struct FramePair {
  const FrameMotion& A;
  const FrameMotion& B;
  /// The angle that is looked at with its whole turns, rad, where System tracks it.
  double angle = 0.0;

  Vector12 twist() const {
    Vector12 v;
    v << A.v, A.w, B.v, B.w;
    return v;
  }
};

/// Which two frames of a system something acts between, and how what it says about the pair becomes
/// a statement about the velocities of their carriers: `columns`, A's carrier first; those of one
/// carrier alone when both frames are on it; none for the ground. Local, does not allocate.
class FrameLink {
 public:
  /// @param frame_A, frame_B indices into Kinematics::frames; body_A, body_B their carriers (-1:
  /// the ground); n_A, n_B the carriers' numbers of velocities
  /// @param angle index into Kinematics::angles of this pair's tracked angle; -1: not tracked
  FrameLink(int frame_A, int body_A, int n_A, int frame_B, int body_B, int n_B, int angle = -1);

  int frame_A() const { return frame_A_; }
  int frame_B() const { return frame_B_; }
  int angle() const { return angle_; }
  std::vector<int> bodies() const;  ///< distinct, without the ground
  int n_columns() const { return n_columns_; }
  /// Of one of bodies().
  int n_velocities(int body) const { return body == body_A_ ? n_A_ : n_B_; }
  bool is_within_one_body() const { return body_A_ == body_B_; }

  FramePair pair(const Kinematics& k) const {
    return {k.frames[frame_A_], k.frames[frame_B_], angle_ < 0 ? 0.0 : k.angles[angle_]};
  }
  /// row := J_pair J, the row of a scalar statement about the pair. @param[out] row [columns]
  template <class Row>
  void set_row(const Kinematics& k, const Eigen::Matrix<double, 1, 12>& J_pair, Row&& row) const {
    if (n_A_ == 6 && n_B_ == 6 && offset_B_ == 6) {  // two rigid bodies: sizes known beforehand
      row.template head<6>() = J_pair.head<6>() * rigid_J(k.frames[frame_A_]);
      row.template tail<6>() = J_pair.tail<6>() * rigid_J(k.frames[frame_B_]);
      return;
    }
    if (n_A_ > 0) row.head(n_A_) = J_pair.head<6>().lazyProduct(k.frames[frame_A_].J);
    if (n_B_ > 0 && offset_B_ == 0 && n_A_ > 0)
      row += J_pair.tail<6>().lazyProduct(k.frames[frame_B_].J);
    else if (n_B_ > 0)
      row.tail(n_B_) = J_pair.tail<6>().lazyProduct(k.frames[frame_B_].J);
  }
  /// r += J^T wrench. @param[in,out] r [columns]
  void add_force(const Kinematics& k, const Vector12& wrench, Eigen::Ref<Eigen::VectorXd> r) const;
  /// K += J^T S J. @param[in,out] K [columns x columns]
  void add_matrix(const Kinematics& k, const Matrix12& S, Eigen::Ref<Eigen::MatrixXd> K) const;
  /// K += d(J^T wrench)/dq at constant wrench.
  void add_geometric_stiffness(const Kinematics& k, const Vector12& wrench,
                               Eigen::Ref<Eigen::MatrixXd> K) const;
  /// K += J^T D d(twist)/dq at constant velocities of the carriers.
  void add_rate_stiffness(const Kinematics& k, const Matrix12& D,
                          Eigen::Ref<Eigen::MatrixXd> K) const;

 private:
  static Eigen::Map<const Eigen::Matrix<double, 6, 6>> rigid_J(const FrameMotion& motion) {
    return Eigen::Map<const Eigen::Matrix<double, 6, 6>>(motion.J.data());
  }
  struct Side {
    int frame, body, n, offset;
  };
  std::array<Side, 2> sides() const {
    return {Side{frame_A_, body_A_, n_A_, 0}, Side{frame_B_, body_B_, n_B_, offset_B_}};
  }

  int frame_A_, body_A_, n_A_, frame_B_, body_B_, n_B_, angle_;
  int offset_B_, n_columns_;
};

}  // namespace solidyn::bodies
