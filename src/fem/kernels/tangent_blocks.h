#pragma once
#include "fem/kernels/pack.h"

namespace solidyn::fem {

/// One quadrature point's share in the tangent of a total Lagrangian element,
///   K_ab += u_a c1 u_b^T + u_b c2 u_a^T + (g_a . g_b) W + (g_a . h_b) I,
/// with the weight in c1, c2, W and h.
template <int n>
struct TangentPoint {
  Vector g[n], u[n], h[n];
  Pack c1, c2;
  Tensor W;
};

enum class HasW { no, yes };

/// Sums the shares of all points block by block: a block's nine accumulators stay in registers.
/// @param[out] blocks [n (n + 1) / 2] (a, b), b >= a
template <int n, HasW has_W>
void compute_blocks(const TangentPoint<n>* points, int n_points, Tensor* blocks) {
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b) {
      Tensor K;
      Pack diagonal = {};
      for (int q = 0; q < n_points; ++q) {
        const TangentPoint<n>& p = points[q];
        const Vector left = p.c1 * p.u[a], right = p.c2 * p.u[a];
        add_dyad(left, p.u[b], K);
        add_dyad(p.u[b], right, K);
        diagonal += dot(p.g[a], p.h[b]);
        if constexpr (has_W == HasW::yes) add(dot(p.g[a], p.g[b]), p.W, K);
      }
      *blocks++ = plus_diagonal(K, diagonal);
    }
}

/// Linear isotropic stiffness of rotated gradients u and weights w:
///   K_ab = lambda T + mu T^T + mu tr(T) I,   T = sum_q w u_a u_b^T.
/// @param u [n_points][n]     @param[out] blocks [n (n + 1) / 2]
template <int n>
void compute_linear_blocks(const Vector* u, const Pack* w, int n_points, const Pack& lame_lambda,
                           const Pack& mu, Tensor* blocks) {
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b) {
      Tensor T;
      for (int q = 0; q < n_points; ++q) add_dyad(w[q] * u[n * q + a], u[n * q + b], T);
      Tensor& K = *blocks++;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) K(i, j) = lame_lambda * T(i, j) + mu * T(j, i);
      K = plus_diagonal(K, mu * trace(T));
    }
}

}  // namespace solidyn::fem
