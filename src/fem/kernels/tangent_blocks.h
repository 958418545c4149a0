#pragma once
#include "fem/kernels/pack.h"
#include "materials/deformation.h"

namespace solidyn::fem {

using materials::TangentPoint;

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

/// One point's share for a law of any kind, K_ab(i, j) += sum_KL g_aK A_iKjL g_bL, where column
/// (j, L) of the modulus A = dP/dF is the change of P with dF = e_j e_L^T.
/// @param change [3][3] change[j][L](i, K), weight included   @param[in,out] blocks
template <int n>
void add_modulus_blocks(const Tensor change[3][3], const Vector* g, Tensor* blocks) {
  for (int a = 0; a < n; ++a) {
    Vector T[3][3];  // of (j, L)
    for (int j = 0; j < 3; ++j)
      for (int L = 0; L < 3; ++L) T[j][L] = change[j][L] * g[a];
    for (int b = a; b < n; ++b, ++blocks)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
          (*blocks)(i, j) += T[j][0][i] * g[b][0] + T[j][1][i] * g[b][1] + T[j][2][i] * g[b][2];
  }
}

/// Linear stiffness of rotated gradients u and weights w by a law of small strains in the same
/// axes: its blocks of T = sum_q w u_a u_b^T.
/// @param u [n_points][n]     @param[out] blocks [n (n + 1) / 2]
template <int n, class Hooke>
void compute_linear_blocks(const Vector* u, const Pack* w, int n_points, const Hooke& hooke,
                           Tensor* blocks) {
  for (int a = 0; a < n; ++a)
    for (int b = a; b < n; ++b) {
      Tensor T;
      for (int q = 0; q < n_points; ++q) add_dyad(w[q] * u[n * q + a], u[n * q + b], T);
      *blocks++ = hooke.block(T);
    }
}

}  // namespace solidyn::fem
