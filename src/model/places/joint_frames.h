#pragma once
#include "model/bodies/build_bodies.h"

namespace solidyn::model {

/// A frame in W at t = 0.
struct FramePose {
  Eigen::Vector3d p;
  Eigen::Matrix3d R;
};
using TwoPoses = std::array<FramePose, 2>;

/// Where something between two places acts: both frames at `at`; else, where both places have poses
/// of their own and are not one point, each at its own origin; else both at the origin
/// of the one that has. Their axes are `R`.
TwoPoses poses_at(const std::optional<Eigen::Vector3d>& at,
                  const std::array<PlaceDescription, 2>& between, const Eigen::Matrix3d& R,
                  const PlaceFinder& places);

/// Turns both to the z axes of their places, without a turn of one relative to the other about
/// them.
void turn_to_own_axes(const std::array<PlaceDescription, 2>& between, const PlaceFinder& places,
                      TwoPoses& poses);

}  // namespace solidyn::model
