#include "model/sensors/read_force_sensors.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/joints/joint_freedoms.h"
#include "model/language/spelling.h"
#include "model/sensors/read_joint_sensor.h"

namespace solidyn::model {
namespace {

using Components = std::vector<Component>;

const Components kWrench = {Component::force_x,  Component::force_y,  Component::force_z,
                            Component::torque_x, Component::torque_y, Component::torque_z};

/// What no other type has.
Components own_components(ForceType type) {
  switch (type) {
    case ForceType::spring_damper:
      return {Component::length, Component::extension, Component::rate, Component::force};
    case ForceType::torsional_spring_damper:
      return {Component::angle, Component::extension, Component::rate, Component::torque};
    case ForceType::bushing:
      return {Component::displacement_x, Component::displacement_y, Component::displacement_z,
              Component::rotation_x,     Component::rotation_y,     Component::rotation_z};
    default:
      return {};
  }
}

/// Of what is possible the ones that the key `component` asks for; complains when there are none.
/// @param all what `all` means; empty where it has no meaning
Components chosen_components(const TableView& view, const Components& possible,
                             const Components& all, const std::string& owner) {
  const std::string word = view.text("component");
  if (word == "all") return all;
  std::vector<std::string> words;
  for (Component component : possible) {
    if (word == name(component)) return {component};
    words.emplace_back(name(component));
  }
  view.report().error(
      view.where("component"),
      fmt::format("{} is {}, which {} does not have", view.path("component"), word, owner),
      fmt::format("write {}{}", all.empty() ? "" : "all, ", listed(words)));
  return {};
}

Components drive_components(JointType type) {
  switch (type) {
    case JointType::rotation_drive:
      return {Component::torque, Component::power};
    case JointType::translation_drive:
    case JointType::distance_drive:
      return {Component::force, Component::power};
    default:
      return {Component::power};
  }
}

bool has_part(const JointForcesDescription& forces, JointForcePart part) {
  const auto any = [&](auto what) {
    return std::any_of(forces.along.begin(), forces.along.end(),
                       [&](const auto& along) { return (along.second.*what).has_value(); });
  };
  const bool spring = any(&CoordinateForcesDescription::spring);
  const bool limits = any(&CoordinateForcesDescription::limits);
  switch (part) {
    case JointForcePart::spring:
      return spring;
    case JointForcePart::limits:
      return limits;
    case JointForcePart::friction:
      return forces.friction.has_value();
    case JointForcePart::all:
      break;
  }
  return spring || limits || forces.friction;
}

/// Friction acts along all that a joint leaves free, but where no radius lets turning rub.
bool acts_along(const JointForcesDescription& forces, JointFreedom freedom, JointForcePart part) {
  const bool all = part == JointForcePart::all;
  if (forces.friction && (all || part == JointForcePart::friction) &&
      (freedom != JointFreedom::rotation || forces.friction->radius > 0.0))
    return true;
  const auto found = forces.along.find(freedom);
  if (found == forces.along.end()) return false;
  return (found->second.spring && (all || part == JointForcePart::spring)) ||
         (found->second.limits && (all || part == JointForcePart::limits));
}

Components joint_force_components(const JointDescription& joint) {
  Components components;
  if (has_coordinate(joint.type, JointCoordinate::translation) || slides_in_plane(joint.type))
    components.push_back(Component::force);
  if (has_coordinate(joint.type, JointCoordinate::angle) || joint.type == JointType::universal)
    components.push_back(Component::torque);
  return components;
}

void read_component_of_joint(const TableView& view, SensorDescription& sensor,
                             const JointDescription& joint) {
  const Components possible = joint_force_components(joint);
  if (possible.empty())
    return view.report().error(
        view.where("joint"),
        fmt::format("{}: `{}` is of type {}, which turns about no axis of its own",
                    view.path("joint"), joint.name, name(joint.type)),
        "remove it; what friction takes from the motion is in the energy balance");
  if (view.is_good("component"))
    sensor.components = chosen_components(view, possible, {}, "`" + joint.name + "`");
  else if (possible.size() == 1)
    sensor.components = possible;
  else
    view.report().error(view.where(), fmt::format("{} is missing", view.path("component")),
                        fmt::format("`{}` both slides and turns: write  component: force  or  "
                                    "component: torque",
                                    joint.name));
  if (sensor.components.empty()) return;
  const bool slides = sensor.components[0] == Component::force;
  if (slides) {
    read_along(view, sensor, joint);
    if (view.has("arm"))
      view.report().error(
          view.where("arm"),
          fmt::format("{} has no meaning: a force is along an axis", view.path("arm")),
          "remove it");
  } else {
    read_arm(view, sensor, joint);
    if (view.has("along"))
      view.report().error(
          view.where("along"),
          fmt::format("{} has no meaning: a torque is about an axis or an arm", view.path("along")),
          "remove it");
  }
  const bool is_wrong_already =
      slides ? slides_in_plane(joint.type) == (sensor.along == 2)
             : view.has("along") || (joint.type == JointType::universal && sensor.arm == 0);
  if (!is_wrong_already && !acts_along(joint.forces, freedom_of(sensor), sensor.part))
    view.report().error(view.where("joint"),
                        fmt::format("{}: nothing acts on `{}` along its {}", view.path("joint"),
                                    joint.name, name(freedom_of(sensor))),
                        "choose another `component`, `along` or `arm`");
}

}  // namespace

void read_force_sensor(const TableView& view, SensorDescription& sensor, const Names& names) {
  sensor.is_on_first = view.text("side") == "first";
  sensor.axes = chosen<analyses::ReactionAxes>(view.text("axes"),
                                               {{"world", analyses::ReactionAxes::world},
                                                {"first", analyses::ReactionAxes::first},
                                                {"second", analyses::ReactionAxes::second}});
  if (!view.is_good("force")) return;
  sensor.force = view.text("force");
  const auto found = names.forces.find(sensor.force);
  if (found == names.forces.end()) {
    std::vector<std::string> known;
    for (const auto& [force, type] : names.forces) known.push_back(force);
    view.report().error(view.where("force"),
                        fmt::format("{}: there is no force `{}`", view.path("force"), sensor.force),
                        known.empty() ? "declare it under `forces:`"
                                      : suggestion(sensor.force, known, "there are"));
    return;
  }
  if (found->second.empty()) return;  // a wrong type, of which there is a complaint
  for (ForceType type : {ForceType::spring_damper, ForceType::torsional_spring_damper,
                         ForceType::bushing, ForceType::expression, ForceType::plugin})
    if (found->second == name(type)) sensor.force_type = type;
  const Components own = own_components(sensor.force_type);
  Components possible = own;
  possible.insert(possible.end(), kWrench.begin(), kWrench.end());
  possible.insert(possible.end(), {Component::energy, Component::power});
  sensor.components = chosen_components(view, possible, own.empty() ? kWrench : own,
                                        fmt::format("a {}", name(sensor.force_type)));
}

void read_joint_force_sensor(const TableView& view, SensorDescription& sensor,
                             const ModelDescription& model, const Names& names) {
  const JointDescription* joint = find_referred_joint(view, "joint", model.joints);
  if (!joint) return;
  sensor.joint = joint->name;
  if (names.open_joints.count(joint->name)) return;
  for (JointForcePart part :
       {JointForcePart::spring, JointForcePart::limits, JointForcePart::friction})
    if (view.text("part") == name(part)) sensor.part = part;
  if (!has_part(joint->forces, sensor.part)) {
    const std::string part =
        sensor.part == JointForcePart::all ? "spring, limits or friction" : name(sensor.part);
    view.report().error(view.where("joint"),
                        fmt::format("{}: `{}` has no {}", view.path("joint"), joint->name, part),
                        fmt::format("declare it under joints.{}", joint->name));
    return;
  }
  read_component_of_joint(view, sensor, *joint);
}

void read_drive_sensor(const TableView& view, SensorDescription& sensor,
                       const ModelDescription& model, const Names& names) {
  const JointDescription* joint = find_referred_joint(view, "joint", model.joints);
  if (!joint) return;
  sensor.joint = joint->name;
  if (names.open_joints.count(joint->name)) return;
  if (family(joint->type) != JointFamily::drive) {
    view.report().error(view.where("joint"),
                        fmt::format("{}: `{}` is of type {}, which drives nothing",
                                    view.path("joint"), joint->name, name(joint->type)),
                        "name a drive, or use a sensor of type reaction");
    return;
  }
  const Components all = drive_components(joint->type);
  sensor.components = chosen_components(view, all, all, fmt::format("a {}", name(joint->type)));
}

}  // namespace solidyn::model
