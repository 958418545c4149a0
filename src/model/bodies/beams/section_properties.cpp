#include "model/bodies/beams/section_properties.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"

namespace solidyn::model {

double poissons_ratio_of(const MaterialDescription& material) {
  const materials::IsotropicElastic* isotropic = material.solid.isotropic();
  return isotropic ? isotropic->poissons_ratio : 0.0;
}

SectionProperties properties_of(const beams::Section& s, const MaterialDescription& m) {
  const materials::IsotropicElastic* isotropic = m.solid.isotropic();
  if (!isotropic)
    throw base::InputError(
        fmt::format(
            "the material {} is orthotropic or anisotropic: beams need an isotropic material",
            m.name),
        "use a material with `youngs_modulus`, or a section of type stiffness", m.where);
  const double E = isotropic->youngs_modulus, G = isotropic->shear_modulus(),
               density = isotropic->density;
  SectionProperties properties;
  properties.section = s;
  properties.rigidity = {E * s.area, G * s.torsion_constant, E * s.I_y,
                         E * s.I_z,  G * s.area * s.shear_y, G * s.area * s.shear_z};
  properties.mass_per_length = density * s.area;
  properties.inertia_per_length = density * Eigen::Vector3d(s.I_y + s.I_z, s.I_y, s.I_z);
  return properties;
}

SectionProperties properties_of(const SectionDescription& d, const MaterialDescription& material) {
  SectionProperties properties;
  if (const beams::SectionShape* shape = d.shape())
    properties = properties_of(section_of(*shape, poissons_ratio_of(material)), material);
  else
    properties.rigidity = *d.rigidity();
  if (d.mass_per_length) properties.mass_per_length = *d.mass_per_length;
  if (d.mass_moments) properties.inertia_per_length = *d.mass_moments;
  return properties;
}

}  // namespace solidyn::model
