#include "model/bodies/beams/section_properties.h"

namespace solidyn::model {

SectionProperties properties_of(const beams::Section& s, const MaterialDescription& m) {
  const double E = m.youngs_modulus, G = 0.5 * E / (1.0 + m.poissons_ratio);
  SectionProperties properties;
  properties.section = s;
  properties.rigidity = {E * s.area, G * s.torsion_constant, E * s.I_y,
                         E * s.I_z,  G * s.area * s.shear_y, G * s.area * s.shear_z};
  properties.mass_per_length = m.density * s.area;
  properties.inertia_per_length = m.density * Eigen::Vector3d(s.I_y + s.I_z, s.I_y, s.I_z);
  return properties;
}

SectionProperties properties_of(const SectionDescription& d, const MaterialDescription& material) {
  SectionProperties properties;
  if (d.rigidity)
    properties.rigidity = *d.rigidity;
  else
    properties = properties_of(section_of(d, material.poissons_ratio), material);
  if (d.mass_per_length) properties.mass_per_length = *d.mass_per_length;
  if (d.mass_moments) properties.inertia_per_length = *d.mass_moments;
  return properties;
}

}  // namespace solidyn::model
