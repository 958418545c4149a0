#include "model/joints/build_joints.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/build_superelements.h"
#include "model/joints/joint_coordinates.h"
#include "model/joints/joint_poses.h"
#include "solidyn/base/error.h"
#include "solidyn/joints/coupler.h"
#include "solidyn/joints/joint.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The path's axes are those of the first place itself.
std::array<bodies::Frame, 2> path_frames(const JointDescription& joint, const PlaceFinder& places) {
  bodies::Frame first = places.own_frame(joint.between[0]);
  first.name = joint.name + ".first";
  const Vector3d p = joint.at.value_or(places.position(joint.between[1]));
  return {first, places.frame(joint.between[1], joint.name + ".second", p, Matrix3d::Identity())};
}

std::array<bodies::Frame, 2> frames_of(const JointDescription& joint, const PlaceFinder& places) {
  if (joint.type == JointType::point_path) return path_frames(joint, places);
  const TwoPoses poses = poses_of(joint, places);
  return {places.frame(joint.between[0], joint.name + ".first", poses[0].p, poses[0].R),
          places.frame(joint.between[1], joint.name + ".second", poses[1].p, poses[1].R)};
}

std::array<int, 2> add_frames(const JointDescription& joint, const PlaceFinder& places,
                              BuiltModel& built) {
  if (!joint.joint.empty()) return built.joint_frames.at(joint.joint);
  std::array<int, 2> indices{};
  std::array<bodies::Frame, 2> frames = frames_of(joint, places);
  for (int i = 0; i < 2; ++i) {
    refuse_point_of_superelement(built, frames[i], joint.between[i]);
    indices[i] = built.system.add_frame(std::move(frames[i]));
  }
  return indices;
}

// Fixed joints that are shared nodes may have made one of two bodies.
void refuse_joint_within(const JointDescription& joint, int body_A, int body_B) {
  if (body_A != body_B) return;
  throw base::InputError(
      fmt::format("joints.{}: fixed joints already make one of the two places it connects",
                  joint.name),
      "remove it, or give one of these joints  share: false", joint.where);
}

// The ground holds such an interface already: of what both hold, each would take what it likes, and
// where they differ in the last digit of a position, nothing satisfies both.
void refuse_held_interface(const JointDescription& joint, const BuiltModel& built) {
  for (int i = 0; i < 2; ++i) {
    const PlaceDescription& place = joint.between[i];
    if (joint.between[1 - i].kind != PlaceDescription::Kind::ground) continue;
    const auto body = std::find_if(built.bodies.begin(), built.bodies.end(),
                                   [&](const BuiltBody& b) { return b.name == place.body; });
    if (body == built.bodies.end() || !body->reduced) continue;
    for (const reduction::ReducedSupport& support : body->reduced->supports)
      for (const std::string& name : support.interfaces)
        if (built.supports.count(support.name) && name == place.name)
          throw base::InputError(
              fmt::format("joints.{}: the support `{}` holds all nodes of the interface `{}.{}`, "
                          "which a joint to the ground cannot hold once more",
                          joint.name, support.name, place.body, place.name),
              "leave one of them out: a support holds more by its `fix` and moves by its "
              "`displacement`",
              joint.where);
  }
}

double drawn_distance(const JointDescription& joint, const PlaceFinder& places) {
  const TwoPoses poses = poses_of(joint, places);
  const double length = (poses[1].p - poses[0].p).norm();
  if (length < 1e-9)
    throw base::InputError(
        fmt::format("joints.{}: its two points are at one place as drawn", joint.name),
        "give the points by `at` and `to`, or use a spherical joint", joint.where);
  return joint.length.value_or(length);
}

Vector3d drawn_point(const JointDescription& joint, const PlaceFinder& places) {
  const Vector3d p = joint.at.value_or(places.position(joint.between[1]));
  return places.orientation(joint.between[0]).transpose() * (p - places.position(joint.between[0]));
}

joints::JointType catalogue_type(JointType type) {
  switch (type) {
    case JointType::fixed:
      return joints::JointType::fixed;
    case JointType::spherical:
      return joints::JointType::spherical;
    case JointType::revolute:
      return joints::JointType::revolute;
    case JointType::cylindrical:
      return joints::JointType::cylindrical;
    case JointType::prismatic:
      return joints::JointType::prismatic;
    case JointType::planar:
      return joints::JointType::planar;
    case JointType::universal:
      return joints::JointType::universal;
    case JointType::constant_velocity:
      return joints::JointType::constant_velocity;
    case JointType::point_on_line:
      return joints::JointType::point_on_line;
    case JointType::point_on_plane:
      return joints::JointType::point_on_plane;
    case JointType::parallel_axes:
      return joints::JointType::parallel_axes;
    case JointType::perpendicular_axes:
      return joints::JointType::perpendicular_axes;
    case JointType::orientation:
      return joints::JointType::orientation;
    default:
      throw std::logic_error("a joint with a dimension or a law is not made by its type alone");
  }
}

joints::JointRows rows_of(const JointDescription& joint, const PlaceFinder& places) {
  using Level = joints::Constraint::Level;
  const Level level = joint.level == DriveLevel::velocity ? Level::velocity : Level::position;
  switch (joint.type) {
    case JointType::screw:
      return joints::screw_rows(joint.pitch);
    case JointType::distance:
      return joints::distance_rows(drawn_distance(joint, places));
    case JointType::rolling:
      return joints::rolling_rows(joint.radius);
    case JointType::rotation_drive:
      return joints::rotation_drive_rows(*joint.laws[0], level);
    case JointType::translation_drive:
      return joints::translation_drive_rows(*joint.laws[0], level);
    case JointType::distance_drive: {
      const double drawn = drawn_distance(joint, places);
      return joints::distance_drive_rows(*joint.laws[0], level,
                                         joint.starts_as_drawn ? drawn : 0.0);
    }
    case JointType::point_path:
      return joints::point_path_rows(
          joint.laws, level,
          joint.starts_as_drawn ? drawn_point(joint, places) : Vector3d(Vector3d::Zero()));
    default:
      return joints::joint_rows(catalogue_type(joint.type));
  }
}

void add_coupling(const JointDescription& coupling, BuiltModel& built) {
  std::vector<joints::Coupler::Term> terms;
  for (const CouplingTerm& term : coupling.terms) {
    const auto freedom = term.coordinate == JointCoordinate::angle ? JointFreedom::rotation
                                                                   : JointFreedom::translation;
    const auto [link, coordinate] = coordinate_along(term.joint, freedom, built);
    terms.push_back({link, coordinate, term.factor, term.law});
  }
  built.joints[coupling.name] = built.system.add_constraint(std::make_unique<joints::Coupler>(
      "joint " + coupling.name, std::move(terms), coupling.constant));
}

}  // namespace

void add_joint(const JointDescription& joint, const PlaceFinder& places, BuiltModel& built) {
  if (family(joint.type) == JointFamily::coupling) return add_coupling(joint, built);
  refuse_held_interface(joint, built);
  const auto [A, B] = add_frames(joint, places, built);
  refuse_joint_within(joint, places.carrier_of_frame(A), places.carrier_of_frame(B));
  const joints::JointRows rows = rows_of(joint, places);
  // Tracked whether read or not: what a checkpoint holds must not depend on the sensors.
  if (joint.type == JointType::universal)
    for (int arm : {1, 2}) built.system.add_angle(A, B, bodies::angle_about_arm(arm));
  const bool turns =
      has_coordinate(joint.type, JointCoordinate::angle) || joint.type == JointType::rotation_drive;
  const int angle = turns ? built.system.add_angle(A, B) : -1;
  if (joint.type == JointType::rotation_drive && joint.level == DriveLevel::position)
    built.system.drive_angle(angle, *joint.laws[0]);
  built.joints[joint.name] = built.system.add_constraint(std::make_unique<joints::Joint>(
      "joint " + joint.name, built.system.link(A, B, angle), rows.primitives, rows.names));
  built.joint_frames[joint.name] = {A, B};
}

}  // namespace solidyn::model
