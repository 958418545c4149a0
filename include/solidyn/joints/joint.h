#pragma once
#include <variant>

#include "solidyn/joints/constraint.h"
#include "solidyn/joints/primitives.h"

namespace solidyn::joints {

using Primitive = std::variant<PointAlongWorldAxis, PointAlongFrameAxis, AxesDot, DrivenAngle>;

/// A joint between two frames: a list of primitives. Written once, works between any two carriers.
class Joint final : public Constraint {
 public:
  /// @param frame_A, frame_B indices into Kinematics::frames; body_A, body_B their carriers (-1
  /// ground).
  /// @pre the carriers differ.
  Joint(std::string name, int frame_A, int body_A, int n_A, int frame_B, int body_B, int n_B,
        std::vector<Primitive> primitives, std::vector<std::string> row_names)
      : Joint(std::move(name), {frame_A, body_A, n_A, frame_B, body_B, n_B}, std::move(primitives),
              std::move(row_names)) {}
  Joint(std::string name, const bodies::FrameLink& link, std::vector<Primitive> primitives,
        std::vector<std::string> row_names);

  void evaluate(const bodies::Kinematics& kinematics, double t,
                ConstraintValues& values) const override;
  void evaluate_rates(const bodies::Kinematics& kinematics, double t,
                      ConstraintValues& values) const override;
  void add_stiffness(const bodies::Kinematics& kinematics, double t,
                     const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                     Eigen::Ref<Eigen::MatrixXd> K) const override;
  std::string row_name(int row) const override { return row_names_[row]; }
  bool is_rheonomic() const override;

  int frame_A() const { return link_.frame_A(); }
  int frame_B() const { return link_.frame_B(); }
  const bodies::FrameLink& link() const { return link_; }
  /// J of the primitives: the joint's wrench on the pair is -rows^T lambda. [n x 12]
  Eigen::Matrix<double, Eigen::Dynamic, 12> pair_rows(const FramePair& f) const;
  /// d(rows^T lambda)/d(position).
  Matrix12 pair_stiffness(const FramePair& f,
                          const Eigen::Ref<const Eigen::VectorXd>& lambda) const;
  /// Force (W) and torque (B's axes) that the joint exerts on frame B's carrier, at B's origin.
  Eigen::Matrix<double, 6, 1> reaction_on_B(const bodies::Kinematics& kinematics, double t,
                                            const Eigen::Ref<const Eigen::VectorXd>& lambda) const;

 private:
  bodies::FrameLink link_;
  std::vector<Primitive> primitives_;
  std::vector<std::string> row_names_;
};

/// The catalogue. z of the two frames is the axis of revolute, cylindrical and prismatic joints and
/// the normal of planar ones.
enum class JointType { fixed, spherical, revolute, cylindrical, prismatic, planar, universal };

struct JointRows {
  std::vector<Primitive> primitives;
  std::vector<std::string> names;
};
JointRows joint_rows(JointType type);
/// A drive of the rotation of B about A's z axis.
JointRows rotation_drive_rows(math::TimeFunction angle);

}  // namespace solidyn::joints
