#pragma once
#include "model/joints/placed_joint.h"

/// Joints between two points.
namespace solidyn::model {

struct SecondPoint {
  std::optional<Eigen::Vector3d> to;  ///< world, t = 0, m; empty: the second place's origin
};
Field<SecondPoint> to_field();

/// The two points, with the axes of the world.
TwoPoses poses_of_points(const JointPlaces& joint, const SecondPoint& second,
                         const PlaceFinder& places);

/// Their distance as modelled. @throws base::InputError where they are one
double drawn_distance(const JointEntry& joint, const Eigen::Vector3d& drawn);

}  // namespace solidyn::model
