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
  /// What System tracks of the pair: an angle with its whole turns, rad, or another number that the
  /// two frames determine only together with where it was (TrackedCoordinate).
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
///
/// What is narrower than these is of few_columns() alone: a node of a mesh with hundreds of ports
/// moves with three of them. add_force(), add_matrix(), add_geometric_stiffness() know it by the
/// size of their last argument.
class FrameLink {
 public:
  /// A frame with its carrier.
  struct End {
    FrameIndex frame;
    BodyIndex body = kGround;
    int n_velocities = 0;  ///< of the carrier; none of the ground
  };
  /// @param angle this pair's tracked angle
  FrameLink(const End& A, const End& B, AngleIndex angle = kUntracked);

  FrameIndex frame_A() const { return frame_A_; }
  FrameIndex frame_B() const { return frame_B_; }
  BodyIndex body_A() const { return body_A_; }
  BodyIndex body_B() const { return body_B_; }
  AngleIndex angle() const { return angle_; }
  /// The same frames, with this tracked angle.
  FrameLink with_angle(AngleIndex angle) const {
    FrameLink link = *this;
    link.angle_ = angle;
    return link;
  }
  std::vector<BodyIndex> bodies() const;  ///< distinct, without the ground
  int n_columns() const { return n_columns_; }
  /// Of one of bodies().
  int n_velocities(BodyIndex body) const { return body == body_A_ ? n_A_ : n_B_; }
  bool is_within_one_body() const { return body_A_ == body_B_; }
  /// Those columns that move the frames, ascending; empty where they are not few.
  std::vector<int> few_columns(
      const base::IndexedVector<FrameIndex, Frame>& frame_definitions) const;

  FramePair pair(const Kinematics& k) const {
    return {k.frames[frame_A_], k.frames[frame_B_], angle_ == kUntracked ? 0.0 : k.angles[angle_]};
  }
  /// By velocities that satisfy the constraints. (FramePair::twist() may not, by what steps leave.)
  Vector12 consistent_twist(const Kinematics& k) const {
    if (k.consistent_twists.empty()) return pair(k).twist();
    Vector12 v;
    v << k.consistent_twists[frame_A_], k.consistent_twists[frame_B_];
    return v;
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
  /// The same of several rows, as columns. @param[out] W [columns, or few_columns(), x 3]
  void set_rows(const Kinematics& k, const Eigen::Matrix<double, 3, 12>& J_pair,
                Eigen::Ref<Eigen::MatrixXd> W) const;
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
    FrameIndex frame;
    BodyIndex body;
    int n, offset;
  };
  /// Of few_columns().
  struct NarrowSide {
    Side side;
    Eigen::Matrix<double, 6, Eigen::Dynamic> J;
    Eigen::Index offset;
  };
  std::vector<NarrowSide> narrow_sides(const Kinematics& k) const;
  std::array<Side, 2> sides() const {
    return {Side{frame_A_, body_A_, n_A_, 0}, Side{frame_B_, body_B_, n_B_, offset_B_}};
  }

  FrameIndex frame_A_, frame_B_;
  BodyIndex body_A_, body_B_;
  AngleIndex angle_;
  int n_A_, n_B_, offset_B_, n_columns_;
};

}  // namespace solidyn::bodies
