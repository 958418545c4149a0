#include <fmt/format.h>

#include <cmath>

#include "model/joints/placed_joint.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"

namespace solidyn::model {
namespace {

// rad
constexpr double kSameDirection = 1e-6;

double angle_between_z(const TwoPoses& poses) {
  const Eigen::Vector3d z_A = poses[0].R.col(2), z_B = poses[1].R.col(2);
  return std::atan2(z_A.cross(z_B).norm(), z_A.dot(z_B));
}

}  // namespace

// Between the frames that the joint holds together, where each place has its own.
void PlacedJoint::check_gap(const PlaceFinder& places,
                            std::vector<base::Diagnostic>& errors) const {
  if (!between[0].has_own_pose() || !between[1].has_own_pose()) return;
  double distance = 0.0, angle = 0.0;
  if (type.family == JointFamily::joint && type.point == JointTraits::Point::needed && !at) {
    const TwoPoses drawn = holds_as_drawn()
                               ? poses_at(at, between, Eigen::Matrix3d::Identity(), places)
                               : poses(places);
    distance = (drawn[1].p - drawn[0].p).norm();
  }
  if (turns_by_own_axes() && type.own_axes == JointTraits::OwnAxes::in_line)
    angle = angle_between_z(poses(places));
  if (distance == 0.0 && angle <= kSameDirection) return;
  // Axes in one line satisfy the joint either way round, and the nearer way is taken.
  if (angle >= 0.5 * M_PI) {
    errors.push_back(
        {where,
         fmt::format(
             "joints.{}: the angle between the z axes of its two places is {:.3g} deg as modelled, so that they would be aligned in opposite directions",
             name, angle * 180.0 / M_PI),
         "rotate one of the two places, or give the `axis`"});
    return;
  }
  const std::string how_far = fmt::format(
      "{:.3g} m{}", distance,
      angle > kSameDirection ? fmt::format(" and {:.3g} deg", angle * 180.0 / M_PI) : "");
  if (holds_as_drawn())
    base::log_warning(
        "joints.{}: its two places are {} apart as modelled, and are fixed with this offset; if this is intended, give the point by `at`",
        name, how_far);
  else
    base::log_warning(
        "joints.{}: its two places are {} apart as modelled, and are brought together at the start; to connect them as modelled give the {}",
        name, how_far,
        type.point == JointTraits::Point::none ? "direction by `axis`"
                                               : "point by `at` (and the axis by `axis`)");
}

}  // namespace solidyn::model
