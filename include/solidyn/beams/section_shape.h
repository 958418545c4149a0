#pragma once
#include <variant>

#include "solidyn/beams/section.h"

namespace solidyn::beams {

/// Along y and z, m.
struct Rectangle {
  double width = 0.0, height = 0.0;
};
/// Full. m
struct Circle {
  double radius = 0.0;
};
/// Outer radius and thickness of the wall, m.
struct Tube {
  double radius = 0.0, wall = 0.0;
};
/// Flanges along y, web along z: sizes of the whole along y and z, and thicknesses, m.
struct ISection {
  double width = 0.0, height = 0.0;
  double flange = 0.0, web = 0.0;
};

/// What a section is, before its material is known: shear factors depend on Poisson's ratio. A
/// Section is one whose numbers are given.
using SectionShape = std::variant<Rectangle, Circle, Tube, ISection, Section>;

/// The section's numbers, by make_rectangle() and its like.
Section section_of(const SectionShape& shape, double poissons_ratio);

}  // namespace solidyn::beams
