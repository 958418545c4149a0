#pragma once
#include "fem/kernels/kernel_base.h"
#include "fem/kernels/tangent_blocks.h"

namespace solidyn::fem {

/// Deformation at one point and what the laws need of it.
struct Deformation {
  explicit Deformation(const Tensor& gradient) : F(gradient), cofactor_F(cofactor(F)) {
    J = determinant(F, cofactor_F);
  }
  Tensor F, cofactor_F;
  Pack J;
  Tensor inverse_transposed() const { return (1.0 / J) * cofactor_F; }
};

/// S = lambda tr(E) I + 2 mu E
struct StVenantKirchhoff {
  Pack lame_lambda, mu;
  static constexpr HasW has_W = HasW::yes;

  Tensor second_piola(const Deformation& d) const {
    const Tensor E = 0.5 * plus_diagonal(transposed_times(d.F, d.F), -1.0);
    return isotropic(lame_lambda, mu, E);
  }
  Tensor first_piola(const Deformation& d) const { return d.F * second_piola(d); }

  Pack energy(const Deformation& d) const {
    const Tensor E = 0.5 * plus_diagonal(transposed_times(d.F, d.F), -1.0);
    return 0.5 * lame_lambda * trace(E) * trace(E) + mu * contract(E, E);
  }

  /// dP for dF: dF S + F (lambda tr(dE) I + 2 mu dE), dE = sym(F^T dF)
  Tensor first_piola_change(const Deformation& d, const Tensor& dF) const {
    Tensor dP = d.F * isotropic(lame_lambda, mu, symmetric_part(transposed_times(d.F, dF)));
    add(1.0, dF * second_piola(d), dP);
    return dP;
  }

  /// K_ab = lambda u_a u_b^T + mu (u_b u_a^T + (g_a . g_b) F F^T) + (g_a . S g_b) I, u = F g.
  template <int n>
  void fill(const Deformation& d, const Pack& w, TangentPoint<n>& p) const {
    const Tensor wS = w * second_piola(d);
    for (int a = 0; a < n; ++a) {
      p.u[a] = d.F * p.g[a];
      p.h[a] = wS * p.g[a];
    }
    p.c1 = w * lame_lambda;
    p.c2 = w * mu;
    p.W = (w * mu) * times_transposed(d.F, d.F);
  }
};

/// P = mu (F - F^-T) + lambda ln J F^-T
struct NeoHookean {
  Pack lame_lambda, mu;
  static constexpr HasW has_W = HasW::no;

  Tensor first_piola(const Deformation& d) const {
    Tensor P = mu * d.F;
    add(lame_lambda * log(d.J) - mu, d.inverse_transposed(), P);
    return P;
  }

  Pack energy(const Deformation& d) const {
    const Pack log_J = log(d.J);
    return 0.5 * mu * (contract(d.F, d.F) - 3.0) - mu * log_J + 0.5 * lame_lambda * log_J * log_J;
  }

  /// dP = mu dF + (mu - lambda ln J) F^-T dF^T F^-T + lambda (F^-T : dF) F^-T
  Tensor first_piola_change(const Deformation& d, const Tensor& dF) const {
    const Tensor A = d.inverse_transposed();
    Tensor dP = mu * dF;
    add(mu - lame_lambda * log(d.J), times_transposed(A, dF) * A, dP);
    add(lame_lambda * contract(A, dF), A, dP);
    return dP;
  }

  /// K_ab = lambda u_a u_b^T + (mu - lambda ln J) u_b u_a^T + mu (g_a . g_b) I, u = F^-T g.
  template <int n>
  void fill(const Deformation& d, const Pack& w, TangentPoint<n>& p) const {
    const Tensor A = d.inverse_transposed();
    for (int a = 0; a < n; ++a) {
      p.u[a] = A * p.g[a];
      p.h[a] = (w * mu) * p.g[a];
    }
    p.c1 = w * lame_lambda;
    p.c2 = w * (mu - lame_lambda * log(d.J));
    p.W = {};
  }
};

template <class Element, Shape shape, class Law>
class TotalLagrangianKernel final : public KernelBase<Element, shape> {
  using Base = KernelBase<Element, shape>;
  using Base::geometry_;
  using Base::viscosity_;

 public:
  static constexpr int n = Element::n_nodes;

  TotalLagrangianKernel(const PointTable<Element>& table, const SolidOptions& options)
      : Base(table, options),
        law_{this->lame_lambda_, this->mu_},
        viscous_{broadcast(viscosity_.lame_lambda), broadcast(viscosity_.shear)} {}

  Pack compute_force(std::size_t batch, const Vector* x, const Vector* v, Vector* f) override {
    for (int a = 0; a < n; ++a) f[a] = {};
    return for_points(batch, x, [&](const Deformation& d, const Pack& w, const Vector* g) {
      Tensor P = law_.first_piola(d);
      if (v) add(1.0, viscous_piola(d, gradient_of<n>(v, g)), P);
      add_products<n>(w * P, g, f);
    });
  }

  Pack compute_energy(std::size_t batch, const Vector* x, Pack& det) override {
    Pack energy = {};
    det = for_points(batch, x, [&](const Deformation& d, const Pack& w, const Vector*) {
      energy += w * law_.energy(d);
    });
    return energy;
  }

  Pack compute_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                       Tensor* blocks) override {
    const bool is_damped = damping != 0.0 && !viscosity_.is_zero();
    const int n_points = this->n_points();
    points_.resize((is_damped ? 2 : 1) * n_points);
    Pack smallest = broadcast(std::numeric_limits<double>::infinity());
    for (int q = 0; q < n_points; ++q) {
      TangentPoint<n>& p = points_[q];
      const Pack w = geometry_.compute_gradients(batch, q, p.g);
      const Deformation d(gradient_of<n>(x, p.g));
      smallest = smaller(d.J, smallest);
      law_.fill(d, stiffness * w, p);
      if (is_damped) fill_viscous(d, damping * w, p.g, points_[n_points + q]);
    }
    if (is_damped)
      compute_blocks<n, HasW::yes>(points_.data(), 2 * n_points, blocks);
    else
      compute_blocks<n, Law::has_W>(points_.data(), n_points, blocks);
    return smallest;
  }

  Pack apply_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                     const Vector* v, Vector* y) override {
    for (int a = 0; a < n; ++a) y[a] = {};
    return for_points(batch, x, [&](const Deformation& d, const Pack& w, const Vector* g) {
      const Tensor dF = gradient_of<n>(v, g);
      Tensor dP = (stiffness * w) * law_.first_piola_change(d, dF);
      if (damping != 0.0) add(damping * w, viscous_piola(d, dF), dP);
      add_products<n>(dP, g, y);
    });
  }

  void compute_stress(std::size_t batch, const Vector* x, Tensor* sigma, Pack* weight) override {
    for_points(batch, x, [&](const Deformation& d, const Pack& w, const Vector*) {
      *sigma++ = (1.0 / d.J) * times_transposed(law_.first_piola(d), d.F);
      *weight++ = w;
    });
  }

 private:
  // Visits the points with (deformation, weight, gradients); the smallest det F of each lane.
  template <class Visit>
  Pack for_points(std::size_t batch, const Vector* x, const Visit& visit) const {
    Pack smallest = broadcast(std::numeric_limits<double>::infinity());
    Vector g[n];
    for (int q = 0; q < this->n_points(); ++q) {
      const Pack w = geometry_.compute_gradients(batch, q, g);
      const Deformation d(gradient_of<n>(x, g));
      smallest = smaller(d.J, smallest);
      visit(d, w, g);
    }
    return smallest;
  }

  // F S_v of a velocity gradient dF/dt.
  Tensor viscous_piola(const Deformation& d, const Tensor& rate) const {
    return d.F * isotropic(viscous_.lame_lambda, viscous_.mu,
                           symmetric_part(transposed_times(d.F, rate)));
  }

  void fill_viscous(const Deformation& d, const Pack& w, const Vector* g,
                    TangentPoint<n>& p) const {
    for (int a = 0; a < n; ++a) {
      p.g[a] = g[a];
      p.u[a] = d.F * g[a];
      p.h[a] = {};
    }
    p.c1 = w * viscous_.lame_lambda;
    p.c2 = w * viscous_.mu;
    p.W = (w * viscous_.mu) * times_transposed(d.F, d.F);
  }

  Law law_;
  StVenantKirchhoff viscous_;  // of the moduli only
  std::vector<TangentPoint<n>> points_;
};

}  // namespace solidyn::fem
