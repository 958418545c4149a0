#pragma once
#include <Eigen/Core>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/bodies/pair_coordinates.h"
#include "solidyn/bodies/tracked_coordinate.h"
#include "solidyn/math/time_function.h"
#include "solidyn/system/layout.h"

namespace solidyn::system {

/// Angles between two frames that are counted with their whole turns, Kinematics::angles: from the
/// last accepted state (State::angles) on, or by the law of a drive; and other coordinates that two
/// frames determine only together with where they were. Proved by TrackedAngles.*.
class TrackedAngles {
 public:
  /// @return the same for the same two frames and angle
  bodies::AngleIndex add(const bodies::FrameLink& link, const bodies::AngleOfDots& angle);
  bodies::AngleIndex add(const bodies::FrameLink& link,
                         std::shared_ptr<const bodies::TrackedCoordinate> coordinate);
  /// The angle follows this law, rad: its whole turns are those of the law, however far it turns in
  /// a step.
  void drive(bodies::AngleIndex angle, math::TimeFunction law) {
    tracked_[angle].law = std::move(law);
  }
  int size() const { return tracked_.size(); }

  /// Sets kinematics.angles for the frames of `kinematics` at time t, s. Whole turns are those of
  /// laws, or lie nearest to `accepted` [size()], rad.
  void update(double t, const Eigen::VectorXd& accepted, bodies::Kinematics& kinematics) const;
  /// @throws base::ComputationError where the motion cannot continue from the kinematics, at t, s
  void require_possible(double t, const bodies::Kinematics& kinematics) const;
  /// kinematics.angles, for State::angles: the next state may turn by up to half a turn from there.
  /// [size()], rad
  Eigen::VectorXd values(const bodies::Kinematics& kinematics) const;
  /// The same, where angles between the bodies of a driven one, about its axis, have the whole
  /// turns of its law.
  Eigen::VectorXd aligned_values(const bodies::Kinematics& kinematics) const;

  /// The largest angle, rad, by which one that has no law, or what guides another tracked
  /// coordinate, turns when the system moves by `increment` [n_v].
  double largest_turn(const bodies::Kinematics& kinematics, const Layout& layout,
                      const Eigen::VectorXd& increment) const;
  /// Why whole turns cannot be counted, or another tracked coordinate not be followed, in a step in
  /// which the system moved by `increment` [n_v] from where they were `before` to `kinematics`;
  /// empty when they can.
  std::string rejection(const bodies::Kinematics& kinematics, const Layout& layout,
                        const Eigen::VectorXd& increment, const Eigen::VectorXd& before) const;

 private:
  struct Tracked {
    bodies::FrameLink link;
    bodies::AngleOfDots angle;
    std::optional<math::TimeFunction> law;
    std::shared_ptr<const bodies::TrackedCoordinate> other;  ///< instead of the angle
  };
  double turn_of(bodies::AngleIndex index, const bodies::Kinematics& kinematics,
                 const Layout& layout, const Eigen::VectorXd& increment) const;
  std::string objection_to_angle(bodies::AngleIndex index, const bodies::Kinematics& kinematics,
                                 double turn, double before) const;
  static double sense_of(const Tracked& driven, const Tracked& other,
                         const bodies::Kinematics& kinematics);

  base::IndexedVector<bodies::AngleIndex, Tracked> tracked_;
};

}  // namespace solidyn::system
