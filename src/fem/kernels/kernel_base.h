#pragma once
#include "fem/kernels/batch_kernel.h"
#include "fem/kernels/law_table.h"

namespace solidyn::fem {

/// What total Lagrangian and corotational kernels share: geometry and its questions, and the
/// temperatures.
template <class Element, Shape shape>
class KernelBase : public BatchKernel {
 public:
  static constexpr int n = Element::n_nodes;

  int n_nodes() const override { return n; }
  int n_points() const override { return geometry_.n_points(); }
  std::size_t bytes() const override { return geometry_.bytes() + thermal_.bytes(); }
  double to_nodes(int node, int point) const override {
    return geometry_.table().to_nodes(node, point);
  }
  double value(int node, int point) const override { return geometry_.table().values(node, point); }
  Pack add_batch(const Vector* X, const Pack* temperature) override {
    thermal_.add_batch(X, temperature, n);
    return geometry_.add(X);
  }

  Pack compute_volume_ratio(std::size_t batch, const Vector* x) override {
    Pack smallest = broadcast(std::numeric_limits<double>::infinity());
    Vector g[n];
    for (int q = 0; q < n_points(); ++q) {
      geometry_.compute_gradients(batch, q, g);
      const Tensor F = gradient_of<n>(x, g);
      smallest = smaller(determinant(F, cofactor(F)), smallest);
    }
    return smallest;
  }

 protected:
  KernelBase(const PointTable<Element>& table, const SolidOptions& options)
      : geometry_(table), thermal_(options.material), viscosity_(options.viscosity) {}

  /// In mesh axes. @pre !thermal_.is_empty()
  Tensor thermal_strain(std::size_t batch, int q) const {
    return thermal_.strain(batch, geometry_.table().values.col(q).data());
  }

  BatchGeometry<Element, shape> geometry_;
  ThermalField thermal_;
  Viscosity viscosity_;
};

/// f_a += A g_a
template <int n>
void add_products(const Tensor& A, const Vector* g, Vector* f) {
  for (int a = 0; a < n; ++a)
    for (int i = 0; i < 3; ++i)
      f[a][i] += A(i, 0) * g[a][0] + A(i, 1) * g[a][1] + A(i, 2) * g[a][2];
}

}  // namespace solidyn::fem
