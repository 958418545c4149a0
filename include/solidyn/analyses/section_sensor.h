#pragma once
#include "solidyn/analyses/sensors.h"
#include "solidyn/bodies/beam_body.h"

namespace solidyn::analyses {

/// Of a beam's section, in its axes: x along the beam.
enum class SectionComponent {
  axial,  ///< force, N; tension is positive
  shear_y,
  shear_z,
  torsion,  ///< moment, N m
  bending_y,
  bending_z,
  stress_max,  ///< along the beam, Pa: the largest of the section, and the least
  stress_min,
  stretch,  ///< strain
  strain_y,
  strain_z,
  twist,  ///< rad/m
  curvature_y,
  curvature_z
};

/// An element of a beam, and a fraction of its length.
struct SectionPlace {
  int element = 0;
  double fraction = 0.0;
  /// A joints::StrainConstraint that has the element's elastic forces; or kNoConstraint.
  bodies::ConstraintIndex constraint = bodies::kNoConstraint;
};

/// What the part of a beam beyond a section exerts on the part before, and how the section is
/// strained, more than as modelled. Columns are `name`, or `name` and a suffix for each.
/// @param beam must outlive the sensor  @pre stresses only of sections with known outer fibres
/// Proved by SectionForces.* (tests/verification/beams).
Sensor section_sensor(const std::string& name, const bodies::BeamBody& beam,
                      const SectionPlace& place, const std::vector<SectionComponent>& components);

}  // namespace solidyn::analyses
