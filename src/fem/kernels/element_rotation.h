#pragma once
#include "fem/kernels/kernel_base.h"

namespace solidyn::fem {

/// Rotation of F's polar decomposition in each lane, by Newton's iteration for the orthogonal
/// factor with Higham's scaling (SIAM J. Sci. Stat. Comput. 7, 1986): quadratic, and orthogonal to
/// round-off whatever the strain. A lane with det F <= 0 is meaningless; `det` says so.
inline Tensor find_rotation(const Tensor& F, Pack& det) {
  constexpr int kMaxIterations = 20;   // 5 for strains of tens of percent
  constexpr double kTolerance = 1e-8;  // the next iterate, which is returned, has its square
  Tensor R = F;
  det = determinant(F, cofactor(F));
  for (int i = 0; i < kMaxIterations; ++i) {
    const Tensor c = cofactor(R);
    const Pack d = determinant(R, c);
    const Tensor inverse = (1.0 / d) * c;  // R^-T
    const Pack scale = sqrt(sqrt(contract(inverse, inverse) / contract(R, R)));
    Tensor next = 0.5 * scale * R;
    add(0.5 / scale, inverse, next);
    const Tensor change = next - R;
    R = next;
    if (largest(contract(change, change)) < kTolerance * kTolerance) break;
  }
  return R;
}

/// How an element with one rotation R moves, in world axes: what is common to all linear elements
/// that R turns. Formulas in doc/theory/solid_kernels.md.
template <int n>
struct ElementRotation {
  Tensor R;
  Vector mean_gradient[n];  ///< R gm_a
  Vector arm[n];            ///< y_a = x_a - x_0
  Tensor V;                 ///< Fm R^T, the mean left stretch
  Tensor inverse_D;         ///< of D = tr(V) I - V: axial(skew(theta) V) = D theta
  Pack det;                 ///< of Fm

  /// @param gm  mean gradients in the reference configuration
  ElementRotation(const Vector* x, const Vector* gm) {
    const Tensor Fm = gradient_of<n>(x, gm);
    R = find_rotation(Fm, det);
    V = symmetric_part(times_transposed(Fm, R));
    const Tensor D = -1.0 * plus_diagonal(V, -trace(V));
    const Tensor c = cofactor(D);
    inverse_D = (1.0 / determinant(D, c)) * c;  // D is symmetric
    for (int a = 0; a < n; ++a) {
      mean_gradient[a] = R * gm[a];
      arm[a] = x[a] - x[0];
    }
  }

  /// theta = D^-1 sum_a gm_a x v_a: how fast R turns when the nodes move with v.
  Vector find_spin(const Vector* v) const {
    Vector sum;
    for (int a = 0; a < n; ++a) add(cross(mean_gradient[a], v[a]), sum);
    return inverse_D * sum;
  }

  /// m that makes E + m . Psi stationary in R, and the moment matrix sum_a f0_a y_a^T.
  struct Stationarity {
    Vector m;
    Tensor M;
  };

  Stationarity make_stationary(const Vector* f0) const {
    Stationarity s;
    for (int a = 0; a < n; ++a) add_dyad(f0[a], arm[a], s.M);
    s.m = inverse_D * (-1.0 * axial(s.M));  // sum f x y = -axial(sum f y^T)
    return s;
  }

  /// f0 -> f = f0 + m x gm: what the turning of R adds.
  Stationarity add_rotation_force(Vector* f) const {
    const Stationarity s = make_stationary(f);
    for (int a = 0; a < n; ++a) add(cross(s.m, mean_gradient[a]), f[a]);
    return s;
  }

  /// A2 + A3 = sym(M) - tr(M) I + 1/2 (skew(m) V - V skew(m))
  Tensor geometric_part(const Stationarity& s) const {
    Tensor A = plus_diagonal(symmetric_part(s.M), -trace(s.M));
    add(1.0, symmetric_part(skew_times(s.m, V)), A);
    return A;
  }

  /// K0 -> tangent: K_ab = K0_ab + E_a skew(gm_b) + (E_b skew(gm_a))^T with
  ///   C = K0 Y - stiffness skew(f),   A = Y^T K0 Y + stiffness (A2 + A3),
  ///   E_a = C_a D^-1 - 1/2 skew(gm_a) D^-1 A D^-1.
  /// @param f0            elastic forces K0 d     @param C [n]  in: K0 Y     @param A  in: Y^T K0 Y
  /// @param[in,out] blocks [n (n + 1) / 2]
  void add_rotation_tangent(Vector* f0, double stiffness, Tensor* C, Tensor A,
                            Tensor* blocks) const {
    add(stiffness, geometric_part(add_rotation_force(f0)), A);
    const Tensor DAD = inverse_D * (A * inverse_D);
    for (int a = 0; a < n; ++a) {
      subtract_skew(stiffness * f0[a], C[a]);
      C[a] = C[a] * inverse_D;
      add(-0.5, skew_times(mean_gradient[a], DAD), C[a]);
    }
    for (int a = 0; a < n; ++a)
      for (int b = a; b < n; ++b) {
        const Tensor left = times_skew(C[a], mean_gradient[b]);
        const Tensor right = times_skew(C[b], mean_gradient[a]);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) (*blocks)(i, j) += left(i, j) + right(j, i);
        ++blocks;
      }
  }

  /// K0 (v + Y theta) -> tangent times v, theta = find_spin(v).
  /// @param f0 elastic forces K0 d     @param[in,out] y
  void add_rotation_product(const Vector* f0, double stiffness, const Vector* v,
                            const Vector& theta, Vector* y) const {
    const Stationarity s = make_stationary(f0);
    // t = Y^T K0 (v + Y theta) + stiffness (sum_a f_a x v_a + (A2 + A3) theta)
    Vector t = stiffness * (geometric_part(s) * theta);
    for (int a = 0; a < n; ++a) {
      const Vector f = f0[a] + cross(s.m, mean_gradient[a]);
      add(cross(y[a], arm[a]), t);
      add(stiffness, cross(f, v[a]), t);
      add(-stiffness, cross(f, theta), y[a]);
    }
    const Vector m = inverse_D * t;
    for (int a = 0; a < n; ++a) add(cross(m, mean_gradient[a]), y[a]);
  }

 private:
  static void subtract_skew(const Vector& a, Tensor& C) {
    C(0, 1) += a[2];
    C(1, 0) -= a[2];
    C(0, 2) -= a[1];
    C(2, 0) += a[1];
    C(1, 2) += a[0];
    C(2, 1) -= a[0];
  }
};

}  // namespace solidyn::fem
