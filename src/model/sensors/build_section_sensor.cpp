#include "model/sensors/build_section_sensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/analyses/section_sensor.h"
#include "solidyn/bodies/beam_body.h"

namespace solidyn::model {
namespace {

using analyses::SectionComponent;
using analyses::SectionPlace;

// Of an element's length: closer to a node is at the node.
constexpr double kAtNode = 1e-9;

const BuiltBody& body_of(const SensorDescription& d, const BuiltModel& built) {
  for (const BuiltBody& body : built.bodies)
    if (body.name == d.body) return body;
  throw std::logic_error("the loader let a sensor of an unknown body through");
}

// The end of the element before the node, or the start of the one after it; at the beam's ends the
// one that there is.
SectionPlace at_node(const SensorDescription& d, const bodies::BeamBody& beam, int node) {
  const bool is_before = d.is_before.value_or(false);
  for (const bool is_end : {is_before, !is_before})
    for (int e = 0; e < beam.n_elements(); ++e)
      if ((is_end ? beam.data(e).q : beam.data(e).p) == node) return {e, is_end ? 1.0 : 0.0};
  throw std::logic_error("a node of a beam has no element");
}

SectionPlace at_point(const SensorDescription& d, const PlaceFinder& places,
                      const bodies::BeamBody& beam) {
  const bodies::Frame frame = places.own_frame(place_on(d.body, d.point));
  const auto& nodes = beam.nodes();
  const auto node = std::find(nodes.begin(), nodes.end(), frame.body);
  return at_node(d, beam, static_cast<int>(node - nodes.begin()));
}

SectionPlace at_fraction(const SensorDescription& d, const bodies::BeamBody& beam) {
  double whole = 0.0;
  for (int e = 0; e < beam.n_elements(); ++e) whole += beam.data(e).length;
  double left = d.fraction * whole;
  int e = 0;
  for (; e + 1 < beam.n_elements() && left > beam.data(e).length; ++e) left -= beam.data(e).length;
  const double x = left / beam.data(e).length;
  if (x < kAtNode) return at_node(d, beam, beam.data(e).p);
  if (x > 1.0 - kAtNode) return at_node(d, beam, beam.data(e).q);
  return {e, x};
}

std::vector<SectionComponent> section_components(const SensorDescription& d) {
  const bool is_force = d.type == SensorType::section_force;
  const std::map<Component, SectionComponent> known = {
      {Component::axial, SectionComponent::axial},
      {Component::shear_y, is_force ? SectionComponent::shear_y : SectionComponent::strain_y},
      {Component::shear_z, is_force ? SectionComponent::shear_z : SectionComponent::strain_z},
      {Component::torsion, SectionComponent::torsion},
      {Component::bending_y, SectionComponent::bending_y},
      {Component::bending_z, SectionComponent::bending_z},
      {Component::stress_max, SectionComponent::stress_max},
      {Component::stress_min, SectionComponent::stress_min},
      {Component::stretch, SectionComponent::stretch},
      {Component::twist, SectionComponent::twist},
      {Component::curvature_y, SectionComponent::curvature_y},
      {Component::curvature_z, SectionComponent::curvature_z}};
  std::vector<SectionComponent> components;
  for (Component component : d.components) components.push_back(known.at(component));
  return components;
}

}  // namespace

analyses::Sensor make_section_sensor(const SensorDescription& d, const PlaceFinder& places,
                                     const BuiltModel& built) {
  const BuiltBody& body = body_of(d, built);
  const auto& beam = dynamic_cast<const bodies::BeamBody&>(built.system.body(body.index));
  const auto on_line_of_mesh = body.sections.find(d.name);
  SectionPlace place = on_line_of_mesh != body.sections.end() ? on_line_of_mesh->second
                       : d.point.empty()                      ? at_fraction(d, beam)
                                                              : at_point(d, places, beam);
  place.constraint = body.strain_constraints[place.element];
  return analyses::section_sensor(d.name, beam, place, section_components(d));
}

}  // namespace solidyn::model
