#include "model/joint_frames.h"

namespace solidyn::model {

using Eigen::Vector3d;

Vector3d joint_point(const std::optional<Vector3d>& at,
                     const std::array<PlaceDescription, 2>& between, const PlaceFinder& places) {
  if (at) return *at;
  for (const PlaceDescription& place : between)
    if (place.kind != PlaceDescription::Kind::ground && place.kind != PlaceDescription::Kind::body)
      return places.position(place);
  return places.position(between[0]);
}

}  // namespace solidyn::model
