#pragma once
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "solidyn/joints/joint.h"
#include "solidyn/system/connect.h"
#include "solidyn/system/system.h"

/// Trees of point masses of the reference problems E01 to E07 (tests/data/recursive), whose numbers
/// come from the positions of the masses alone, without recursions.
namespace solidyn::testing_support {

nlohmann::json reference_data(const std::string& file);
Eigen::VectorXd vector_of(const nlohmann::json& list);
Eigen::MatrixXd matrix_of(const nlohmann::json& list);

/// Generalised forces Q(t) of the coordinates of a hinge from frame A to frame B.
class HingeEffort final : public forces::Force {
 public:
  using Law = std::function<Eigen::VectorXd(double t)>;
  HingeEffort(const std::string& name, const bodies::FrameLink& link, const joints::Hinge& hinge,
              Law law);
  void add_residual(const bodies::Kinematics& kinematics, double t,
                    Eigen::Ref<Eigen::VectorXd> r) const override;
  void add_tangent(const bodies::Kinematics&, double, const bodies::TangentCoefficients&,
                   Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd>) const override {}
  double power(const bodies::Kinematics& kinematics, double t) const override;

 private:
  bodies::Vector12 wrench(const bodies::Kinematics& kinematics, double t) const;
  bodies::FrameLink link_;
  joints::Hinge hinge_;
  Law law_;
};

class ReferenceTree {
 public:
  /// What a body is: nodes, masses, modes (`gamma`, `lam`, `K`), or mass, `com`, `inertia`.
  bodies::BodyIndex add_body(const nlohmann::json& body);
  /// A frame on a node (the triad turns with its slopes), moved by `offset` and turned by R; on the
  /// ground at `offset`.
  bodies::FrameIndex add_frame(bodies::BodyIndex body, int node,
                               const Eigen::Vector3d& offset = Eigen::Vector3d::Zero(),
                               const Eigen::Matrix3d& R = Eigen::Matrix3d::Identity());
  /// Hangs the last body on a hinge at these coordinates and speeds of hinge and modes.
  /// @param effort  null: none
  void hang(joints::Hinge::Kind kind, bodies::FrameIndex A, bodies::FrameIndex B,
            const Eigen::VectorXd& q, const Eigen::VectorXd& u, const Eigen::VectorXd& q_e,
            const Eigen::VectorXd& dq_e, HingeEffort::Law effort);
  /// The hinge of this body is to be cut, where it is one of a loop.
  void cut(int body) { cut_ = body; }
  /// All bodies of a file in the format of its E04, with its loads and its loops.
  void add_all(const nlohmann::json& file);
  void finish();

  system::System& system() { return system_; }
  system::State& state() { return state_; }
  bodies::BodyIndex body(int i) const { return bodies::BodyIndex(i); }
  /// Of the hinge of a body, in the order in which they were hung.
  const bodies::FrameLink& hinge(int i) const { return hinges_[i].link; }
  system::FramesOfPair frames_of(int hinge) const {
    return {hinges_[hinge].link.frame_A(), hinges_[hinge].link.frame_B()};
  }

 private:
  struct Body {
    nlohmann::json data;
    Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
    Eigen::Vector3d p = Eigen::Vector3d::Zero();
    Eigen::VectorXd v, q_e;
  };
  bodies::FrameMotion motion_of(bodies::FrameIndex frame, int body) const;
  bodies::BodyState state_of(const Body& body) const;

  struct HungOn {
    bodies::FrameLink link;
    double angle;  ///< of a revolute joint, with its whole turns
  };

  system::System system_;
  system::State state_;
  std::vector<Body> bodies_;
  std::vector<HungOn> hinges_;
  int cut_ = -1;
};

/// E06 at its start, undeformed and at rest, and its torques.
nlohmann::json flexible_arm();
void add_arm_torques(ReferenceTree& tree);
/// E07 at its start, and the springs and dampers of its hinges.
nlohmann::json folded_satellite();
void add_satellite_springs(ReferenceTree& tree);

/// The words of the files.
joints::Hinge::Kind hinge_kind(const std::string& word);
Eigen::Matrix3d axes_along(const Eigen::Vector3d& z);

}  // namespace solidyn::testing_support
