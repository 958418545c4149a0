#pragma once
#include <optional>

#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/bodies/tracked_coordinate.h"
#include "solidyn/joints/constraint.h"
#include "solidyn/joints/hinge.h"
#include "solidyn/math/time_function.h"

namespace solidyn::joints {

using bodies::Coordinate;
using bodies::CoordinateValue;
using bodies::FramePair;
using bodies::Matrix12;

/// One row of a joint: a coordinate that keeps a value or follows a law, or (on velocity level) a
/// rate that does.
class Primitive {
 public:
  using Level = Constraint::Level;
  /// coordinate = target
  template <class C, class = std::enable_if_t<std::is_constructible_v<Coordinate, C>>>
  Primitive(C coordinate, double target = 0.0)  // NOLINT(google-explicit-constructor)
      : coordinate_(std::move(coordinate)), target_(target) {}
  /// coordinate = start + law(t), or on velocity level d(coordinate)/dt = law(t)
  Primitive(Coordinate coordinate, math::TimeFunction law, Level level = Level::position,
            double start = 0.0)
      : coordinate_(std::move(coordinate)), target_(start), law_(std::move(law)), level_(level) {}
  /// J twist = 0, of a row that is no derivative
  static Primitive without_slip(bodies::RollingContact slip);

  const Coordinate& coordinate() const { return coordinate_; }
  Level level() const { return level_; }
  bool is_driven() const { return law_.has_value(); }
  /// Phi; on velocity level G v - nu. Angles are equal when whole turns lie between them.
  double violation(const CoordinateValue& c, const FramePair& f, double t) const;
  struct Rates {
    double nu, gamma;  ///< J twist = nu, J d(twist)/dt + bias = gamma
  };
  Rates rates(double t) const;

 private:
  Coordinate coordinate_;
  double target_ = 0.0;
  std::optional<math::TimeFunction> law_;
  Level level_ = Level::position;
};

/// A joint between two frames: a list of primitives. Written once, works between any two carriers.
class Joint final : public Constraint {
 public:
  /// @pre the carriers of the link's frames differ
  /// @param hinge  what the rows leave free, where coordinates of it are known
  Joint(std::string name, const bodies::FrameLink& link, std::vector<Primitive> primitives,
        std::vector<std::string> row_names, const std::optional<Hinge>& hinge = {});

  void evaluate(const bodies::Kinematics& kinematics, double t,
                ConstraintValues& values) const override;
  void evaluate_rates(const bodies::Kinematics& kinematics, double t,
                      ConstraintValues& values) const override;
  void add_stiffness(const bodies::Kinematics& kinematics, double t,
                     const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                     Eigen::Ref<Eigen::MatrixXd> K) const override;
  Level level(int row) const override { return primitives_[row].level(); }
  std::string row_name(int row) const override { return row_names_[row]; }
  bool is_rheonomic() const override;
  bool is_between_bodies() const override { return true; }
  const Joint* as_joint() const override { return this; }
  /// Shafts of a constant-velocity joint that nearly point at each other.
  std::string warning(const bodies::Kinematics& kinematics) const override;
  std::vector<Eigen::Vector3d> spans(const bodies::Kinematics& kinematics) const override;

  bodies::FrameIndex frame_A() const { return link_.frame_A(); }
  bodies::FrameIndex frame_B() const { return link_.frame_B(); }
  const bodies::FrameLink& link() const { return link_; }
  const std::vector<Primitive>& primitives() const { return primitives_; }  ///< one per row
  const std::optional<Hinge>& hinge() const { return hinge_; }
  /// Whether relative coordinates are to cut the loop here, in place of where they choose.
  bool is_cut() const { return is_cut_; }
  void cut() { is_cut_ = true; }
  /// J of the primitives: the joint's wrench on the pair is -rows^T lambda. [n x 12]
  Eigen::Matrix<double, Eigen::Dynamic, 12> pair_rows(const FramePair& f) const;
  /// d(rows^T lambda)/d(position).
  Matrix12 pair_stiffness(const FramePair& f,
                          const Eigen::Ref<const Eigen::VectorXd>& lambda) const;
  /// What the joint exerts on the carriers of its frames, at the frames' origins: force (W) and
  /// torque (A's axes) on A's, force (W) and torque (B's axes) on B's.
  bodies::Vector12 reaction(const bodies::Kinematics& kinematics,
                            const Eigen::Ref<const Eigen::VectorXd>& lambda) const;

 private:
  bodies::FrameLink link_;
  std::vector<Primitive> primitives_;
  std::vector<std::string> row_names_;
  std::optional<Hinge> hinge_;
  bool is_cut_ = false;
};

/// @throws std::logic_error for a constraint of another kind
const Joint& joint_of(const Constraint& constraint);

/// The catalogue (doc/joints.md). z of the two frames is the axis that the joint turns about or
/// slides along, the normal of planes, and the shaft of universal and constant-velocity joints; x
/// of A and y of B are the arms of a universal joint's cross.
enum class JointType {
  fixed,
  spherical,
  revolute,
  cylindrical,
  prismatic,
  planar,
  universal,
  constant_velocity,
  point_on_line,
  point_on_plane,
  parallel_axes,
  perpendicular_axes,  ///< z of A, x of B
  orientation
};

struct JointRows {
  std::vector<Primitive> primitives;
  std::vector<std::string> names;
  /// What the pair's link must track for them; null: nothing, or an angle.
  std::shared_ptr<const bodies::TrackedCoordinate> tracked = nullptr;
  /// Coordinates of what they leave free of the relative pose; none where that is too much.
  std::optional<Hinge> hinge = {};
};
JointRows joint_rows(JointType type);
/// B advances along A's z by `pitch` (m) per turn, right-handed when positive. The link's angle is
/// to be tracked.
JointRows screw_rows(double pitch);
/// A rod of `length` (m, > 0) between the frames' origins.
JointRows distance_rows(double length);
/// A disc that rolls on a plane (RollingContact): it touches, and does not slip.
JointRows rolling_rows(double radius);

/// Drives: of the rotation of B about A's z, of the translation of B's origin along A's z, of the
/// distance between the frames' origins, plus `start` (m), and of the components of B's origin in
/// A's axes that have a law, plus `start` (m, in A); or of any coordinate. `level` says what the
/// laws give: values or rates.
JointRows rotation_drive_rows(math::TimeFunction law,
                              Constraint::Level level = Constraint::Level::position);
JointRows translation_drive_rows(math::TimeFunction law,
                                 Constraint::Level level = Constraint::Level::position);
JointRows drive_rows(const Coordinate& coordinate, math::TimeFunction law, std::string name,
                     Constraint::Level level = Constraint::Level::position);
JointRows distance_drive_rows(math::TimeFunction law,
                              Constraint::Level level = Constraint::Level::position,
                              double start = 0.0);
JointRows point_path_rows(const std::array<std::optional<math::TimeFunction>, 3>& laws,
                          Constraint::Level level = Constraint::Level::position,
                          const Eigen::Vector3d& start = Eigen::Vector3d::Zero());

}  // namespace solidyn::joints
