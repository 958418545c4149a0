#pragma once
#include <Eigen/Dense>

#include "solidyn/materials/material.h"

namespace solidyn::fem {

/// Turns G_ab = int grad N_a grad N_b^T dV into K_ab = lambda G_ab + mu G_ab^T + mu tr(G_ab) I, in
/// place, for all pairs of n functions. @param[in,out] K [3n x 3n], symmetric
template <int n>
void turn_into_stiffness(double lambda, double mu, Eigen::Matrix<double, 3 * n, 3 * n>& K) {
  for (int b = 0; b < n; ++b)
    for (int a = 0; a <= b; ++a) {
      const Eigen::Matrix3d G = K.template block<3, 3>(3 * a, 3 * b);
      Eigen::Matrix3d block = lambda * G + mu * G.transpose();
      block.diagonal().array() += mu * G.trace();
      K.template block<3, 3>(3 * a, 3 * b) = block;
      K.template block<3, 3>(3 * b, 3 * a) = block.transpose();
    }
}

/// The same for any elasticity: K_ab(i, j) = sum C_ikjl G_ab(k, l).
template <int n>
void turn_into_stiffness(const materials::Elasticity& elasticity,
                         Eigen::Matrix<double, 3 * n, 3 * n>& K) {
  if (elasticity.is_isotropic())
    return turn_into_stiffness<n>(elasticity.lame_lambda(), elasticity.shear_modulus(), K);
  // Row 3 j + i, column 3 l + k: what G(k, l) gives K(i, j).
  const materials::Matrix6d& C = elasticity.stiffness();
  Eigen::Matrix<double, 9, 9> of_G;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          of_G(3 * j + i, 3 * l + k) = C(materials::kPlaces[i][k], materials::kPlaces[j][l]);
  for (int b = 0; b < n; ++b)
    for (int a = 0; a <= b; ++a) {
      const Eigen::Matrix3d G = K.template block<3, 3>(3 * a, 3 * b);
      Eigen::Matrix3d block;
      Eigen::Map<Eigen::Matrix<double, 9, 1>>(block.data()).noalias() =
          of_G.lazyProduct(Eigen::Map<const Eigen::Matrix<double, 9, 1>>(G.data()));
      K.template block<3, 3>(3 * a, 3 * b) = block;
      K.template block<3, 3>(3 * b, 3 * a) = block.transpose();
    }
}

}  // namespace solidyn::fem
