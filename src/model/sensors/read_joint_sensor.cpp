#include "model/sensors/read_joint_sensor.h"

#include <fmt/format.h>

#include <algorithm>

namespace solidyn::model {
namespace {

/// Rows of the constraint that a joint adds.
int n_multipliers(const JointDescription& joint) {
  switch (joint.type) {
    case JointType::fixed:
      return 6;
    case JointType::revolute:
    case JointType::prismatic:
    case JointType::screw:
      return 5;
    case JointType::cylindrical:
    case JointType::universal:
    case JointType::constant_velocity:
      return 4;
    case JointType::spherical:
    case JointType::planar:
    case JointType::orientation:
    case JointType::rolling:
      return 3;
    case JointType::point_on_line:
    case JointType::parallel_axes:
      return 2;
    case JointType::point_path:
      return static_cast<int>(std::count_if(joint.laws.begin(), joint.laws.end(),
                                            [](const auto& law) { return law.has_value(); }));
    case JointType::point_on_plane:
    case JointType::perpendicular_axes:
    case JointType::distance:
    case JointType::gear:
    case JointType::rack_and_pinion:
    case JointType::coupler:
    case JointType::rotation_drive:
    case JointType::translation_drive:
    case JointType::distance_drive:
      return 1;
  }
  return 0;
}

void refuse(const TableView& view, const JointDescription& joint, const char* lacks,
            const char* remedy) {
  view.report().error(view.where("joint"),
                      fmt::format("{}: `{}` is of type {}, which has no {}", view.path("joint"),
                                  joint.name, name(joint.type), lacks),
                      remedy);
}

void read_angle(const TableView& view, SensorDescription& sensor, const JointDescription& joint) {
  sensor.wraps = view.text("turns") == "wrapped";
  read_arm(view, sensor, joint);
  if (joint.type != JointType::universal && joint.type != JointType::rotation_drive &&
      !has_coordinate(joint.type, JointCoordinate::angle))
    refuse(view, joint, "angle",
           "name a revolute, cylindrical, planar, screw or universal joint or a rotation_drive");
}

void read_translation(const TableView& view, SensorDescription& sensor,
                      const JointDescription& joint) {
  if (slides_in_plane(joint.type) || joint.type == JointType::translation_drive ||
      has_coordinate(joint.type, JointCoordinate::translation))
    return read_along(view, sensor, joint);
  refuse(view, joint, "translation",
         "name a cylindrical, prismatic, planar, screw, point_on_line or point_on_plane joint or "
         "a translation_drive");
}

void read_reaction(const TableView& view, SensorDescription& sensor,
                   const JointDescription& joint) {
  sensor.is_on_first = view.text("side") == "first";
  sensor.axes = chosen<analyses::ReactionAxes>(view.text("axes"),
                                               {{"world", analyses::ReactionAxes::world},
                                                {"first", analyses::ReactionAxes::first},
                                                {"second", analyses::ReactionAxes::second}});
  if (family(joint.type) == JointFamily::coupling)
    refuse(view, joint, "single place where it acts",
           "use a sensor of type multiplier: each joint is acted on by it times the term's factor");
}

}  // namespace

bool slides_in_plane(JointType type) {
  return type == JointType::planar || type == JointType::point_on_plane;
}

void read_arm(const TableView& view, SensorDescription& sensor, const JointDescription& joint) {
  const bool is_universal = joint.type == JointType::universal;
  if (view.is_good("arm")) sensor.arm = view.text("arm") == "second" ? 2 : 1;
  if (view.has("arm") && !is_universal)
    view.report().error(view.where("arm"),
                        fmt::format("{}: `{}` is of type {}, which has no cross", view.path("arm"),
                                    joint.name, name(joint.type)),
                        "remove it, or name a universal joint");
  if (is_universal && !view.has("arm"))
    view.report().error(view.where(), fmt::format("{} is missing", view.path("arm")),
                        "a universal joint turns about two arms: say  arm: first  or  arm: second");
}

void read_along(const TableView& view, SensorDescription& sensor, const JointDescription& joint) {
  const std::string word = view.text("along");
  sensor.along = word[0] - 'x';
  const bool in_plane = slides_in_plane(joint.type);
  if (in_plane != (sensor.along == 2)) return;
  view.report().error(
      view.where("along"),
      fmt::format("{} is {}: `{}`, of type {}, does not move so", view.path("along"), word,
                  joint.name, name(joint.type)),
      in_plane ? "write  along: x  or  along: y" : "write  along: z, or leave it out");
}

void read_joint_sensor(const TableView& view, SensorDescription& sensor,
                       const ModelDescription& model, const Names& names) {
  const JointDescription* joint = find_referred_joint(view, "joint", model.joints);
  if (!joint) return;
  sensor.joint = joint->name;
  if (names.open_joints.count(joint->name)) return;
  if (sensor.type == SensorType::joint_angle || sensor.type == SensorType::joint_translation)
    sensor.derivative =
        chosen<int>(view.text("quantity"), {{"position", 0}, {"velocity", 1}, {"acceleration", 2}});
  if (sensor.type == SensorType::joint_angle) read_angle(view, sensor, *joint);
  if (sensor.type == SensorType::joint_translation) read_translation(view, sensor, *joint);
  if (sensor.type == SensorType::reaction) read_reaction(view, sensor, *joint);
  if (sensor.type != SensorType::multiplier) return;
  sensor.index = view.integer("index");
  const int n = n_multipliers(*joint);
  if (sensor.index >= n)
    view.report().error(view.where("index"),
                        fmt::format("{} is {}: a {} has {} multipliers", view.path("index"),
                                    sensor.index, name(joint->type), n),
                        fmt::format("count from 0 to {}", n - 1));
}

}  // namespace solidyn::model
