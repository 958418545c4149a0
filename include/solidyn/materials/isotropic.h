#pragma once
#include <string>

#include "solidyn/base/error.h"
#include "solidyn/materials/voigt.h"

namespace solidyn::materials {

/// Linear isotropic elasticity: sigma = lame_lambda tr(eps) I + 2 shear_modulus eps.
struct IsotropicElastic {
  double youngs_modulus = 0.0;  ///< Pa, > 0
  double poissons_ratio = 0.0;  ///< -1 < nu < 0.5
  double density = 0.0;         ///< kg/m^3, > 0

  double lame_lambda() const {
    return youngs_modulus * poissons_ratio /
           ((1.0 + poissons_ratio) * (1.0 - 2.0 * poissons_ratio));
  }
  double shear_modulus() const { return 0.5 * youngs_modulus / (1.0 + poissons_ratio); }
  Matrix6d stiffness() const;
};

/// Throws InputError that lists every property outside its range. `name` is the input's own.
void check(const IsotropicElastic& material, const std::string& name = "material");

}  // namespace solidyn::materials
