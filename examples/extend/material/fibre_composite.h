#pragma once
#include <solidyn/materials/material.h>

/// An elastic solid with straight fibres along its first axis, alike in all directions across
/// (transversely isotropic): five constants.
struct FibreComposite {
  double E_along = 0.0, E_across = 0.0;  ///< Young's moduli, Pa
  double nu_along = 0.0;                 ///< contraction across under a stress along the fibres
  double nu_across = 0.0;                ///< contraction across under a stress across
  double G_along = 0.0;                  ///< shear modulus of planes that hold the fibres, Pa
  double density = 0.0;                  ///< kg/m^3

  /// Strain of unit stresses (xx, yy, zz, xy, yz, zx; engineering shears), fibres along x. 1/Pa
  solidyn::materials::Matrix6d compliance() const;
  /// With fibres along `direction`, of any length, in the axes of the mesh.
  /// @throws solidyn::base::InputError where the constants are of no solid, or there is no
  /// direction
  solidyn::materials::Material along(const Eigen::Vector3d& direction) const;
};
