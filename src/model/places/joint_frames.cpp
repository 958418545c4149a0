#include "model/places/joint_frames.h"

namespace solidyn::model {

using Eigen::Matrix3d;
using Eigen::Vector3d;

TwoPoses poses_at(const std::optional<Vector3d>& at, const std::array<PlaceDescription, 2>& between,
                  const Matrix3d& R, const PlaceFinder& places) {
  if (at) return {{{*at, R}, {*at, R}}};
  const int first = between[0].has_own_pose() || !between[1].has_own_pose() ? 0 : 1;
  const int second = between[1].has_own_pose() ? 1 : 0;
  const Vector3d p = places.position(between[first]), q = places.position(between[second]);
  return {{{p, R}, {places.is_same_point(p, q) ? p : q, R}}};
}

void turn_to_own_axes(const std::array<PlaceDescription, 2>& between, const PlaceFinder& places,
                      TwoPoses& poses) {
  const Matrix3d R_A = places.orientation(between[0]);
  const Vector3d z_B = places.orientation(between[1]).col(2);
  poses[0].R = R_A;
  poses[1].R =
      Eigen::Quaterniond::FromTwoVectors(Vector3d(R_A.col(2)), z_B).toRotationMatrix() * R_A;
}

}  // namespace solidyn::model
