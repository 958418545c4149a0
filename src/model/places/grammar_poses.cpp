#include "model/language/key.h"

namespace solidyn::model {
namespace {

KeySpec rotation_key(const char* meaning) {
  return Key("rotation", Form::table, meaning, "{axis: [0, 0, 1], angle: 1.57}")
      .holds(rotation_table());
}

}  // namespace

const TableSpec& rotation_table() {
  static const TableSpec table{
      "rotation",
      "A rotation, in exactly one of four ways.",
      {Key("vector", Form::vector, "rotation vector: axis times angle", "[0, 0, 1.57]").in(kAngle),
       Key("axis", Form::direction, "axis of rotation; give `angle` too", "[0, 0, 1]")
           .with("angle"),
       Key("angle", Form::number, "angle about `axis`", "1.57").in(kAngle).with("axis"),
       Key("quaternion", Form::vector, "unit quaternion [w, x, y, z]; it is normalised",
           "[1, 0, 0, 0]")
           .sized(4),
       Key("euler_xyz", Form::vector,
           "angles about the axes x, then the turned y, then the turned z: R = Rx Ry Rz",
           "[0, 0, 1.57]")
           .in(kAngle)},
      "",
      false,
      {"vector", "axis", "quaternion", "euler_xyz"}};
  return table;
}

const TableSpec& pose_table() {
  static const TableSpec table{
      "pose",
      "Where a body (or its mesh) is in the world at t = 0.",
      {Key("position", Form::vector, "of the body's origin, world axes", "[0, 0, 0]")
           .in(kLength)
           .or_else("[0, 0, 0]"),
       rotation_key("that turns world axes into body axes")}};
  return table;
}

const TableSpec& frame_table() {
  static const TableSpec table{
      "frame",
      "A named frame on a rigid body, in body axes.",
      {Key("position", Form::vector, "of the frame's origin, body axes", "[0.1, 0, 0]")
           .in(kLength)
           .or_else("[0, 0, 0]"),
       rotation_key("that turns body axes into the frame's axes")}};
  return table;
}

const TableSpec& velocity_table() {
  static const TableSpec table{
      "velocity",
      "A guess of the velocity at t = 0; it is made consistent with the joints before the first "
      "step.",
      {Key("linear", Form::vector, "of the body's origin, world axes", "[0, 0, 0]")
           .in(kVelocity)
           .or_else("[0, 0, 0]"),
       Key("angular", Form::vector, "world axes", "[0, 0, 0]")
           .in(kAngularVelocity)
           .or_else("[0, 0, 0]")}};
  return table;
}

}  // namespace solidyn::model
