#pragma once
#include <Eigen/Dense>

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

}  // namespace solidyn::fem
