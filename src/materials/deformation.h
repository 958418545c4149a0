#pragma once
#include "math/pack.h"

/// What laws are made of: deformation at one point of one element per lane.
namespace solidyn::materials {

using math::Pack;
using math::Tensor;
using math::Vector;

/// Deformation at one point and what the laws need of it.
struct Deformation {
  explicit Deformation(const Tensor& gradient) : F(gradient), cofactor_F(cofactor(F)) {
    J = determinant(F, cofactor_F);
  }
  Tensor F, cofactor_F;
  Pack J;
  Tensor inverse_transposed() const { return (1.0 / J) * cofactor_F; }
};

/// One quadrature point's share in the tangent of a total Lagrangian element with a law that has
/// few directions,
///   K_ab += u_a c1 u_b^T + u_b c2 u_a^T + (g_a . g_b) W + (g_a . h_b) I,
/// with the weight in c1, c2, W and h.
template <int n>
struct TangentPoint {
  Vector g[n], u[n], h[n];
  Pack c1, c2;
  Tensor W;
};

}  // namespace solidyn::materials
