#pragma once
#include "kernel_base.h"
#include "tangent_blocks.h"

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

/// One rotation R per element, of the mean deformation gradient Fm = sum x_a gm_a^T. With the
/// linear stiffness K0 turned by R, d = (x - x_0) - R (X - X_0) and Psi(R, x) = axial(R^T Fm) = 0,
///   E = 1/2 d^T K0 d,   L = E + m . Psi,   f = L_x,
/// where m makes L stationary in R, so that f includes the derivative of R. All vectors are in
/// world axes; doc/theory/solid_kernels.md derives the terms.
template <class Element, Shape shape>
class CorotationalKernel final : public KernelBase<Element, shape> {
  using Base = KernelBase<Element, shape>;
  using Base::geometry_;
  using Base::lame_lambda_;
  using Base::mu_;
  using Base::viscosity_;

 public:
  static constexpr int n = Element::n_nodes;

  CorotationalKernel(const PointTable<Element>& table, const SolidOptions& options)
      : Base(table, options),
        u_(n * table.points.size()),
        H_(table.points.size()),
        weights_(table.points.size()) {}

  Pack compute_force(std::size_t batch, const Vector* x, const Vector* v, Vector* f) override {
    Frame frame = make_frame(batch, x);
    Vector spin;
    if (v) spin = find_spin(frame, v);
    for (int a = 0; a < n; ++a) f[a] = {};
    for (int q = 0; q < this->n_points(); ++q) {
      Tensor sigma = isotropic(lame_lambda_, mu_, symmetric_part(H_[q]));
      if (v) add(1.0, viscous_stress(rate_of(v, spin, q)), sigma);
      add_products<n>(weights_[q] * sigma, &u_[n * q], f);
    }
    add_rotation_force(frame, f);
    return frame.det;
  }

  Pack compute_energy(std::size_t batch, const Vector* x, Pack& det) override {
    det = make_frame(batch, x).det;
    Pack energy = {};
    for (int q = 0; q < this->n_points(); ++q) {
      const Tensor strain = symmetric_part(H_[q]);
      energy += 0.5 * weights_[q] * contract(strain, isotropic(lame_lambda_, mu_, strain));
    }
    return energy;
  }

  Pack compute_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                       Tensor* blocks) override {
    const Frame frame = make_frame(batch, x);
    const Moduli moduli = combine(stiffness, damping);
    compute_linear_blocks<n>(u_.data(), weights_.data(), this->n_points(), moduli.lame_lambda,
                             moduli.mu, blocks);
    Vector f[n];
    const RotationTerms terms = compute_rotation_terms(frame, moduli, stiffness, f);
    // H_ab = K0_ab + E_a skew(gm_b) + (E_b skew(gm_a))^T,
    //   E_a = C_a D^-1 - 1/2 skew(gm_a) D^-1 A D^-1
    Tensor E[n];
    const Tensor DAD = frame.inverse_D * (terms.A * frame.inverse_D);
    for (int a = 0; a < n; ++a) {
      E[a] = terms.C[a] * frame.inverse_D;
      add(-0.5, skew_times(frame.mean_gradient[a], DAD), E[a]);
    }
    for (int a = 0; a < n; ++a)
      for (int b = a; b < n; ++b) {
        const Tensor left = times_skew(E[a], frame.mean_gradient[b]);
        const Tensor right = times_skew(E[b], frame.mean_gradient[a]);
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) (*blocks)(i, j) += left(i, j) + right(j, i);
        ++blocks;
      }
    return frame.det;
  }

  Pack apply_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                     const Vector* v, Vector* y) override {
    const Frame frame = make_frame(batch, x);
    const Moduli moduli = combine(stiffness, damping);
    const Vector theta = find_spin(frame, v);
    Vector f[n];
    for (int a = 0; a < n; ++a) f[a] = y[a] = {};
    for (int q = 0; q < this->n_points(); ++q) {
      add_products<n>(weights_[q] * isotropic(lame_lambda_, mu_, symmetric_part(H_[q])), &u_[n * q],
                      f);
      Tensor rate = gradient_of<n>(v, &u_[n * q]);
      add(-1.0, skew_times(theta, H_[q]), rate);
      add_products<n>(weights_[q] * isotropic(moduli.lame_lambda, moduli.mu, symmetric_part(rate)),
                      &u_[n * q], y);
    }
    const Stationarity s = make_stationary(frame, f);
    // t = Y^T K0 (v + Y theta) + sum_a f_a x v_a + (A2 + A3) theta
    Vector t = stiffness * (geometric_part(frame, s) * theta);
    for (int a = 0; a < n; ++a) {
      const Vector total = f[a] + cross(s.m, frame.mean_gradient[a]);
      add(cross(y[a], frame.arm[a]), t);
      add(stiffness, cross(total, v[a]), t);
      add(-stiffness, cross(total, theta), y[a]);
    }
    const Vector m = frame.inverse_D * t;
    for (int a = 0; a < n; ++a) add(cross(m, frame.mean_gradient[a]), y[a]);
    return frame.det;
  }

  void compute_stress(std::size_t batch, const Vector* x, Tensor* sigma, Pack* weight) override {
    make_frame(batch, x);
    for (int q = 0; q < this->n_points(); ++q) {
      sigma[q] = isotropic(lame_lambda_, mu_, symmetric_part(H_[q]));
      weight[q] = weights_[q];
    }
  }

 private:
  struct Moduli {
    Pack lame_lambda, mu;
  };

  struct Frame {
    Vector mean_gradient[n];  ///< R gm_a
    Vector arm[n];            ///< x_a - x_0
    Tensor V;                 ///< Fm R^T, the mean left stretch
    Tensor inverse_D;         ///< of D = tr(V) I - V: axial(skew(theta) V) = D theta
    Pack det;                 ///< of Fm
  };

  // m of L, and the moment matrix sum_a f_a y_a^T.
  struct Stationarity {
    Vector m;
    Tensor M;
  };

  struct RotationTerms {
    Tensor C[n];  ///< L_xR
    Tensor A;     ///< L_RR
  };

  Moduli combine(double stiffness, double damping) const {
    return {stiffness * lame_lambda_ + damping * viscosity_.lame_lambda,
            stiffness * mu_ + damping * viscosity_.shear};
  }

  Tensor viscous_stress(const Tensor& rate) const {
    return isotropic(broadcast(viscosity_.lame_lambda), broadcast(viscosity_.shear),
                     symmetric_part(rate));
  }

  // Finds R, and leaves rotated gradients u = R g, displacement gradients H = F R^T - I and weights
  // of all points in the workspace.
  Frame make_frame(std::size_t batch, const Vector* x) {
    Frame frame;
    compute_reference_gradients(batch, frame.mean_gradient);
    const Tensor Fm = gradient_of<n>(x, frame.mean_gradient);
    const Tensor R = find_rotation(Fm, frame.det);
    frame.V = symmetric_part(times_transposed(Fm, R));
    const Tensor D = -1.0 * plus_diagonal(frame.V, -trace(frame.V));
    const Tensor c = cofactor(D);
    frame.inverse_D = (1.0 / determinant(D, c)) * c;  // D is symmetric
    for (int a = 0; a < n; ++a) {
      frame.mean_gradient[a] = R * frame.mean_gradient[a];
      frame.arm[a] = x[a] - x[0];
    }
    for (int q = 0; q < this->n_points(); ++q) {
      Vector* u = &u_[n * q];
      for (int a = 0; a < n; ++a) u[a] = R * u[a];
      H_[q] = plus_diagonal(gradient_of<n>(frame.arm, u), -1.0);
    }
    return frame;
  }

  // u := reference gradients; weights, and the mean gradient.
  void compute_reference_gradients(std::size_t batch, Vector* mean) {
    Pack volume = {};
    for (int a = 0; a < n; ++a) mean[a] = {};
    for (int q = 0; q < this->n_points(); ++q) {
      weights_[q] = geometry_.compute_gradients(batch, q, &u_[n * q]);
      volume += weights_[q];
      for (int a = 0; a < n; ++a) add(weights_[q], u_[n * q + a], mean[a]);
    }
    for (int a = 0; a < n; ++a) mean[a] = (1.0 / volume) * mean[a];
  }

  // theta = D^-1 sum_a gm_a x v_a: how fast R turns when the nodes move with v.
  static Vector find_spin(const Frame& frame, const Vector* v) {
    Vector sum;
    for (int a = 0; a < n; ++a) add(cross(frame.mean_gradient[a], v[a]), sum);
    return frame.inverse_D * sum;
  }

  // Gradient of the deformation rate that R leaves: that of v less skew(theta) F R^T.
  Tensor rate_of(const Vector* v, const Vector& theta, int q) const {
    Tensor rate = gradient_of<n>(v, &u_[n * q]);
    add(-1.0, skew_times(theta, plus_diagonal(H_[q], 1.0)), rate);
    return rate;
  }

  static Stationarity make_stationary(const Frame& frame, const Vector* f) {
    Stationarity s;
    for (int a = 0; a < n; ++a) add_dyad(f[a], frame.arm[a], s.M);
    s.m = frame.inverse_D * (-1.0 * axial(s.M));  // sum f x y = -axial(sum f y^T)
    return s;
  }

  // f += m x gm: what the turning of R adds.
  static void add_rotation_force(const Frame& frame, Vector* f) {
    const Stationarity s = make_stationary(frame, f);
    for (int a = 0; a < n; ++a) add(cross(s.m, frame.mean_gradient[a]), f[a]);
  }

  // A2 + A3 = sym(M) - tr(M) I + 1/2 (skew(m) V - V skew(m))
  static Tensor geometric_part(const Frame& frame, const Stationarity& s) {
    Tensor A = plus_diagonal(symmetric_part(s.M), -trace(s.M));
    add(1.0, symmetric_part(skew_times(s.m, frame.V)), A);
    return A;
  }

  // C_a = (K0 Y)_a - stiffness skew(f_a), A = Y^T K0 Y + stiffness (A2 + A3). K0 Y is the force of
  // the displacements d x e_k, since K0 knows no rotation of the undeformed element.
  // @param[out] f total elastic force
  RotationTerms compute_rotation_terms(const Frame& frame, const Moduli& moduli, double stiffness,
                                       Vector* f) const {
    RotationTerms terms;
    for (int a = 0; a < n; ++a) f[a] = {};
    for (int q = 0; q < this->n_points(); ++q) {
      const Vector* u = &u_[n * q];
      add_products<n>(weights_[q] * isotropic(lame_lambda_, mu_, symmetric_part(H_[q])), u, f);
      Tensor strain[3];
      for (int k = 0; k < 3; ++k) {
        Vector e;
        e[k] = broadcast(-1.0);
        strain[k] = symmetric_part(skew_times(e, H_[q]));
      }
      for (int k = 0; k < 3; ++k) {
        const Tensor sigma = weights_[q] * isotropic(moduli.lame_lambda, moduli.mu, strain[k]);
        for (int j = 0; j < 3; ++j) terms.A(j, k) += contract(strain[j], sigma);
        for (int a = 0; a < n; ++a) {
          const Vector column = sigma * u[a];
          for (int i = 0; i < 3; ++i) terms.C[a](i, k) += column[i];
        }
      }
    }
    const Stationarity s = make_stationary(frame, f);
    add(stiffness, geometric_part(frame, s), terms.A);
    for (int a = 0; a < n; ++a) {
      add(cross(s.m, frame.mean_gradient[a]), f[a]);
      subtract_skew(stiffness * f[a], terms.C[a]);
    }
    return terms;
  }

  static void subtract_skew(const Vector& a, Tensor& C) {
    C(0, 1) += a[2];
    C(1, 0) -= a[2];
    C(0, 2) -= a[1];
    C(2, 0) += a[1];
    C(1, 2) += a[0];
    C(2, 1) -= a[0];
  }

  std::vector<Vector> u_;      // [n_points][n]
  std::vector<Tensor> H_;      // [n_points]
  std::vector<Pack> weights_;  // [n_points]
};

}  // namespace solidyn::fem
