#pragma once
#include <vector>

#include "solidyn/fem/hex8_stiffness.h"
#include "solidyn/fem/material.h"
#include "solidyn/fem/solid_element.h"

namespace solidyn::fem {

/// How strain is measured, and by which law of materials/laws.h stress follows; all three derive
/// from an energy, so that tangents are symmetric and internal forces have neither resultant nor
/// moment. Formulas in doc/theory/solid_kernels.md.
enum class SolidFormulation {
  st_venant_kirchhoff,  ///< total Lagrangian, W = 1/2 E:C:E; isotropic: lambda/2 tr(E)^2 + mu E:E
  neo_hookean,          ///< total Lagrangian, W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2
  corotational,         ///< linear element turned by the rotation of its mean deformation gradient
};

/// Viscous moduli, Pa s. Total Lagrangian: S_v = lame_lambda tr(dE/dt) I + 2 shear dE/dt with the
/// rate of Green-Lagrange strain (Kelvin-Voigt). Corotational: the linear element with these moduli
/// on the rate of the deformation that its own rotation leaves. Both are objective: no force from
/// a rigid velocity in any deformed state, no resultant, no moment, and dissipative.
struct Viscosity {
  double lame_lambda = 0.0;
  double shear = 0.0;
  double of_stiffness = 0.0;  ///< s, times the moduli of a material with directions; else unused

  /// Stiffness-proportional damping beta K, beta in s.
  static Viscosity proportional(const Material& material, double beta) {
    if (const IsotropicElastic* isotropic = material.isotropic())
      return {beta * isotropic->lame_lambda(), beta * isotropic->shear_modulus()};
    return {0.0, 0.0, beta};
  }
  /// One coefficient eta, Pa s: S_v = eta dE/dt.
  static Viscosity kelvin_voigt(double eta) { return {0.0, 0.5 * eta}; }
  bool is_zero() const { return lame_lambda == 0.0 && shear == 0.0 && of_stiffness == 0.0; }
};

/// In which the data of a kept tangent are held and its products within an element are summed;
/// vectors are in double precision.
enum class ProductPrecision { single_, double_ };

/// What a region of a body with several has instead of SolidOptions' own.
struct SolidRegion {
  Material material;
  Viscosity viscosity;
  Hex8Formulation hex8 = Hex8Formulation::standard;
  Hex20Integration hex20 = Hex20Integration::full;
};

struct SolidOptions {
  SolidFormulation formulation = SolidFormulation::corotational;
  Material material;
  Viscosity viscosity;
  /// How hex8 elements are made. b_bar and incompatible_modes are corotational only, and with
  /// viscosity proportional to the stiffness; anything else is refused with an InputError.
  Hex8Formulation hex8 = Hex8Formulation::standard;
  /// Of every formulation. With the reduced rule a row of single elements has motions without
  /// energy, as in the linear stiffness: see Hex20Integration.
  Hex20Integration hex20 = Hex20Integration::full;
  /// By mesh::ElementBlock::regions; empty: all elements are made as above.
  std::vector<SolidRegion> regions = {};
  /// Change of the temperature since the stress-free state, K, at the local nodes, ghosts included;
  /// empty: none. Materials expand by it (Material::expansion).
  Eigen::VectorXd temperature = {};
};

}  // namespace solidyn::fem
