#include "model/joints/joint_poses.h"

#include <fmt/format.h>

#include <cmath>

#include "model/places/axes.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The second arm of the cross is normal to the first and to the second shaft.
std::array<Matrix3d, 2> universal_axes(const JointDescription& joint) {
  const Matrix3d R_A = axes_along(joint.axis, joint.reference);
  const Vector3d z = joint.second_axis.value_or(*joint.axis);
  const Vector3d arm = z.cross(R_A.col(0));
  if (arm.norm() < 0.02)
    throw base::InputError(
        fmt::format("joints.{}: the arm of the cross on the first shaft is along the second shaft",
                    joint.name),
        "give another `reference`: the arm's direction, normal to the first shaft", joint.where);
  const Vector3d y = arm.normalized();
  Matrix3d R_B;
  R_B << y.cross(z), y, z;
  return {R_A, R_B};
}

std::array<Matrix3d, 2> constant_velocity_axes(const JointDescription& joint) {
  const Matrix3d R_A = axes_along(joint.axis, joint.reference);
  const Vector3d z = joint.second_axis.value_or(*joint.axis);
  return {R_A, Eigen::Quaterniond::FromTwoVectors(*joint.axis, z).toRotationMatrix() * R_A};
}

// z of the first and x of the second are what stays perpendicular.
std::array<Matrix3d, 2> perpendicular_axes(const JointDescription& joint) {
  const Matrix3d of_second = axes_along(joint.second_axis, joint.axis);
  Matrix3d R_B;
  R_B << of_second.col(2), of_second.col(1), -of_second.col(0);
  return {axes_along(joint.axis, joint.second_axis), R_B};
}

TwoPoses rolling_poses(const JointDescription& joint, const Vector3d& centre) {
  const Vector3d n = joint.normal, z = *joint.axis;
  const Vector3d touching = centre - joint.radius * (n - z * z.dot(n)).normalized();
  return {{{joint.plane_at.value_or(touching), axes_along(n, joint.reference)},
           {centre, axes_along(z, std::nullopt)}}};
}

// The first frame's origin moves to where the second's is, as far as the joint lets it: so
// translations are zero as drawn.
void take_up_slides(const JointDescription& joint, TwoPoses& poses) {
  const Matrix3d& R = poses[0].R;
  const Vector3d apart = R.transpose() * (poses[1].p - poses[0].p);
  if (has_coordinate(joint.type, JointCoordinate::translation)) poses[0].p += R.col(2) * apart.z();
  if (joint.type == JointType::planar || joint.type == JointType::point_on_plane)
    poses[0].p += R.leftCols<2>() * apart.head<2>();
}

// A weld and a drive hold their places as they are drawn.
bool holds_as_drawn(const JointDescription& joint) {
  return joint.type == JointType::fixed || family(joint.type) == JointFamily::drive;
}

TwoPoses usual_poses(const JointDescription& joint, const PlaceFinder& places) {
  TwoPoses poses =
      poses_at(joint.at, joint.between, axes_along(joint.axis, joint.reference), places);
  if (turns_by_own_axes(joint)) turn_to_own_axes(joint.between, places, poses);
  if (holds_as_drawn(joint))
    poses[1].p = poses[0].p;
  else
    take_up_slides(joint, poses);
  return poses;
}

TwoPoses with_axes(TwoPoses poses, const std::array<Matrix3d, 2>& axes) {
  for (int i = 0; i < 2; ++i) poses[i].R = axes[i];
  return poses;
}

}  // namespace

TwoPoses poses_of(const JointDescription& joint, const PlaceFinder& places) {
  const Matrix3d I = Matrix3d::Identity();
  switch (joint.type) {
    case JointType::universal:
      return with_axes(usual_poses(joint, places), universal_axes(joint));
    case JointType::constant_velocity:
      return with_axes(usual_poses(joint, places), constant_velocity_axes(joint));
    case JointType::perpendicular_axes:
      return with_axes(usual_poses(joint, places), perpendicular_axes(joint));
    case JointType::rolling:
      return rolling_poses(joint, joint.at.value_or(places.position(joint.between[1])));
    case JointType::distance:
    case JointType::distance_drive:
      return {{{joint.at.value_or(places.position(joint.between[0])), I},
               {joint.to.value_or(places.position(joint.between[1])), I}}};
    default:
      return usual_poses(joint, places);
  }
}

namespace {

// rad
constexpr double kSameDirection = 1e-6;

struct Gap {
  double distance = 0.0, angle = 0.0;
};

// Between the frames that the joint holds together, where each place has its own.
Gap drawn_gap(const JointDescription& joint, const PlaceFinder& places) {
  const bool is_between_points =
      joint.type == JointType::distance || joint.type == JointType::rolling ||
      family(joint.type) != JointFamily::joint || joint.type == JointType::parallel_axes ||
      joint.type == JointType::perpendicular_axes || joint.type == JointType::orientation;
  Gap gap;
  if (!joint.between[0].has_own_pose() || !joint.between[1].has_own_pose()) return gap;
  if (!is_between_points && !joint.at) {
    const TwoPoses poses = joint.type == JointType::fixed
                               ? poses_at(joint.at, joint.between, Matrix3d::Identity(), places)
                               : poses_of(joint, places);
    gap.distance = (poses[1].p - poses[0].p).norm();
  }
  const bool turns_freely =
      joint.type == JointType::point_on_line || joint.type == JointType::point_on_plane;
  if (turns_by_own_axes(joint) && !turns_freely) {
    const TwoPoses poses = poses_of(joint, places);
    const Vector3d z_A = poses[0].R.col(2), z_B = poses[1].R.col(2);
    gap.angle = std::atan2(z_A.cross(z_B).norm(), z_A.dot(z_B));
  }
  return gap;
}

}  // namespace

void check_gaps(const ModelDescription& model, const PlaceFinder& places) {
  std::vector<base::Diagnostic> errors;
  for (const JointDescription& joint : model.joints) {
    const Gap gap = drawn_gap(joint, places);
    if (gap.distance == 0.0 && gap.angle <= kSameDirection) continue;
    // Axes in one line satisfy the joint either way round, and the nearer way is taken.
    if (gap.angle >= 0.5 * M_PI) {
      errors.push_back(
          {joint.where,
           fmt::format("joints.{}: the z axes of its two places are {:.3g} deg apart as "
                       "drawn, so that they would come together the wrong way round",
                       joint.name, gap.angle * 180.0 / M_PI),
           "turn one of the two places, or give the `axis`"});
      continue;
    }
    const std::string how_far = fmt::format(
        "{:.3g} m{}", gap.distance,
        gap.angle > kSameDirection ? fmt::format(" and {:.3g} deg", gap.angle * 180.0 / M_PI) : "");
    if (joint.type == JointType::fixed)
      base::log_warning(
          "joints.{}: its two places are {} apart as drawn, and are welded so; if that is meant, "
          "say where by `at`",
          joint.name, how_far);
    else
      base::log_warning(
          "joints.{}: its two places are {} apart as drawn, and are brought together at the start; "
          "to join them as they are drawn give the {}",
          joint.name, how_far,
          joint.type == JointType::parallel_axes ? "direction by `axis`"
                                                 : "point by `at` (and the axis by `axis`)");
  }
  if (!errors.empty()) throw base::InputError(errors);
}

}  // namespace solidyn::model
