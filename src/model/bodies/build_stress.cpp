#include "model/bodies/build_stress.h"

#include <fmt/format.h>

#include "model/bodies/flexible_source.h"
#include "model/language/spelling.h"
#include "solidyn/analyses/stress_sensor.h"
#include "solidyn/bodies/floating_frame_body.h"
#include "solidyn/bodies/solid_body.h"

namespace solidyn::model {
namespace {

// Collective. @param at_nodes (nodes of this rank) -> NodalStress
template <class AtNodes>
BuiltStress stress_of_nodal_body(const BodyDescription& d, const mesh::DistributedMesh& mesh,
                                 const AtNodes& at_nodes) {
  BuiltStress stress;
  for (const StressPlaceDescription& place : d.flexible.stress.places) {
    const std::string owner = fmt::format("bodies.{}.stress.places.{}", d.name, place.name);
    stress.places[place.name] = {at_nodes(mesh::select_nodes(mesh, owner, place.nodes)), mesh.comm};
  }
  if (d.flexible.stress.is_in_pictures) {
    stress.nodes = fem::find_surface_nodes(mesh);
    stress.in_pictures = at_nodes(stress.nodes);
  }
  return stress;
}

const BuiltBody& find_body(const BuiltModel& built, const std::string& name) {
  for (const BuiltBody& body : built.bodies)
    if (body.name == name) return body;
  throw std::logic_error("the loader let a sensor of an unknown body through");
}

std::vector<analyses::StressComponent> stress_components(const std::vector<Component>& components) {
  using Stress = analyses::StressComponent;
  static const std::map<Component, Stress> known = {{Component::xx, Stress::xx},
                                                    {Component::yy, Stress::yy},
                                                    {Component::zz, Stress::zz},
                                                    {Component::xy, Stress::xy},
                                                    {Component::yz, Stress::yz},
                                                    {Component::zx, Stress::zx},
                                                    {Component::von_mises, Stress::von_mises},
                                                    {Component::principal_1, Stress::principal_1},
                                                    {Component::principal_2, Stress::principal_2},
                                                    {Component::principal_3, Stress::principal_3}};
  std::vector<Stress> result;
  result.reserve(components.size());
  for (const Component c : components) result.push_back(known.at(c));
  return result;
}

}  // namespace

BuiltStress stress_of_modal_body(const reduction::ReducedBody& body) {
  BuiltStress stress;
  for (const reduction::StressPlace& place : body.stress.places)
    stress.places[place.name] = {bodies::modal_stress(place.S), MPI_COMM_SELF};
  stress.nodes = body.stress.nodes;
  if (body.stress.is_in_pictures) stress.in_pictures = bodies::modal_stress(body.stress.S);
  return stress;
}

BuiltStress stress_of_floating_frame_body(const fem::Sections& sections, const BodyDescription& d,
                                          const bodies::FloatingFrameBody& body) {
  return stress_of_nodal_body(d, body.mesh(), [&](std::vector<std::int32_t> nodes) {
    return bodies::floating_frame_stress(body, sections, std::move(nodes));
  });
}

BuiltStress stress_of_solid_body(const BodyDescription& d, const bodies::SolidBody& body) {
  return stress_of_nodal_body(d, body.mesh(), [&](std::vector<std::int32_t> nodes) {
    return bodies::solid_stress(body, std::move(nodes));
  });
}

analyses::Sensor make_stress_sensor(const SensorDescription& d, const BuiltModel& built) {
  const BuiltBody& body = find_body(built, d.body);
  const auto place = body.stress.places.find(d.place);
  if (place == body.stress.places.end()) {
    std::vector<std::string> known;
    for (const auto& [name, unused] : body.stress.places) known.push_back(name);
    throw base::InputError(
        fmt::format("sensors.{}.place: the stress of body `{}` has no place `{}`", d.name, d.body,
                    d.place),
        known.empty() ? "its reduced body has no stress modes: reduce it again with `stress: "
                        "{places: ...}` in the model file"
                      : suggestion(d.place, known, "there are"));
  }
  return analyses::stress_sensor(
      d.name, body.index, place->second.stress, place->second.comm,
      d.is_in_world_axes ? analyses::StressAxes::world : analyses::StressAxes::body,
      stress_components(d.components));
}

}  // namespace solidyn::model
