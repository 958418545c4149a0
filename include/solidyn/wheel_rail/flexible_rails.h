#pragma once
#include <memory>
#include <vector>

#include "solidyn/bodies/frame.h"
#include "solidyn/track/irregularity.h"
#include "solidyn/track/sleeper_track.h"

namespace solidyn::wheel_rail {

/// Rails that bend, whose displacements are unknowns of a system: bodies::DisplacementNodes.
struct FlexibleRails {
  track::SleeperTrack track;
  std::vector<bodies::BodyIndex> nodes;  ///< of the track's nodes
};

/// What a rail is displaced by at a place, up and to the left, beside its irregularities; and the
/// velocities of its material there.
struct RailDeflection {
  track::Deviation up, left;
  double up_rate = 0.0, left_rate = 0.0;  ///< m/s
};

/// The element of both rails that a wheelset stands on, as it is displaced. Ways of bending are
/// counted over both rails: 2 rail + bending.
class RailsUnderWheels {
 public:
  static constexpr int kWays = track::SleeperTrack::kRails * track::kBendings;
  /// Coordinates of an element by the way of bending, in columns.
  using Coordinates = Eigen::Matrix<double, 4, kWays>;

  /// Takes the element at s, and its coordinates in this state. None outside of the part.
  void follow(const FlexibleRails& rails, double s, const bodies::Kinematics& kinematics);
  int element() const { return element_; }  ///< -1: none, rails are rigid there
  bool is_on() const { return element_ >= 0; }
  const Coordinates& displacements() const { return q_; }
  const Coordinates& rates() const { return v_; }

  track::SleeperTrack::Shape shape(const FlexibleRails& rails, double s) const {
    return rails.track.shape(element_, s);
  }
  /// Zero where there is none. @pre s in the element or close to it
  RailDeflection at(const FlexibleRails& rails, bool is_left, double s) const;

 private:
  int element_ = -1;
  Coordinates q_ = Coordinates::Zero(), v_ = Coordinates::Zero();
};

}  // namespace solidyn::wheel_rail
