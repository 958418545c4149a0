#include "solidyn/materials/voigt.h"

namespace solidyn::materials {

using Eigen::Matrix3d;

Matrix3d strain_tensor(const Vector6d& strain) {
  Matrix3d e;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kComponents[k];
    e(i, j) = e(j, i) = k < 3 ? strain[k] : 0.5 * strain[k];
  }
  return e;
}

Vector6d strain_vector(const Matrix3d& strain) {
  Vector6d e;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kComponents[k];
    e[k] = k < 3 ? strain(i, i) : strain(i, j) + strain(j, i);
  }
  return e;
}

Matrix6d strain_turn(const Matrix3d& R_AB) {
  Matrix6d T;
  for (int k = 0; k < 6; ++k)
    T.col(k) = strain_vector(R_AB * strain_tensor(Vector6d::Unit(k)) * R_AB.transpose());
  return T;
}

Matrix6d turned_stiffness(const Matrix6d& C_B, const Matrix3d& R_AB) {
  const Matrix6d T = strain_turn(R_AB.transpose());
  const Matrix6d C = T.transpose() * C_B * T;
  return 0.5 * (C + C.transpose());
}

}  // namespace solidyn::materials
