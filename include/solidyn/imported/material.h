#pragma once
#include <string>

#include "solidyn/base/error.h"
#include "solidyn/imported/units.h"

namespace solidyn::imported {

/// Linear isotropic; a property that the file does not give is 0.
struct Material {
  std::string name;
  double youngs_modulus = 0.0;
  double poissons_ratio = 0.0;
  double density = 0.0;
  base::SourceLocation where;
};

/// Numbers of the file become SI.
void convert_to_si(Material& material, const Units& units);

}  // namespace solidyn::imported
