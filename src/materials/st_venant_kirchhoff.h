#pragma once
#include "materials/anisotropic_hooke.h"
#include "materials/isotropic_hooke.h"

namespace solidyn::materials {

/// Hooke's law between Green-Lagrange strain and second Piola stress: S = C : E, E = (F^T F - I) /
/// 2, isotropic or with directions.
template <class Hooke>
struct StVenantKirchhoff {
  using Small = Hooke;  ///< the law of small strains
  Hooke hooke;

  static bool takes(const Material& material) { return Hooke::takes(material); }
  static StVenantKirchhoff make(const Hooke& hooke) { return {hooke}; }
  static constexpr const char* kName = "st_venant_kirchhoff";

  static Tensor green_strain(const Deformation& d) {
    return 0.5 * plus_diagonal(transposed_times(d.F, d.F), -1.0);
  }
  Tensor second_piola(const Deformation& d) const { return hooke.stress(green_strain(d)); }
  Tensor first_piola(const Deformation& d) const { return d.F * second_piola(d); }

  Pack energy(const Deformation& d) const {
    const Tensor E = green_strain(d);
    if constexpr (std::is_same_v<Hooke, IsotropicHooke>)
      return 0.5 * hooke.lame_lambda * trace(E) * trace(E) + hooke.mu * contract(E, E);
    else
      return 0.5 * hooke.twice_energy(E);
  }

  /// dP for dF: dF S + F (C : dE), dE = sym(F^T dF)
  Tensor first_piola_change(const Deformation& d, const Tensor& dF) const {
    Tensor dP = material_change(d, dF);
    add(1.0, dF * second_piola(d), dP);
    return dP;
  }

  /// F (C : dE): without the change of direction of the stress, as viscosity has it.
  Tensor material_change(const Deformation& d, const Tensor& dF) const {
    return d.F * hooke.stress(symmetric_part(transposed_times(d.F, dF)));
  }

  /// Isotropic: K_ab = lambda u_a u_b^T + mu (u_b u_a^T + (g_a . g_b) F F^T) + (g_a . S g_b) I,
  /// u = F g.
  static constexpr bool kHasFewDirections = std::is_same_v<Hooke, IsotropicHooke>;
  static constexpr bool kHasW = true;
  template <int n>
  void fill(const Deformation& d, const Pack& w, TangentPoint<n>& p) const {
    const Tensor wS = w * second_piola(d);
    for (int a = 0; a < n; ++a) {
      p.u[a] = d.F * p.g[a];
      p.h[a] = wS * p.g[a];
    }
    p.c1 = w * hooke.lame_lambda;
    p.c2 = w * hooke.mu;
    p.W = (w * hooke.mu) * times_transposed(d.F, d.F);
  }
};

}  // namespace solidyn::materials
