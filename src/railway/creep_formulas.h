#pragma once
#include "solidyn/math/dual.h"
#include "solidyn/railway/creep_law.h"

namespace solidyn::railway {

using math::Dual;
using math::value_of;

/// The state of a patch, and the forces in it, as numbers of a kind.
template <class S>
struct PatchState {
  S xi, eta, spin, N, mu, a, b;
};
template <class S>
struct PatchForce {
  S x, y, moment;
};
using CreepDual = Dual<kCreepVariables>;

PatchState<double> plain(const CreepState& state);
PatchState<CreepDual> with_derivatives(const CreepState& state);
Eigen::Vector3d plain(const PatchForce<double>& force);
CreepForce with_derivatives(const PatchForce<CreepDual>& force);

/// An entry of the catalogue from a struct with a template apply(PatchState<S>, CreepParameters).
template <class Formula>
CreepLaw entry(const char* name, const char* meaning) {
  return {name, meaning,
          [](const CreepState& state, const CreepParameters& parameters) {
            return with_derivatives(Formula::apply(with_derivatives(state), parameters));
          },
          [](const CreepState& state, const CreepParameters& parameters) {
            return plain(Formula::apply(plain(state), parameters));
          }};
}

/// F_x = -G a b c11 xi, F_y = -G a b (c22 eta + sqrt(ab) c23 spin),
/// M_z = G a b sqrt(ab) c23 eta - G (ab)^2 c33 spin
template <class S>
PatchForce<S> linear_force(const PatchState<S>& s, const CreepParameters& p) {
  using std::sqrt;
  const KalkerCoefficients& c = p.coefficients;
  const S ab = s.a * s.b, root = sqrt(ab), G_ab = p.shear_modulus * ab;
  return {-(G_ab * (c.c11 * s.xi)), -(G_ab * (c.c22 * s.eta + root * (c.c23 * s.spin))),
          G_ab * root * (c.c23 * s.eta) - G_ab * ab * (c.c33 * s.spin)};
}

CreepLaw linear_law();
CreepLaw shen_hedrick_elkins_law();
CreepLaw fastsim_law();
CreepLaw polach_law();

}  // namespace solidyn::railway
