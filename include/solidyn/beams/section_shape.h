#pragma once
#include "solidyn/beams/section.h"

namespace solidyn::beams {

/// What a section is, before its material is known: shear factors depend on Poisson's ratio.
struct SectionShape {
  enum class Shape { rectangle, circle, tube, i_section, general };
  Shape shape = Shape::rectangle;
  double width = 0.0, height = 0.0;  ///< along y and z, m
  double radius = 0.0, wall = 0.0;   ///< outer radius, m
  double flange = 0.0, web = 0.0;    ///< thicknesses, m
  Section general;                   ///< of Shape::general
};

/// The section's numbers, by make_rectangle() and its like.
Section section_of(const SectionShape& shape, double poissons_ratio);

}  // namespace solidyn::beams
