#pragma once
#include <random>

#include "solidyn/joints/joint.h"
#include "solidyn/system/system.h"

/// Bodies on hinges of every kind, rigid and flexible, anywhere and in motion: for tests that
/// compare relative coordinates with absolute ones.
namespace solidyn::testing_support {

/// All kinds of the catalogue's joints that have a hinge; `free` needs no joint.
std::vector<joints::Hinge::Kind> hinge_kinds();
/// The rows of the joint that leaves such a hinge. Of a screw with a pitch of 0.3 m.
joints::JointRows rows_of(joints::Hinge::Kind kind);
/// Coordinates within one metre and one radian.
Eigen::VectorXd random_coordinates(std::mt19937& generator, const joints::Hinge& hinge);

/// What elastic coordinates do to frames on their body.
enum class FrameShapes { second_order, linear, translations };

struct RandomBody {
  int n_modes = 0;
  bool is_reversed = false;  ///< the joint's frame A is on the new body
  bool is_massless = false;
  FrameShapes shapes = FrameShapes::second_order;
  bool stiffens = false;  ///< when it spins
};

class RandomTree {
 public:
  explicit RandomTree(unsigned seed);

  using Options = RandomBody;
  /// @param parent  kGround: the world   @param kind  free: no joint
  bodies::BodyIndex add_body(bodies::BodyIndex parent, joints::Hinge::Kind kind,
                             const Options& options = {});
  /// The last joint's frames.
  bodies::FrameIndex frame_A() const { return frame_A_; }
  bodies::FrameIndex frame_B() const { return frame_B_; }
  /// A frame anywhere on a body, or on the ground.
  bodies::FrameIndex add_frame(bodies::BodyIndex body);
  /// A frame at the pose that another frame has.
  bodies::FrameIndex add_frame_at(bodies::BodyIndex body, bodies::FrameIndex other);

  /// A beam of three elements anywhere, deformed a little. @return its four nodes
  std::vector<bodies::BodyIndex> add_beam();
  /// A virtual body on three nodes anywhere on a body with modes.
  bodies::BodyIndex add_virtual_body(bodies::BodyIndex flexible);
  /// A spring and a damper in series between points of two bodies, after all bodies.
  void add_series_damper(bodies::BodyIndex first, bodies::BodyIndex second);
  /// Their rates become those of their laws. @pre set_in_motion()
  void settle_series_dampers();

  /// Where B is in A: along A's axes, and its angle about A's z.
  Eigen::Vector3d position(bodies::FrameIndex A, bodies::FrameIndex B) const;
  double angle(bodies::FrameIndex A, bodies::FrameIndex B) const;

  /// No more is added; random velocities that the constraints allow.
  void set_in_motion();
  /// Accelerations and multipliers of least norm by system::solve_acceleration_equations.
  system::State absolute_accelerations(bool has_dependent_rows = false);

  system::System& system() { return system_; }
  system::State& state() { return state_; }
  std::mt19937& generator() { return generator_; }

 private:
  bodies::Frame random_frame(bodies::BodyIndex body);
  bodies::FrameMotion pose_of(const bodies::Frame& frame) const;

  struct Pose {
    Eigen::Matrix3d R;
    Eigen::Vector3d p;
    Eigen::VectorXd q_e;
    FrameShapes shapes{};
  };
  system::System system_;
  system::State state_;
  std::mt19937 generator_;
  std::vector<Pose> poses_;
  std::vector<forces::ForceIndex> series_dampers_;
  bodies::FrameIndex frame_A_, frame_B_;
};

/// Friction in every joint that turns, slides or both as JointFriction has it, by all that the
/// joint transmits, of pins of 0.1 m. After the last joint. @return how many forces
int add_friction(system::System& system, double coefficient);

/// 4 to 12 bodies, a third of them flexible if `has_modes`, hinges of all kinds either way round;
/// the first is free in every second tree.
void grow(RandomTree& tree, bool has_modes);

/// Bodies with modes that carry others by virtual bodies, hang by them, and have one that carries
/// nothing; with every second seed a rod closes a loop.
void grow_with_virtual_bodies(RandomTree& tree, unsigned seed);

/// Two rigid bodies or one with modes on the ground, two beams one behind the other at their end, a
/// weight on the last one, and a third beam whose ends are free: it is tied by springs alone, with
/// every second seed to another beam. With every third seed the second beam ends on the ground.
void grow_with_beams(RandomTree& tree, unsigned seed);

/// A chain of nine bodies with a branch, every third body flexible but for every third seed, and
/// closures that span some of them, inside each other and across; with every second seed one to the
/// ground.
void grow_with_loops(RandomTree& tree, unsigned seed);

}  // namespace solidyn::testing_support
