#pragma once
#include "model/build_bodies.h"

namespace solidyn::model {

/// Where something between two places acts, in W at t = 0: `at`, else the origin of the first named
/// place.
Eigen::Vector3d joint_point(const std::optional<Eigen::Vector3d>& at,
                            const std::array<PlaceDescription, 2>& between,
                            const PlaceFinder& places);

}  // namespace solidyn::model
