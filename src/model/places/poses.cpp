#include "model/places/poses.h"

#include <fmt/format.h>

#include "model/read.h"

namespace solidyn::model {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Quaterniond about(const Vector3d& axis, double angle) {
  return Quaterniond(Eigen::AngleAxisd(angle, axis));
}

void read_rotation_vector(Quaterniond& rotation, const TableView& view, const Scope&) {
  if (!view.is_good("vector")) return;
  const Vector3d v = view.vector("vector");
  if (!v.isZero(0.0)) rotation = about(v.normalized(), v.norm());
}

void read_axis_and_angle(Quaterniond& rotation, const TableView& view, const Scope&) {
  if (view.is_good("axis")) rotation = about(view.direction("axis"), view.number("angle"));
}

void read_quaternion(Quaterniond& rotation, const TableView& view, const Scope&) {
  if (!view.is_good("quaternion")) return;
  const std::vector<double> q = view.numbers("quaternion");
  const Quaterniond quaternion(q[0], q[1], q[2], q[3]);
  if (std::abs(quaternion.norm() - 1.0) <= 1e-3) {
    rotation = quaternion.normalized();
    return;
  }
  view.report().error(view.where("quaternion"),
                      fmt::format("{} has the norm {:g}: a rotation must have norm 1",
                                  view.path("quaternion"), quaternion.norm()),
                      "give [w, x, y, z] with w = cos(angle/2), the real part first");
}

void read_euler_angles(Quaterniond& rotation, const TableView& view, const Scope&) {
  if (!view.is_good("euler_xyz")) return;
  const Vector3d a = view.vector("euler_xyz");
  rotation = about(Vector3d::UnitX(), a.x()) * about(Vector3d::UnitY(), a.y()) *
             about(Vector3d::UnitZ(), a.z());
}

const Fields<Quaterniond>& rotation_fields() {
  using Self = Quaterniond;
  static const Fields<Self> list = {
      read_by<Self>(Key("vector", Form::vector, "rotation vector: axis times angle", "[0, 0, 1.57]")
                        .in(kAngle),
                    read_rotation_vector),
      read_by<Self>(Key("axis", Form::direction, "axis of rotation; give `angle` too", "[0, 0, 1]")
                        .with("angle"),
                    read_axis_and_angle),
      read_elsewhere<Self>(
          Key("angle", Form::number, "angle about `axis`", "1.57").in(kAngle).with("axis")),
      read_by<Self>(Key("quaternion", Form::vector,
                        "unit quaternion [w, x, y, z]; it is normalised", "[1, 0, 0, 0]")
                        .sized(4),
                    read_quaternion),
      read_by<Self>(
          Key("euler_xyz", Form::vector,
              "angles about the axes x, then the rotated y, then the rotated z: R = Rx Ry Rz",
              "[0, 0, 1.57]")
              .in(kAngle),
          read_euler_angles)};
  return list;
}

Field<PoseDescription> position_field(const char* meaning, const char* example) {
  return field(Key("position", Form::vector, meaning, example).in(kLength).or_default(),
               &PoseDescription::position);
}

Field<PoseDescription> rotation_field(const char* meaning) {
  return table_field(Key("rotation", Form::table, meaning, "{axis: [0, 0, 1], angle: 1.57}")
                         .holds(rotation_table()),
                     rotation_fields(), &PoseDescription::rotation);
}

Fields<PoseDescription> frame_pose_fields() {
  return {position_field("of the frame's origin, body axes", "[0.1, 0, 0]"),
          rotation_field("rotation from body axes to frame axes")};
}

}  // namespace

Quaterniond read_rotation(const TableView& view, const Scope& scope) {
  Quaterniond rotation = Quaterniond::Identity();
  read_fields(rotation_fields(), view, scope, rotation);
  return rotation;
}

const Fields<PoseDescription>& PoseDescription::fields() {
  static const Fields<PoseDescription> list = {
      position_field("of the body's origin, world axes", "[0, 0, 0]"),
      rotation_field("rotation from world axes to body axes")};
  return list;
}

const Fields<FrameDescription>& FrameDescription::fields() {
  static const Fields<FrameDescription> list =
      fields_of_member(frame_pose_fields(), &FrameDescription::pose);
  return list;
}

const Fields<VelocityDescription>& VelocityDescription::fields() {
  static const Fields<VelocityDescription> list = {
      field(Key("linear", Form::vector, "of the body's origin, world axes", "[0, 0, 0]")
                .in(kVelocity)
                .or_default(),
            &VelocityDescription::linear),
      field(
          Key("angular", Form::vector, "world axes", "[0, 0, 0]").in(kAngularVelocity).or_default(),
          &VelocityDescription::angular)};
  return list;
}

const TableSpec& rotation_table() {
  static const TableSpec table{
      "rotation", "A rotation, in exactly one of four ways.",   keys_of(rotation_fields()), "",
      false,      {"vector", "axis", "quaternion", "euler_xyz"}};
  return table;
}

const TableSpec& pose_table() {
  static const TableSpec table{"pose", "Pose of a body (or its mesh) in the world at t = 0.",
                               keys_of(PoseDescription::fields())};
  return table;
}

const TableSpec& frame_table() {
  static const TableSpec table{"frame", "A named frame on a rigid body, in body axes.",
                               keys_of(FrameDescription::fields())};
  return table;
}

const TableSpec& velocity_table() {
  static const TableSpec table{
      "velocity",
      "An estimate of the velocity at t = 0; it is made consistent with the joints before the first step.",
      keys_of(VelocityDescription::fields())};
  return table;
}

}  // namespace solidyn::model
