#pragma once
#include <Eigen/Dense>
#include <array>
#include <string>
#include <vector>

#include "solidyn/forces/force.h"

namespace solidyn::forces {

/// How a vehicle moves at constant speed along the track as it is under a wheelset, in W: points
/// that move with it have the velocity v + w x p.
struct RunningMotion {
  Eigen::Vector3d v = Eigen::Vector3d::Zero();  ///< of the world's origin, m/s
  Eigen::Vector3d w = Eigen::Vector3d::Zero();  ///< rad/s
  /// How w changes along the track, as a part of the speed, rad/m^2: 0 on a straight, an arc, a
  /// slope.
  double change = 0.0;
  Eigen::Vector3d p = Eigen::Vector3d::Zero();     ///< of the wheelset's middle, m
  Eigen::Vector3d axle = Eigen::Vector3d::Zero();  ///< unit, to the left
  double spin = 0.0;          ///< of the wheelset's frame about it where its wheels roll, rad/s
  bool is_irregular = false;  ///< the rails there are not where the track's design puts them
  double s = 0.0;             ///< of the wheelset along the track, m
};

/// Why equations that are linearised at a state are not those of the motions about it.
struct LinearisationLimits {
  bool has_no_slope = false;      ///< wheels hardly slip, where their creep law has no derivative
  bool friction_changes = false;  ///< along the track, under the vehicle
};

/// A wheelset that a track guides: what analyses of running vehicles ask of its force.
class RunsOnTrack {
 public:
  virtual ~RunsOnTrack() = default;
  virtual const Force& force() const = 0;
  /// The body that the wheels are on.
  virtual bodies::BodyIndex wheelset() const = 0;
  virtual RunningMotion running_motion(const bodies::Kinematics& kinematics,
                                       double speed) const = 0;
  /// "left", "left and right": the wheels that do not touch their rails; empty otherwise.
  virtual std::string unloaded_wheels(const bodies::Kinematics& kinematics) const = 0;
  /// Of the left and of the right wheel, what makes the forces in this state doubtful, and what to
  /// do: follows "t = 1 s, "; empty where nothing does.
  virtual std::array<std::string, 2> doubts(const bodies::Kinematics&) const { return {}; }
  /// Where it was along the track at t = 0, m.
  virtual double s_at_start() const = 0;
  /// What linear analyses leave out at places s of the vehicle's wheelsets, m.
  virtual LinearisationLimits linearisation_limits(const bodies::Kinematics&,
                                                   const std::vector<double>& /*places*/) const {
    return {};
  }
};

using Wheelsets = std::vector<const RunsOnTrack*>;

}  // namespace solidyn::forces
