#pragma once
#include <string>

#include "solidyn/materials/voigt.h"

namespace solidyn::materials {

/// Linear elasticity without any symmetry: 21 constants, in material axes.
struct AnisotropicElastic {
  Matrix6d moduli = Matrix6d::Zero();  ///< Pa, symmetric, positive definite
  double density = 0.0;                ///< kg/m^3, > 0

  const Matrix6d& stiffness() const { return moduli; }
};

/// Throws InputError for a stiffness that is not symmetric and positive definite, and a density.
void check(const AnisotropicElastic& material, const std::string& name = "material");

}  // namespace solidyn::materials
