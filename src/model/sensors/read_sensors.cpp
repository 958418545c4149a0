#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/read_stress.h"
#include "model/contacts/read_contacts.h"
#include "model/language/spelling.h"
#include "model/read.h"
#include "model/sensors/read_expression_sensors.h"
#include "model/sensors/read_force_sensors.h"
#include "model/sensors/read_joint_sensor.h"
#include "model/sensors/read_motion_sensor.h"
#include "model/sensors/read_section_sensor.h"

namespace solidyn::model {
namespace {

SensorType sensor_type(const std::string& word) {
  for (int i = 0; i <= static_cast<int>(SensorType::expression); ++i)
    if (word == name(static_cast<SensorType>(i))) return static_cast<SensorType>(i);
  return SensorType::position;
}

std::vector<Component> components_of(SensorType type, const std::string& word) {
  std::vector<Component> all = {Component::x, Component::y, Component::z};
  if (type == SensorType::reaction)
    all = {Component::force_x,  Component::force_y,  Component::force_z,
           Component::torque_x, Component::torque_y, Component::torque_z};
  if (word == "all") return all;
  all.push_back(Component::magnitude);
  for (Component component : all)
    if (word == name(component)) return {component};
  return {};
}

void require_interface(const TableView& view, const std::string& name,
                       const BodyDescription& body) {
  std::vector<std::string> known;
  for (const InterfaceDescription& interface : body.flexible.interfaces)
    known.push_back(interface.definition.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  view.report().error(
      view.where("chord"),
      fmt::format("{}: body `{}` has no interface `{}`", view.path("chord"), body.name, name),
      suggestion(name, known, "there are"));
}

void read_chord(const TableView& view, SensorDescription& sensor, const BodyDescription& body,
                bool interfaces_are_known) {
  if (view.is_good("chord")) {
    const std::vector<std::string> ends = view.texts("chord");
    sensor.chord = {ends[0], ends[1]};
    for (const std::string& end : ends)
      if (interfaces_are_known) require_interface(view, end, body);
    if (ends[0] == ends[1])
      view.report().error(view.where("chord"),
                          fmt::format("{} names `{}` twice", view.path("chord"), ends[0]),
                          "name two different interfaces");
    return;
  }
  if (view.has("chord")) return;
  const auto& interfaces = body.flexible.interfaces;
  if (interfaces.size() >= 2) {
    sensor.chord = {interfaces[0].definition.name, interfaces[1].definition.name};
  } else {
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("chord")),
        interfaces_are_known
            ? fmt::format("body `{}` has fewer than two interfaces: declare two", body.name)
            : "name two interfaces of the reduced body");
  }
}

/// Places of several bodies: of superelements in series, for example.
void read_displacement_across(const TableView& view, SensorDescription& sensor,
                              const ModelDescription& model, const Names& names) {
  if (!view.has("chord"))
    view.report().error(view.where(), fmt::format("{} is missing", view.path("chord")),
                        "give `body`, or name two places, for example  chord: [rod_1.left, "
                        "rod_4.right]");
  if (!view.is_good("chord") || !view.is_good("point")) return;
  sensor.of = read_place(view.text("point"), view.path("point"), view.where("point"), model, names,
                         false, view.report());
  const std::vector<std::string> ends = view.texts("chord");
  for (int i = 0; i < 2; ++i)
    sensor.chord_places[i] = read_place(ends[i], view.path("chord"), view.where("chord"), model,
                                        names, true, view.report());
}

void read_relative_displacement(const TableView& view, SensorDescription& sensor,
                                const ModelDescription& model, const Names& names) {
  sensor.about = view.direction("about");
  if (view.is_good("normalised_by")) sensor.normalised_by = view.number("normalised_by");
  if (!view.has("body")) return read_displacement_across(view, sensor, model, names);
  if (view.is_good("point")) sensor.point = view.text("point");
  const BodyDescription* body = find_referred_body(view, "body", model);
  if (!body) return;
  sensor.body = body->name;
  const bool is_open = names.open_bodies.count(body->name) > 0;
  if (body->type == BodyType::rigid) {
    if (!is_open)
      view.report().error(view.where("body"),
                          fmt::format("{}: `{}` is rigid", view.path("body"), body->name),
                          "name a flexible body");
    return;
  }
  read_chord(view, sensor, *body, !is_open);
  std::vector<std::string> known;
  for (const PointDescription& point : body->flexible.points) known.push_back(point.name);
  const bool is_known = std::find(known.begin(), known.end(), sensor.point) != known.end();
  if (view.is_good("point") && !is_open && !is_known)
    view.report().error(view.where("point"),
                        fmt::format("{}: body `{}` has no point `{}`", view.path("point"),
                                    body->name, sensor.point),
                        known.empty() ? fmt::format("declare it under bodies.{}.points", body->name)
                                      : suggestion(sensor.point, known, "there are"));
}

void read_support_sensor(const TableView& view, SensorDescription& sensor,
                         const ModelDescription& model) {
  if (!view.is_good("support")) return;
  sensor.support = view.text("support");
  std::vector<std::string> known;
  for (const SupportDescription& support : model.supports) known.push_back(support.name);
  if (std::find(known.begin(), known.end(), sensor.support) == known.end())
    view.report().error(
        view.where("support"),
        fmt::format("{}: there is no support `{}`", view.path("support"), sensor.support),
        known.empty() ? "declare it under `supports:`"
                      : suggestion(sensor.support, known, "there are"));
}

SensorDescription read_sensor(const std::string& name, const TableView& view,
                              const ModelDescription& model, const Names& names) {
  SensorDescription sensor;
  sensor.name = name;
  sensor.where = view.where();
  sensor.type = sensor_type(view.type());
  switch (sensor.type) {
    case SensorType::relative_displacement:
      read_relative_displacement(view, sensor, model, names);
      break;
    case SensorType::position:
    case SensorType::velocity:
    case SensorType::acceleration:
    case SensorType::angular_velocity:
    case SensorType::angular_acceleration:
      sensor.components = components_of(sensor.type, view.text("component"));
      [[fallthrough]];
    case SensorType::orientation:
      read_motion_sensor(view, sensor, model, names);
      break;
    case SensorType::reaction:
      sensor.components = components_of(sensor.type, view.text("component"));
      [[fallthrough]];
    case SensorType::joint_angle:
    case SensorType::joint_translation:
    case SensorType::multiplier:
      read_joint_sensor(view, sensor, model, names);
      break;
    case SensorType::stress:
      read_stress_sensor(view, sensor, model, names);
      break;
    case SensorType::contact:
      read_contact_sensor(view, sensor, model);
      break;
    case SensorType::force:
      read_force_sensor(view, sensor, names);
      break;
    case SensorType::joint_force:
      read_joint_force_sensor(view, sensor, model, names);
      break;
    case SensorType::drive:
      read_drive_sensor(view, sensor, model, names);
      break;
    case SensorType::section_force:
    case SensorType::section_strain:
      read_section_sensor(view, sensor, model, names);
      break;
    case SensorType::expression:
      read_measure(view, sensor);
      break;
    case SensorType::support_force:
      read_support_sensor(view, sensor, model);
      sensor.components = components_of(sensor.type, view.text("component"));
      break;
    case SensorType::momentum:
      sensor.momentum = view.text("kind") == "angular" ? analyses::MomentumPart::angular
                                                       : analyses::MomentumPart::linear;
      sensor.components = components_of(sensor.type, view.text("component"));
      break;
    case SensorType::energy: {
      const std::string kind = view.text("kind");
      sensor.energy = kind == "kinetic"     ? analyses::EnergyPart::kinetic
                      : kind == "strain"    ? analyses::EnergyPart::strain
                      : kind == "potential" ? analyses::EnergyPart::potential
                                            : analyses::EnergyPart::total;
      if (find_referred_body(view, "body", model)) sensor.body = view.text("body");
      break;
    }
  }
  return sensor;
}

}  // namespace

std::vector<SensorDescription> read_sensors(const TableView& file, const ModelDescription& model,
                                            const Names& names) {
  std::vector<SensorDescription> sensors;
  for (const auto& [name, view] : file.tables("sensors")) {
    if (view.type().empty()) continue;
    if (name == "time")
      view.report().error(view.where(), "sensors.time: `time` is the first column already",
                          "choose another name");
    sensors.push_back(read_sensor(name, view, model, names));
  }
  read_expression_sensors(file, sensors);
  return sensors;
}

}  // namespace solidyn::model
