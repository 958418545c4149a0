#pragma once
#include <optional>
#include <string>

#include "solidyn/base/error.h"
#include "solidyn/imported/units.h"
#include "solidyn/materials/voigt.h"

namespace solidyn::imported {

/// Linear elastic; a property that the file does not give is 0.
struct Material {
  std::string name;
  double youngs_modulus = 0.0;
  double poissons_ratio = 0.0;
  double density = 0.0;
  base::SourceLocation where;
  /// Of a material with directions, in its own axes, instead of the two constants (which are 0).
  std::optional<materials::Matrix6d> stiffness = {};
  /// Thermal strain per degree, in its own axes; shears are engineering ones.
  materials::Vector6d expansion = materials::Vector6d::Zero();
};

/// Numbers of the file become SI.
void convert_to_si(Material& material, const Units& units);

}  // namespace solidyn::imported
