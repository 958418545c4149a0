#pragma once
#include "solidyn/railway/wheel_on_rail.h"

namespace solidyn::railway {

/// A wheelset on two rails, both wheels touching, the axle across the track.
struct TwoSidedContact {
  double y = 0.0;     ///< of the wheelset's centre, to the left, m
  double roll = 0.0;  ///< about x, rad
  double z = 0.0;     ///< of its centre above the tops of the rails, m
  WheelRailContact left, right;
  double radius_difference() const { return left.radius - right.radius; }
};

class WheelsetOnTrack {
 public:
  WheelsetOnTrack(WheelOnRail left, WheelOnRail right);
  /// With both sides the mirror images of each other.
  explicit WheelsetOnTrack(const WheelOnRail& both) : WheelsetOnTrack(both, both) {}
  /// @throws base::ComputationError where there is none
  TwoSidedContact contact(double y) const;

 private:
  WheelOnRail left_, right_;
};

/// What a wheelset needs besides its profile.
struct WheelsetDimensions {
  double radius = 0.46;               ///< r0, m
  double flange_back = 1.36;          ///< distance between the backs of the flanges, m
  double back_to_tape_circle = 0.07;  ///< m
  double tape_circle() const { return 0.5 * flange_back + back_to_tape_circle; }
};

/// @throws base::InputError for dimensions that leave no clearance between flanges and rails
WheelsetOnTrack make_wheelset_on_track(const Profile& wheel, const WheelsetDimensions& dimensions,
                                       const Profile& rail, const RailPlacement& placement);

}  // namespace solidyn::railway
