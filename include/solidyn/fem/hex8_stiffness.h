#pragma once
#include "solidyn/fem/solid_element.h"

namespace solidyn::fem {

/// How the stiffness of 8-node hexahedra is made; all three with the same 2 x 2 x 2 points.
enum class Hex8Formulation {
  standard,            ///< trilinear: too stiff in bending and near incompressibility
  b_bar,               ///< volume change taken as the element's mean (Hughes 1980)
  incompatible_modes,  ///< QM6: three quadratic modes more per component (Taylor et al. 1976)
};

/// K of a hex8 [24 x 24], N/m, dofs node by node.
///
/// b_bar: eps = dev(B u) + b_mean . u I / 3 with b_mean = (1/V) int grad N dV, so that
///   K = K_standard + kappa (V b_mean b_mean^T - int b b^T dV),   kappa = lambda + 2 mu / 3
/// of an isotropic material; with directions, B of each point has its volume change replaced.
/// incompatible_modes: u = sum N_a u_a + sum_i (1 - xi_i^2) alpha_i, alpha condensed out. Gradients
/// of the modes are taken with the Jacobian of the element's centre, (det J_0 / det J) J_0^-T, so
/// that they integrate to zero and distorted meshes pass the patch test.
/// @param x [3 x 8] node positions, m
/// @return the smallest Jacobian determinant met; K is meaningless unless it is positive.
/// Local, no allocation, no throw. Proved by Hex8Contract.* and PatchTest.*.
double compute_hex8_stiffness(const ElementNodes<elements::Hex8>& x, const Elasticity& material,
                              Hex8Formulation formulation, ElementStiffness<elements::Hex8>& K);

/// Of incompatible_modes: row i is the gradient of (1 - xi_i^2) in x at the reference point `rst`.
Eigen::Matrix3d compute_hex8_mode_gradients(const ElementNodes<elements::Hex8>& x,
                                            const Eigen::Vector3d& rst);

/// Of incompatible_modes: alpha = A u, the amplitudes that the condensed modes take, mode by mode,
/// so that the displacement gradient is sum_a u_a grad N_a^T + sum_i alpha_i grad(mode i)^T.
/// @return A [9 x 24]
Eigen::Matrix<double, 9, 24> compute_hex8_mode_amplitudes(const ElementNodes<elements::Hex8>& x,
                                                          const Elasticity& material);

/// What a thermal strain, interpolated between the nodes, does to a hex8.
struct Hex8Thermal {
  ElementNodes<elements::Hex8> force;  ///< int B^T C eps_t dV less what the condensed modes take
  /// Of incompatible_modes: what the modes add to their amplitudes of the displacements.
  Eigen::Matrix<double, 9, 1> amplitudes;
  double energy;  ///< 1/2 int eps_t C eps_t dV, less that of the modes: at zero displacement
};

/// @param strains [6 x 8] at the nodes, mesh axes
Hex8Thermal compute_hex8_thermal(const ElementNodes<elements::Hex8>& x, const Elasticity& material,
                                 Hex8Formulation formulation,
                                 const Eigen::Matrix<double, 6, 8>& strains);

}  // namespace solidyn::fem
