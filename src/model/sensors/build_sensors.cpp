#include "model/sensors/build_sensors.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/build_stress.h"
#include "model/contacts/build_contacts.h"
#include "model/forces/build_measures.h"
#include "model/joints/joint_coordinates.h"
#include "model/joints/joint_freedoms.h"
#include "model/sensors/build_expression_sensors.h"
#include "model/sensors/build_force_sensors.h"
#include "model/sensors/build_motion_sensor.h"
#include "model/sensors/build_section_sensor.h"
#include "solidyn/analyses/joint_sensors.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/solid_body.h"

namespace solidyn::model {
namespace {

std::vector<int> wrench_components(const std::vector<Component>& components) {
  std::vector<int> result;
  result.reserve(components.size());
  for (Component c : components)
    result.push_back(static_cast<int>(c) - static_cast<int>(Component::force_x));
  return result;
}

// The body with the masses that its frames carry; empty without a name.
std::vector<int> bodies_of(const BuiltModel& built, const std::string& name) {
  for (const BuiltBody& body : built.bodies) {
    if (body.name != name) continue;
    std::vector<int> bodies = body.carried_masses;
    bodies.push_back(body.index);
    return bodies;
  }
  return {};
}

// Of a body with nodes in absolute coordinates; null for the others.
std::pair<const bodies::SolidBody*, int> find_support(const BuiltModel& built,
                                                      const std::string& name) {
  for (const BuiltBody& body : built.bodies) {
    const auto* solid = dynamic_cast<const bodies::SolidBody*>(body.nodal);
    if (!solid) continue;
    const std::vector<std::string> names = solid->support_names();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return {solid, static_cast<int>(found - names.begin())};
  }
  return {nullptr, -1};
}

analyses::Sensor make_support_sensor(const SensorDescription& d, const BuiltModel& built) {
  const auto components = vector_components(d.components);
  const auto held = built.supports.find(d.support);
  if (held != built.supports.end())
    return analyses::support_force_sensor(d.name, held->second, components);
  const auto [body, index] = find_support(built, d.support);
  if (body) return analyses::support_force_sensor(d.name, *body, index, components);
  throw base::InputError(
      fmt::format("sensors.{}: the support `{}` holds a superelement, without a constraint to read",
                  d.name, d.support),
      "declare an interface in its place and hold it by a fixed joint with  share: false", d.where);
}

analyses::Sensor make_coordinate_sensor(const SensorDescription& d, BuiltModel& built) {
  const auto [link, coordinate] = coordinate_along(d.joint, freedom_of(d), built);
  return analyses::coordinate_sensor(d.name, link, coordinate,
                                     static_cast<analyses::Derivative>(d.derivative),
                                     d.wraps ? analyses::Turns::wrapped : analyses::Turns::counted);
}

analyses::Sensor make_sensor(const SensorDescription& d, const PlaceFinder& places,
                             BuiltModel& built) {
  const auto add_frame = [&](const PlaceDescription& place) {
    return built.system.add_frame(places.own_frame(place));
  };
  switch (d.type) {
    case SensorType::relative_displacement:
      if (d.body.empty())
        return analyses::chord_deflection_sensor(
            d.name, add_frame(d.of), add_frame(d.chord_places[0]), add_frame(d.chord_places[1]),
            d.about, d.normalised_by);
      return analyses::chord_deflection_sensor(
          d.name, add_frame(place_on(d.body, d.point)), add_frame(place_on(d.body, d.chord[0])),
          add_frame(place_on(d.body, d.chord[1])), d.about, d.normalised_by);
    case SensorType::position:
    case SensorType::velocity:
    case SensorType::acceleration:
    case SensorType::orientation:
    case SensorType::angular_velocity:
    case SensorType::angular_acceleration:
      return make_motion_sensor(d, places, built);
    case SensorType::joint_angle:
    case SensorType::joint_translation:
      return make_coordinate_sensor(d, built);
    case SensorType::reaction:
      return analyses::reaction_sensor(
          d.name, built.joints.at(d.joint),
          d.is_on_first ? analyses::JointSide::first : analyses::JointSide::second, d.axes,
          wrench_components(d.components));
    case SensorType::force:
      return make_force_sensor(d, built);
    case SensorType::joint_force:
      return make_joint_force_sensor(d, built);
    case SensorType::drive:
      return make_drive_sensor(d, built);
    case SensorType::expression:
      throw std::logic_error("expressions are built after the sensors that they use");
    case SensorType::contact:
      return make_contact_sensor(d, built);
    case SensorType::stress:
      return make_stress_sensor(d, built);
    case SensorType::section_force:
    case SensorType::section_strain:
      return make_section_sensor(d, places, built);
    case SensorType::support_force:
      return make_support_sensor(d, built);
    case SensorType::multiplier:
      return analyses::multiplier_sensor(d.name, built.joints.at(d.joint), d.index);
    case SensorType::energy:
      return analyses::energy_sensor(d.name, d.energy, bodies_of(built, d.body));
    case SensorType::momentum:
      return analyses::momentum_sensor(d.name, d.momentum, vector_components(d.components));
  }
  throw std::logic_error("unknown sensor type");
}

}  // namespace

void add_sensors(const ModelDescription& model, const PlaceFinder& places, BuiltModel& built) {
  std::vector<base::Diagnostic> errors;
  std::map<std::string, analyses::Sensor> of_names;
  for (const SensorDescription& d : model.sensors) {
    if (d.type == SensorType::expression) continue;
    try {
      of_names[d.name] = make_sensor(d, places, built);
    } catch (const base::InputError& e) {
      for (base::Diagnostic diagnostic : e.diagnostics()) {
        if (diagnostic.where.file.empty()) diagnostic.where = d.where;
        errors.push_back(std::move(diagnostic));
      }
    }
  }
  if (!errors.empty()) throw base::InputError(errors);
  for (const SensorDescription& d : model.sensors)
    built.sensors.push_back(d.type == SensorType::expression
                                ? make_expression_sensor(d, model, of_names)
                                : of_names.at(d.name));
}

}  // namespace solidyn::model
