#pragma once
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/forces/pair_force.h"
#include "solidyn/forces/runs_on_track.h"
#include "solidyn/math/curve.h"
#include "solidyn/railway/creep_law.h"
#include "solidyn/railway/rail_overlap.h"
#include "solidyn/track/irregularity.h"
#include "solidyn/track/station.h"
#include "solidyn/wheel_rail/flexible_rails.h"

/// Forces between wheelsets, which any body's frame may be, and a track.
namespace solidyn::wheel_rail {

/// What all wheelsets run on.
struct RailTrack {
  track::Alignment alignment;
  track::Irregularities irregularities;
  /// Those that are on it: each is there from its construction to its destruction.
  mutable forces::Wheelsets wheelsets = {};
};

/// m/s along the track, below which creepages mean nothing.
constexpr double kLeastSpeed = 1e-3;

enum Side { kLeft, kRight, kSides };

struct WheelRailOptions {
  std::array<std::shared_ptr<const railway::RailOverlap>, kSides> contact;
  double radius = 0.46;       ///< r0 on the tape circle, m
  double tape_circle = 0.75;  ///< from the middle of the axle, m
  std::array<railway::FallingFriction, kSides> friction;
  /// Of each wheel by s (m), in place of friction's start: beyond the points that of the nearest,
  /// unless it is periodic.
  std::array<std::optional<math::Curve>, kSides> friction_along;
  const railway::CreepLaw* law = nullptr;
  railway::CreepParameters creep;  ///< but for the coefficients, which follow from the patch
  railway::OverlapDamping damping;
  /// Whether the frame turns with the wheels. Else they are taken to roll with r0 at the frame's
  /// speed, in addition to its angular velocity.
  bool turns = true;
  /// kg m^2, about the axle, of what turns on a frame that does not: its gyroscopic moment.
  double rolling_inertia = 0.0;
  /// Those of the system, where rails bend on a part of the track; else null. @pre A is the ground
  std::shared_ptr<const FlexibleRails> rails = nullptr;
};

/// A contact patch, for results.
struct PatchResult {
  double normal_force = 0.0;                    ///< N
  Eigen::Vector3d c = Eigen::Vector3d::Zero();  ///< from the wheelset's middle, track axes, m
  double u = 0.0;                               ///< on the wheel, from the tape circle outwards, m
  double radius = 0.0, angle = 0.0;             ///< of the wheel, m; of the tangent plane, rad
  double a = 0.0, b = 0.0;                      ///< half axes along and across, m
  railway::Creepages creepages;
  Eigen::Vector3d force =
      Eigen::Vector3d::Zero();  ///< tangential, in the patch's axes; moment, N m
};

struct WheelResult {
  double Q = 0.0, Y = 0.0;           ///< on the rail: down, and to the field side, N
  double T_gamma = 0.0;              ///< sum of |F_x xi| + |F_y eta|, the wear number, N
  std::vector<PatchResult> patches;  ///< the strongest first
};

/// Between two frames: A, which the rails are fixed to, and B, a wheelset, whose y axis is the
/// axle, to the left. The rails' place is that of the track plus the motion of A since t = 0, in
/// the track's axes at the wheelset: a moving track follows its wheelset. On the ground they are at
/// rest.
///
/// Where rails bend (FlexibleRails), what a rail is displaced by at the wheelset adds to its
/// irregularities there, and the forces act on the nodes of its element by the shape functions.
/// Then the force consists of a part, on the wheelset and on the element that it stands on now.
///
/// Normal forces are derivatives of a potential (railway::RailOverlap); creep forces follow from
/// the patches. Its derivatives are central differences of the wrench, those by twists of the
/// patches that are there. It remembers s of the last accepted state, from which the track's cross
/// section is found.
///
/// At rest there are no creepages, and the wheels are braked: stiff springs hold s and the angle
/// about the axle where they were at t = 0, so that a vehicle has a static equilibrium. A wheelset
/// that ran in the last accepted state has no brakes where it is looked at without velocities, as
/// integrators do for the forces that depend on positions. While it runs, creepages of an iterate
/// are velocities over kLeastSpeed at least; an accepted state that is slower is an error.
/// Proved by WheelRailForce.* and tests/programs/railway.py.
class WheelRailForce final : public forces::PairForce, public forces::RunsOnTrack {
 public:
  /// @param rails_at_start, wheelset_at_start  poses of A and B at t = 0
  /// @param s  of the wheelset there, m
  WheelRailForce(std::string name, const bodies::FrameLink& link,
                 std::shared_ptr<const RailTrack> track, WheelRailOptions options,
                 const bodies::FrameMotion& rails_at_start,
                 const bodies::FrameMotion& wheelset_at_start, double s);
  ~WheelRailForce() override;

  bodies::Vector12 wrench(const bodies::FramePair& f, double t) const override;
  void add_derivatives(const bodies::FramePair& f, double t, bodies::Matrix12& by_position,
                       bodies::Matrix12& by_twist) const override;
  double energy(const bodies::FramePair& f, double t) const override;
  double power(const bodies::FramePair& f, double t) const override;

  /// s, y, z, roll, yaw; of each wheel Q, Y, Y/Q, T gamma; of the two strongest patches of each
  /// where they are, creepages and half axes.
  static forces::Readings own_readings();
  forces::Readings readings() const override { return own_readings(); }
  void read(const bodies::Kinematics& kinematics, double t, double* values) const override;
  std::string warning_at_start(const bodies::Kinematics& kinematics, double t) const override;

  bool has_parts() const override { return options_.rails != nullptr; }
  const std::vector<const Force*>& parts() const override { return parts_; }
  bool follow(const bodies::Kinematics& kinematics) override;

  int n_memory() const override { return has_parts() ? 0 : kMemory; }
  void recall(const Eigen::Ref<const Eigen::VectorXd>& memory) override;
  void remember(const bodies::Kinematics& kinematics, double t,
                Eigen::Ref<Eigen::VectorXd> memory) const override;
  void append_memory(const bodies::Kinematics& kinematics, double t,
                     std::vector<double>& memory) const override;

  const forces::Force& force() const override { return *this; }
  bodies::BodyIndex wheelset() const override { return link().body_B(); }
  forces::RunningMotion running_motion(const bodies::Kinematics& kinematics,
                                       double speed) const override;
  std::string unloaded_wheels(const bodies::Kinematics& kinematics) const override;
  /// Patches longer or narrower than Kalker's table has them, of those that carry a part of the
  /// load.
  std::array<std::string, kSides> doubts(const bodies::Kinematics& kinematics) const override;
  double s_at_start() const override { return s_start_; }
  forces::LinearisationLimits linearisation_limits(
      const bodies::Kinematics& kinematics, const std::vector<double>& places) const override;

  /// Where the wheelset is in the track's axes, and what acts on it.
  struct State {
    double s = 0.0, speed = 0.0;       ///< m, m/s
    Eigen::Matrix3d R;                 ///< the rails' axes in the world
    Eigen::Vector3d offset, axle;      ///< of the wheelset's middle, m, and its direction
    Eigen::Vector3d force, moment;     ///< on the wheelset, about its middle, N, N m
    Eigen::Vector3d gyroscopic;        ///< moment of wheels that turn on it, N m
    double energy = 0.0, power = 0.0;  ///< J, W
    std::array<WheelResult, kSides> wheels;
    std::array<RailDeflection, kSides> rails;
  };
  /// The one that was asked for last is kept: wrench, energy, power and readings want the same.
  const State& state(const bodies::FramePair& f) const;

 private:
  static constexpr int kMemory = 2;
  /// What a state follows from: both frames' poses and twists, from where s is found, whether the
  /// wheelset runs, and how rails are bent.
  using Given = Eigen::Matrix<double, 38 + 8 * RailsUnderWheels::kWays, 1>;
  Given given_by(const bodies::FramePair& f) const;
  struct Motion;
  struct Patch;
  struct Contact;
  using Contacts = std::array<Contact, kSides>;
  struct Sums;
  class OnRails;
  struct RailDerivatives;
  Motion motion(const bodies::FramePair& f) const;
  bool is_at_rest(const bodies::FramePair& f) const;
  void refuse_standing(double speed, double s) const;
  RailDeflection deflection(Side side, double s) const;
  Contact find_contact(Side side, const Motion& m, bool by_rates) const;
  Contact find_contact(Side side, const Motion& m, bool by_rates,
                       const RailDeflection& deflection) const;
  Contacts find_contacts(const Motion& m, bool by_rates = false) const;
  void move_on(Side side, const Motion& m, Contact& contact) const;
  void add_wheel(Side side, const Contact& contact, const Motion& m, Sums& sums,
                 State& state) const;
  void add_creep(Side side, const Patch& patch, const Contact& contact, const Motion& m,
                 State& state) const;
  railway::FallingFriction friction_at(Side side, double s) const;
  State state_of(const Motion& m, const Contacts& contacts) const;
  void add_brake(const Motion& m, Sums& sums, State& state) const;
  bodies::Vector12 wrench_of(const bodies::FramePair& f, const State& s) const;
  std::array<double, kMemory> remembered(const bodies::Kinematics& kinematics) const;
  RailDerivatives rail_derivatives(const bodies::FramePair& f) const;

  std::shared_ptr<const RailTrack> track_;
  WheelRailOptions options_;
  Eigen::Vector3d p_start_;  ///< of A
  Eigen::Matrix3d R_track_start_;
  Eigen::Matrix3d R_rails_;  ///< the rails' axes in A's: the track's at the wheelset at t = 0
  bool rails_move_;
  bool runs_ = false;  ///< in the last accepted state
  double s_, s_start_, angle_start_;
  RailsUnderWheels under_;  ///< in the state of follow()
  std::unique_ptr<OnRails> on_rails_;
  std::vector<const Force*> parts_;
  mutable Given given_ = Given::Constant(std::numeric_limits<double>::quiet_NaN());
  mutable State state_;
};

}  // namespace solidyn::wheel_rail
