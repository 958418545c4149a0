#pragma once
#include "fem/kernels/kernel_base.h"
#include "fem/kernels/tangent_blocks.h"

namespace solidyn::fem {

/// A law of large strains (materials/laws.h) on the reference configuration. Thermal strain is
/// multiplicative: F = F_e F_t with F_t = I + alpha dT, and the law sees F_e. That is the kernel on
/// gradients F_t^-T g and weights w det F_t, hence stress-free under free expansion whatever the
/// law.
template <class Element, Shape shape, class Law>
class TotalLagrangianKernel final : public KernelBase<Element, shape> {
  using Base = KernelBase<Element, shape>;
  using Base::geometry_;
  using Base::thermal_;
  using Base::viscosity_;
  using Hooke = typename Law::Small;
  using Viscous = materials::StVenantKirchhoff<Hooke>;  // of its moduli only
  using Deformation = materials::Deformation;

 public:
  static constexpr int n = Element::n_nodes;

  TotalLagrangianKernel(const PointTable<Element>& table, const SolidOptions& options)
      : Base(table, options), laws_(options.material, options.viscosity) {}

  std::size_t bytes() const override { return Base::bytes() + laws_.bytes(); }
  Pack add_batch(const Vector* X, const Pack* temperature) override {
    laws_.add_batch(X, n);
    return Base::add_batch(X, temperature);
  }

  Pack compute_force(std::size_t batch, const Vector* x, const Vector* v, Vector* f) override {
    const Law law = Law::make(laws_.elastic(batch));
    const Viscous viscous = Viscous::make(laws_.viscous(batch));
    for (int a = 0; a < n; ++a) f[a] = {};
    return for_points(batch, x, [&](const Deformation& d, const Pack& w, const Vector* g) {
      Tensor P = law.first_piola(d);
      if (v) add(1.0, viscous.material_change(d, gradient_of<n>(v, g)), P);
      add_products<n>(w * P, g, f);
    });
  }

  Pack compute_energy(std::size_t batch, const Vector* x, Pack& det) override {
    const Law law = Law::make(laws_.elastic(batch));
    Pack energy = {};
    det = for_points(batch, x, [&](const Deformation& d, const Pack& w, const Vector*) {
      energy += w * law.energy(d);
    });
    return energy;
  }

  Pack compute_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                       Tensor* blocks) override {
    if constexpr (Law::kHasFewDirections)
      return compute_by_points(batch, x, stiffness, damping, blocks);
    else
      return compute_by_modulus(batch, x, stiffness, damping, blocks);
  }

  Pack apply_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                     const Vector* v, Vector* y) override {
    const Law law = Law::make(laws_.elastic(batch));
    const Viscous viscous = Viscous::make(laws_.viscous(batch));
    for (int a = 0; a < n; ++a) y[a] = {};
    return for_points(batch, x, [&](const Deformation& d, const Pack& w, const Vector* g) {
      const Tensor dF = gradient_of<n>(v, g);
      Tensor dP = (stiffness * w) * law.first_piola_change(d, dF);
      if (damping != 0.0) add(damping * w, viscous.material_change(d, dF), dP);
      add_products<n>(dP, g, y);
    });
  }

  void compute_stress(std::size_t batch, const Vector* x, Tensor* sigma, Pack* weight) override {
    const Law law = Law::make(laws_.elastic(batch));
    for_points(batch, x, [&](const Deformation& d, const Pack& w, const Vector*) {
      *sigma++ = (1.0 / d.J) * times_transposed(law.first_piola(d), d.F);
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
      const Pack w = compute_gradients(batch, q, g);
      const Deformation d(gradient_of<n>(x, g));
      smallest = smaller(d.J, smallest);
      visit(d, w, g);
    }
    return smallest;
  }

  // In the thermally expanded configuration, with its weight.
  Pack compute_gradients(std::size_t batch, int q, Vector* g) const {
    const Pack w = geometry_.compute_gradients(batch, q, g);
    if (thermal_.is_empty()) return w;
    const Tensor F_t = plus_diagonal(this->thermal_strain(batch, q), 1.0), c = cofactor(F_t);
    const Pack J_t = determinant(F_t, c);
    const Tensor to_expanded = (1.0 / J_t) * c;  // F_t^-T
    for (int a = 0; a < n; ++a) g[a] = to_expanded * g[a];
    return w * J_t;
  }

  // A law of few directions: the shares of all points first, then block by block.
  Pack compute_by_points(std::size_t batch, const Vector* x, double stiffness, double damping,
                         Tensor* blocks) {
    const Law law = Law::make(laws_.elastic(batch));
    const bool is_damped = damping != 0.0 && !viscosity_.is_zero();
    const int n_points = this->n_points();
    points_.resize((is_damped ? 2 : 1) * n_points);
    Pack smallest = broadcast(std::numeric_limits<double>::infinity());
    for (int q = 0; q < n_points; ++q) {
      TangentPoint<n>& p = points_[q];
      const Pack w = compute_gradients(batch, q, p.g);
      const Deformation d(gradient_of<n>(x, p.g));
      smallest = smaller(d.J, smallest);
      law.fill(d, stiffness * w, p);
      if (is_damped) fill_viscous(laws_.viscous(batch), d, damping * w, p.g, points_[n_points + q]);
    }
    if (is_damped)
      compute_blocks<n, HasW::yes>(points_.data(), 2 * n_points, blocks);
    else
      compute_blocks<n, Law::kHasW ? HasW::yes : HasW::no>(points_.data(), n_points, blocks);
    return smallest;
  }

  // Any law: nine changes of P per point.
  Pack compute_by_modulus(std::size_t batch, const Vector* x, double stiffness, double damping,
                          Tensor* blocks) const {
    const Law law = Law::make(laws_.elastic(batch));
    const Viscous viscous = Viscous::make(laws_.viscous(batch));
    std::fill_n(blocks, n * (n + 1) / 2, Tensor());
    return for_points(batch, x, [&](const Deformation& d, const Pack& w, const Vector* g) {
      Tensor change[3][3];
      for (int j = 0; j < 3; ++j)
        for (int L = 0; L < 3; ++L) {
          Tensor dF;
          dF(j, L) = broadcast(1.0);
          change[j][L] = (stiffness * w) * law.first_piola_change(d, dF);
          if (damping != 0.0) add(damping * w, viscous.material_change(d, dF), change[j][L]);
        }
      add_modulus_blocks<n>(change, g, blocks);
    });
  }

  static void fill_viscous(const Hooke& viscous, const Deformation& d, const Pack& w,
                           const Vector* g, TangentPoint<n>& p) {
    for (int a = 0; a < n; ++a) {
      p.g[a] = g[a];
      p.u[a] = d.F * g[a];
      p.h[a] = {};
    }
    p.c1 = w * viscous.lame_lambda;
    p.c2 = w * viscous.mu;
    p.W = (w * viscous.mu) * times_transposed(d.F, d.F);
  }

  LawTable<Hooke> laws_;
  std::vector<TangentPoint<n>> points_;
};

}  // namespace solidyn::fem
