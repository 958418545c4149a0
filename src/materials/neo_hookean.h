#pragma once
#include "materials/isotropic_hooke.h"

namespace solidyn::materials {

/// W = mu/2 (F:F - 3) - mu ln J + lambda/2 (ln J)^2, P = mu (F - F^-T) + lambda ln J F^-T.
/// Isotropic.
struct NeoHookean {
  using Small = IsotropicHooke;  ///< the law of small strains
  Pack lame_lambda, mu;

  static bool takes(const Material& material) { return material.is_isotropic(); }
  static NeoHookean make(const IsotropicHooke& small) { return {small.lame_lambda, small.mu}; }
  static constexpr const char* kName = "neo_hookean";

  Tensor first_piola(const Deformation& d) const {
    Tensor P = mu * d.F;
    add(lame_lambda * math::log(d.J) - mu, d.inverse_transposed(), P);
    return P;
  }

  Pack energy(const Deformation& d) const {
    const Pack log_J = math::log(d.J);
    return 0.5 * mu * (contract(d.F, d.F) - 3.0) - mu * log_J + 0.5 * lame_lambda * log_J * log_J;
  }

  /// dP = mu dF + (mu - lambda ln J) F^-T dF^T F^-T + lambda (F^-T : dF) F^-T
  Tensor first_piola_change(const Deformation& d, const Tensor& dF) const {
    const Tensor A = d.inverse_transposed();
    Tensor dP = mu * dF;
    add(mu - lame_lambda * math::log(d.J), times_transposed(A, dF) * A, dP);
    add(lame_lambda * contract(A, dF), A, dP);
    return dP;
  }

  /// K_ab = lambda u_a u_b^T + (mu - lambda ln J) u_b u_a^T + mu (g_a . g_b) I, u = F^-T g.
  static constexpr bool kHasFewDirections = true;
  static constexpr bool kHasW = false;
  template <int n>
  void fill(const Deformation& d, const Pack& w, TangentPoint<n>& p) const {
    const Tensor A = d.inverse_transposed();
    for (int a = 0; a < n; ++a) {
      p.u[a] = A * p.g[a];
      p.h[a] = (w * mu) * p.g[a];
    }
    p.c1 = w * lame_lambda;
    p.c2 = w * (mu - lame_lambda * math::log(d.J));
    p.W = {};
  }
};

}  // namespace solidyn::materials
