#pragma once
#include "model/bodies/beams/beam_section.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

/// Stiffness and mass per length of a section, as elements take them.
struct SectionProperties {
  beams::Section section;  ///< zero where its numbers are not those of a shape
  beams::Rigidity rigidity;
  double mass_per_length = 0.0;                                  ///< kg/m
  Eigen::Vector3d inertia_per_length = Eigen::Vector3d::Zero();  ///< about x, y and z, kg m
};

/// For the shape of a section: 0 of materials with directions, which properties_of() refuses.
double poissons_ratio_of(const MaterialDescription& material);

/// @throws base::InputError for a material with directions
SectionProperties properties_of(const beams::Section& section, const MaterialDescription& material);

/// @param material not looked at where the section has its own stiffness
SectionProperties properties_of(const SectionDescription& section,
                                const MaterialDescription& material);

}  // namespace solidyn::model
