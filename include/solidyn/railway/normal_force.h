#pragma once

namespace solidyn::railway {

/// How a patch is damped: factors of Hertz' force by the rate of the approach, d' > 0 while it
/// grows.
struct NormalDamping {
  double loading = 0.0, unloading = 0.0;  ///< c, s/m, >= 0
  double blend_speed = 0.01;              ///< w, m/s, > 0: between them over -w to w
};

/// @throws base::InputError for damping that would make energy: all complaints
void check(const NormalDamping& damping);

/// N and its derivatives.
struct NormalForce {
  double value = 0.0;                       ///< N, >= 0
  double by_approach = 0.0, by_rate = 0.0;  ///< N/m, N s/m
  double by_stiffness = 0.0;                ///< m^1.5
};

/// Hertz' force with damping:
///   N = K d^1.5 g(d'),  g = 1 + p for p >= 0, exp(p) for p < 0,  p = c(d') d'
/// where c goes from unloading to loading by the cubic step. g is positive: surfaces never pull. (g
/// - 1) d' >= 0: with K d^1.5 as the derivative of the stored energy, every motion loses energy or
/// keeps it. g has a continuous derivative. Proved by NormalForce.*
/// @param stiffness K, N/m^1.5   @param approach d, m; none at or below zero   @param rate d', m/s
NormalForce normal_force(double stiffness, double approach, double rate,
                         const NormalDamping& damping);

}  // namespace solidyn::railway
