#include "solidyn/analyses/section_sensor.h"

#include <stdexcept>

#include "solidyn/joints/strain_constraint.h"

namespace solidyn::analyses {
namespace {

struct Column {
  const char *suffix, *unit;
};

Column column(SectionComponent c) {
  static const Column columns[] = {
      {".axial", "N"},         {".shear_y", "N"},      {".shear_z", "N"},     {".torsion", "N m"},
      {".bending_y", "N m"},   {".bending_z", "N m"},  {".stress_max", "Pa"}, {".stress_min", "Pa"},
      {".stretch", "1"},       {".shear_y", "1"},      {".shear_z", "1"},     {".twist", "rad/m"},
      {".curvature_y", "1/m"}, {".curvature_z", "1/m"}};
  return columns[static_cast<int>(c)];
}

double value_of(SectionComponent c, const bodies::SectionState& s, const beams::Section& section) {
  const auto stress = [&](double sign) {
    return s.force.x() / section.area +
           sign * beams::bending_stress(section, s.moment.y(), s.moment.z());
  };
  const auto from = [&](SectionComponent first) {
    return static_cast<int>(c) - static_cast<int>(first);
  };
  if (c < SectionComponent::torsion) return s.force[from(SectionComponent::axial)];
  if (c < SectionComponent::stress_max) return s.moment[from(SectionComponent::torsion)];
  if (c == SectionComponent::stress_max) return stress(1.0);
  if (c == SectionComponent::stress_min) return stress(-1.0);
  if (c < SectionComponent::twist) return s.stretch[from(SectionComponent::stretch)];
  return s.curvature[from(SectionComponent::twist)];
}

beams::Vector12 elastic_forces(const SensorContext& c, bodies::ConstraintIndex constraint) {
  if (constraint == bodies::kNoConstraint) return beams::Vector12::Zero();
  const bodies::Kinematics& k = c.system.kinematics();
  const joints::StrainConstraint* element = c.system.constraint(constraint).as_strains();
  if (!element) throw std::logic_error("a section's constraint is not that of its strains");
  return element->section_forces(k, c.state.t, k.multipliers[constraint]);
}

}  // namespace

Sensor section_sensor(const std::string& name, const bodies::BeamBody& beam,
                      const SectionPlace& place, const std::vector<SectionComponent>& components) {
  Sensor s;
  for (SectionComponent c : components)
    s.columns.push_back({components.size() == 1 ? name : name + column(c).suffix, column(c).unit});
  s.read = [=, &beam](const SensorContext& c, double* values) {
    const bodies::SectionState section = beam.section(
        place.element, place.fraction, c.system.gravity(), elastic_forces(c, place.constraint));
    for (SectionComponent component : components)
      *values++ = value_of(component, section, beam.data(place.element).section);
  };
  return s;
}

}  // namespace solidyn::analyses
