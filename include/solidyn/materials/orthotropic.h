#pragma once
#include <string>

#include "solidyn/materials/voigt.h"

namespace solidyn::materials {

/// Linear elasticity with three planes of symmetry, by engineering constants in the material axes
/// 1, 2, 3; the pairs of axes are 12, 13, 23, as Abaqus' ENGINEERING CONSTANTS and Nastran's MAT11
/// have them. nu_12 is the contraction along 2 under a stress along 1: nu_12 / E_1 = nu_21 / E_2.
struct OrthotropicElastic {
  Eigen::Vector3d youngs_moduli = Eigen::Vector3d::Zero();    ///< E_1, E_2, E_3, Pa, > 0
  Eigen::Vector3d poissons_ratios = Eigen::Vector3d::Zero();  ///< nu_12, nu_13, nu_23
  Eigen::Vector3d shear_moduli = Eigen::Vector3d::Zero();     ///< G_12, G_13, G_23, Pa, > 0
  double density = 0.0;                                       ///< kg/m^3, > 0

  /// Strain of unit stresses, in material axes.
  Matrix6d compliance() const;
  Matrix6d stiffness() const;
};

/// Throws InputError that lists every property outside its range, or that the ratios of contraction
/// leave no positive definite stiffness.
void check(const OrthotropicElastic& material, const std::string& name = "material");

}  // namespace solidyn::materials
