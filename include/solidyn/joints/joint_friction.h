#pragma once
#include <vector>

#include "solidyn/contact/friction.h"
#include "solidyn/forces/force.h"
#include "solidyn/joints/joint.h"

namespace solidyn::joints {

/// Friction in a joint that turns, slides along axes, or both, pressed together by what the joint
/// itself transmits. With the slip s (m/s; radius times angular velocity where it turns; of several
/// the root of the sum of squares) and the normal force
///   N = |lateral force| + thrust |axial force| + |moment|/arm + preload
/// of the joint's multipliers, lateral: along x and y of frame B, of a ball, of the pins of a
/// cross and of a guide that bends all of it, and the moment that of the axes about which the joint
/// does not turn, the friction force is that of contact::Friction. Each size |v| is |v|^2 /
/// sqrt(|v|^2 + e^2), so that it is smooth where the force vanishes; e is `rounding` for forces and
/// arm times it for moments. doc/theory/forces.md Proved by JointFriction.*.
class JointFriction final : public forces::Force {
 public:
  /// About z; about an arm of a universal joint's cross, one force for each; any way, as a ball.
  enum class Turning { none, about_z, about_first_arm, about_second_arm, any };
  struct Options {
    contact::Friction law;
    std::vector<Coordinate> slides;
    Turning turns = Turning::none;
    bool presses_any_way = false;  ///< all of the force presses, as that of a guide that bends
    double radius = 0.0;           ///< m, where it turns
    double thrust = 0.0;           ///< of forces along the axis, what presses
    double moment_arm = 0.0;       ///< m; 0: moments press nothing
    double preload = 0.0;          ///< N
    enum class Presses { all, preload };
    Presses presses = Presses::all;  ///< or the preload alone, whatever the joint transmits
    double rounding = 0.0;           ///< N, small against what the joint carries
  };
  /// @param joint must outlive this    @param constraint its index in the system
  JointFriction(std::string name, const Joint& joint, ConstraintIndex constraint,
                const Options& options);

  std::vector<ConstraintIndex> constraints() const override { return {constraint_}; }
  void add_residual(const bodies::Kinematics& kinematics, double t,
                    Eigen::Ref<Eigen::VectorXd> r) const override;
  void add_tangent(const bodies::Kinematics& kinematics, double t,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  void add_multiplier_tangent(const bodies::Kinematics& kinematics, double t,
                              Eigen::Ref<Eigen::MatrixXd> J_lambda) const override;
  void add_slips(const bodies::Kinematics& kinematics,
                 std::vector<forces::Slip>& slips) const override;
  double power(const bodies::Kinematics& kinematics, double t) const override;
  std::optional<PairWrench> pair_wrench(const bodies::Kinematics& kinematics,
                                        double t) const override;

 private:
  struct Normal {
    double size;
    bodies::Row12 by_position;
    Eigen::RowVectorXd by_lambda;
  };
  struct Slip {
    std::vector<bodies::Row12> rows;   // slip_i = rows_i twist
    std::vector<double> values;        // m/s
    std::vector<Matrix12> curvatures;  // d(rows_i^T)/d(position)
    double square = 0.0;               // of the speed
    void add(const bodies::Coordinate& coordinate, const FramePair& f, double radius);
    void add_relative_rotation(const FramePair& f, double radius);
  };
  Normal normal(const bodies::Kinematics& k, const FramePair& f) const;
  Eigen::Vector3d pressing_axes_of_force() const;
  Eigen::Vector3d pressing_axes_of_moment() const;
  void add_turning(const FramePair& f, Slip& slip) const;
  /// @param twist  of the pair, by velocities that satisfy the constraints: a step that meets them
  /// by positions leaves an error of the others, which must not decide where friction points
  Slip slip(const FramePair& f, const bodies::Vector12& twist) const;
  /// The wrench at a normal force of 1 N.
  bodies::Vector12 direction(const Slip& slip) const;

  const Joint& joint_;
  ConstraintIndex constraint_;
  Options o_;
};

}  // namespace solidyn::joints
