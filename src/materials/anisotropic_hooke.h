#pragma once
#include "materials/deformation.h"
#include "solidyn/materials/material.h"

namespace solidyn::materials {

/// sigma = C : e with 21 constants, each lane in its own axes: orthotropic and anisotropic
/// elasticity of elements whose material axes differ.
struct AnisotropicHooke {
  Pack C[6][6] = {};

  static bool takes(const Material& material) { return !material.is_isotropic(); }

  void set_lane(int lane, const Matrix6d& stiffness) {
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) C[i][j][lane] = stiffness(i, j);
  }

  Tensor stress(const Tensor& strain) const {
    Pack e[6];
    to_vector(strain, e);
    Tensor sigma;
    for (int k = 0; k < 6; ++k) {
      Pack s = {};
      for (int l = 0; l < 6; ++l) s += C[k][l] * e[l];
      const auto [i, j] = kComponents[k];
      sigma(i, j) = sigma(j, i) = s;
    }
    return sigma;
  }
  Pack twice_energy(const Tensor& strain) const { return contract(strain, stress(strain)); }

  /// The same material turned by R: R sigma(R^T e R) R^T.
  AnisotropicHooke turned(const Tensor& R) const {
    Pack T[6][6];
    for (int l = 0; l < 6; ++l) {
      Tensor unit;
      const auto [i, j] = kComponents[l];
      unit(i, j) = unit(j, i) = math::broadcast(l < 3 ? 1.0 : 0.5);
      Pack e[6];
      to_vector(transposed_times(R, unit * R), e);
      for (int k = 0; k < 6; ++k) T[k][l] = e[k];
    }
    AnisotropicHooke out;
    for (int l = 0; l < 6; ++l) {
      Pack CT[6];
      for (int k = 0; k < 6; ++k) {
        CT[k] = Pack{};
        for (int m = 0; m < 6; ++m) CT[k] += C[k][m] * T[m][l];
      }
      for (int k = 0; k <= l; ++k) {
        Pack sum = {};
        for (int m = 0; m < 6; ++m) sum += T[m][k] * CT[m];
        out.C[k][l] = out.C[l][k] = sum;
      }
    }
    return out;
  }

  /// Of the blocks T = sum_q w u_a u_b^T: K_ab(i, j) = sum C_ikjl T(k, l).
  Tensor block(const Tensor& T) const {
    Tensor K;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l) K(i, j) += C[kPlaces[i][k]][kPlaces[j][l]] * T(k, l);
    return K;
  }

  /// scale_a a + scale_b b
  static AnisotropicHooke combine(double scale_a, const AnisotropicHooke& a, double scale_b,
                                  const AnisotropicHooke& b) {
    AnisotropicHooke out;
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) out.C[i][j] = scale_a * a.C[i][j] + scale_b * b.C[i][j];
    return out;
  }

 private:
  // Engineering shears.
  static void to_vector(const Tensor& strain, Pack* e) {
    for (int k = 0; k < 6; ++k) {
      const auto [i, j] = kComponents[k];
      e[k] = k < 3 ? strain(i, j) : strain(i, j) + strain(j, i);
    }
  }
};

}  // namespace solidyn::materials
