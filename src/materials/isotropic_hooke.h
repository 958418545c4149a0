#pragma once
#include "materials/deformation.h"
#include "solidyn/materials/material.h"

namespace solidyn::materials {

/// sigma = lame_lambda tr(e) I + 2 mu e: one for all elements and all axes.
struct IsotropicHooke {
  Pack lame_lambda, mu;

  static bool takes(const Material& material) { return material.is_isotropic(); }
  static IsotropicHooke make(double lame_lambda, double mu) {
    return {math::broadcast(lame_lambda), math::broadcast(mu)};
  }

  Tensor stress(const Tensor& strain) const { return math::isotropic(lame_lambda, mu, strain); }
  Pack twice_energy(const Tensor& strain) const { return contract(strain, stress(strain)); }
  /// The same material turned by R.
  const IsotropicHooke& turned(const Tensor&) const { return *this; }

  /// Of the blocks T = sum_q w u_a u_b^T: K_ab = lambda T + mu T^T + mu tr(T) I.
  Tensor block(const Tensor& T) const {
    Tensor K;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K(i, j) = lame_lambda * T(i, j) + mu * T(j, i);
    return plus_diagonal(K, mu * trace(T));
  }

  /// scale_a a + scale_b b
  static IsotropicHooke combine(double scale_a, const IsotropicHooke& a, double scale_b,
                                const IsotropicHooke& b) {
    return {scale_a * a.lame_lambda + scale_b * b.lame_lambda, scale_a * a.mu + scale_b * b.mu};
  }
};

}  // namespace solidyn::materials
