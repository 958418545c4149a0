#pragma once
#include <type_traits>

#include "fem/kernels/corotational_product.h"
#include "fem/kernels/element_rotation.h"
#include "fem/kernels/tangent_blocks.h"

namespace solidyn::fem {

/// One rotation R per element, of the mean deformation gradient Fm = sum x_a gm_a^T. With the
/// linear stiffness K0 turned by R, d = (x - x_0) - R (X - X_0) and Psi(R, x) = axial(R^T Fm) = 0,
///   E = 1/2 d^T K0 d,   L = E + m . Psi,   f = L_x,
/// where m makes L stationary in R, so that f includes the derivative of R. All vectors are in
/// world axes; doc/theory/solid_kernels.md derives the terms. Here K0 is integrated anew each time.
/// A thermal strain turns with the element and is taken from that of d.
template <class Element, Shape shape, class Hooke>
class CorotationalKernel final : public KernelBase<Element, shape> {
  using Base = KernelBase<Element, shape>;
  using Base::geometry_;
  using Base::thermal_;

 public:
  static constexpr int n = Element::n_nodes;
  using Rotation = ElementRotation<n>;

  CorotationalKernel(const PointTable<Element>& table, const SolidOptions& options)
      : Base(table, options),
        laws_(options.material, options.viscosity),
        u_(n * table.points.size()),
        H_(table.points.size()),
        weights_(table.points.size()) {}

  std::size_t bytes() const override { return Base::bytes() + laws_.bytes(); }
  Pack add_batch(const Vector* X, const Pack* temperature) override {
    laws_.add_batch(X, n);
    return Base::add_batch(X, temperature);
  }

  Pack compute_force(std::size_t batch, const Vector* x, const Vector* v, Vector* f) override {
    const Rotation rotation = find_element_rotation(batch, x);
    const Hooke& hooke = laws_.elastic(batch).turned(rotation.R);
    const Hooke& viscous = laws_.viscous(batch).turned(rotation.R);
    Vector spin;
    if (v) spin = rotation.find_spin(v);
    for (int a = 0; a < n; ++a) f[a] = {};
    for (int q = 0; q < this->n_points(); ++q) {
      Tensor sigma = hooke.stress(elastic_strain(batch, q, rotation));
      if (v) add(1.0, viscous.stress(symmetric_part(rate_of(v, spin, q))), sigma);
      add_products<n>(weights_[q] * sigma, &u_[n * q], f);
    }
    rotation.add_rotation_force(f);
    return rotation.det;
  }

  Pack compute_energy(std::size_t batch, const Vector* x, Pack& det) override {
    const Rotation rotation = find_element_rotation(batch, x);
    det = rotation.det;
    const Hooke& hooke = laws_.elastic(batch).turned(rotation.R);
    Pack energy = {};
    for (int q = 0; q < this->n_points(); ++q)
      energy += 0.5 * weights_[q] * hooke.twice_energy(elastic_strain(batch, q, rotation));
    return energy;
  }

  Pack compute_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                       Tensor* blocks) override {
    const Rotation rotation = find_element_rotation(batch, x);
    const Hooke& hooke = laws_.elastic(batch).turned(rotation.R);
    const Hooke both = combine(batch, rotation, stiffness, damping);
    compute_linear_blocks<n>(u_.data(), weights_.data(), this->n_points(), both, blocks);
    Vector f[n];
    Tensor C[n], A;
    for (int q = 0; q < this->n_points(); ++q) {
      add_products<n>(weights_[q] * hooke.stress(elastic_strain(batch, q, rotation)), &u_[n * q],
                      f);
      add_turned_strains(both, q, C, A);
    }
    rotation.add_rotation_tangent(f, stiffness, C, A, blocks);
    return rotation.det;
  }

  Pack apply_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                     const Vector* v, Vector* y) override {
    const Rotation rotation = find_element_rotation(batch, x);
    const Hooke& hooke = laws_.elastic(batch).turned(rotation.R);
    const Hooke both = combine(batch, rotation, stiffness, damping);
    const Vector theta = rotation.find_spin(v);
    Vector f[n];
    for (int a = 0; a < n; ++a) y[a] = {};
    for (int q = 0; q < this->n_points(); ++q) {
      const Vector* u = &u_[n * q];
      add_products<n>(weights_[q] * hooke.stress(elastic_strain(batch, q, rotation)), u, f);
      Tensor rate = gradient_of<n>(v, u);
      add(-1.0, skew_times(theta, H_[q]), rate);
      add_products<n>(weights_[q] * both.stress(symmetric_part(rate)), u, y);
    }
    rotation.add_rotation_product(f, stiffness, v, theta, y);
    return rotation.det;
  }

  std::unique_ptr<BatchProduct> make_product(double stiffness, double damping,
                                             ProductPrecision precision) override {
    if constexpr (std::is_same_v<Hooke, materials::IsotropicHooke>) {
      if (precision == ProductPrecision::single_)
        return std::make_unique<Product<float>>(*this, stiffness, damping);
      return std::make_unique<Product<double>>(*this, stiffness, damping);
    } else {
      return nullptr;
    }
  }

  void compute_stress(std::size_t batch, const Vector* x, Tensor* sigma, Pack* weight) override {
    const Rotation rotation = find_element_rotation(batch, x);
    const Hooke& hooke = laws_.elastic(batch).turned(rotation.R);
    for (int q = 0; q < this->n_points(); ++q) {
      sigma[q] = hooke.stress(elastic_strain(batch, q, rotation));
      weight[q] = weights_[q];
    }
  }

 private:
  template <class Scalar>
  class Product final : public CorotationalProduct<Element, shape, Scalar> {
   public:
    Product(CorotationalKernel& kernel, double stiffness, double damping)
        : Product(kernel, stiffness,
                  Hooke::combine(stiffness, kernel.laws_.elastic(0), damping,
                                 kernel.laws_.viscous(0))) {}
    Pack add_batch(std::size_t batch, const Vector* x) override {
      return kernel_.add_to_product(batch, x, stiffness_, *this);
    }
    using CorotationalProduct<Element, shape, Scalar>::add_element;
    using CorotationalProduct<Element, shape, Scalar>::set_point;

   private:
    Product(CorotationalKernel& kernel, double stiffness, const Hooke& both)
        : CorotationalProduct<Element, shape, Scalar>(kernel.geometry_.table(), both.lame_lambda[0],
                                                      both.mu[0]),
          kernel_(kernel),
          stiffness_(stiffness) {}

    CorotationalKernel& kernel_;
    double stiffness_;
  };

  template <class AnyProduct>
  Pack add_to_product(std::size_t batch, const Vector* x, double stiffness, AnyProduct& product) {
    const Rotation rotation = find_element_rotation(batch, x);
    const Hooke& hooke = laws_.elastic(batch);
    Vector f[n];
    Pack volume = {};
    std::vector<Tensor> force(this->n_points());
    for (int q = 0; q < this->n_points(); ++q) {
      force[q] = weights_[q] * hooke.stress(elastic_strain(batch, q, rotation));
      add_products<n>(force[q], &u_[n * q], f);
      volume += weights_[q];
    }
    const auto stationarity = rotation.make_stationary(f);
    product.add_element(batch, rotation.inverse_D,
                        stiffness * rotation.geometric_part(stationarity), volume);
    const Tensor turning = skew_times(stationarity.m, plus_diagonal(Tensor(), 1.0));
    for (int q = 0; q < this->n_points(); ++q) {
      add(weights_[q] / volume, turning, force[q]);
      Pack det;
      const Tensor B = times_transposed(geometry_.inverse_jacobian(batch, q, det), rotation.R);
      product.set_point(q, B, weights_[q], H_[q], stiffness * force[q]);
    }
    return rotation.det;
  }

  // stiffness times the elastic law and damping times the viscous one, in world axes.
  Hooke combine(std::size_t batch, const Rotation& rotation, double stiffness,
                double damping) const {
    return Hooke::combine(stiffness, laws_.elastic(batch), damping, laws_.viscous(batch))
        .turned(rotation.R);
  }

  // At point q, without the thermal strain, which turns with the element.
  Tensor elastic_strain(std::size_t batch, int q, const Rotation& rotation) const {
    Tensor strain = symmetric_part(H_[q]);
    if (!thermal_.is_empty())
      add(-1.0, times_transposed(rotation.R * this->thermal_strain(batch, q), rotation.R), strain);
    return strain;
  }

  // Leaves rotated gradients u = R g, displacement gradients H = F R^T - I and weights of all
  // points in the workspace.
  Rotation find_element_rotation(std::size_t batch, const Vector* x) {
    Vector mean[n];
    Pack volume = {};
    for (int q = 0; q < this->n_points(); ++q) {
      weights_[q] = geometry_.compute_gradients(batch, q, &u_[n * q]);
      volume += weights_[q];
      for (int a = 0; a < n; ++a) add(weights_[q], u_[n * q + a], mean[a]);
    }
    for (int a = 0; a < n; ++a) mean[a] = (1.0 / volume) * mean[a];
    const Rotation rotation(x, mean);
    for (int q = 0; q < this->n_points(); ++q) {
      Vector* u = &u_[n * q];
      for (int a = 0; a < n; ++a) u[a] = rotation.R * u[a];
      H_[q] = plus_diagonal(gradient_of<n>(rotation.arm, u), -1.0);
    }
    return rotation;
  }

  // Gradient of the deformation rate that R leaves: that of v less skew(theta) F R^T.
  Tensor rate_of(const Vector* v, const Vector& theta, int q) const {
    Tensor rate = gradient_of<n>(v, &u_[n * q]);
    add(-1.0, skew_times(theta, plus_diagonal(H_[q], 1.0)), rate);
    return rate;
  }

  // C += K0 Y, A += Y^T K0 Y at point q. K0 Y is the force of the displacements d x e_k, since K0
  // knows no rotation of the undeformed element; their gradient is -skew(e_k) H.
  void add_turned_strains(const Hooke& hooke, int q, Tensor* C, Tensor& A) const {
    Tensor strain[3];
    for (int k = 0; k < 3; ++k) {
      Vector e;
      e[k] = broadcast(-1.0);
      strain[k] = symmetric_part(skew_times(e, H_[q]));
    }
    for (int k = 0; k < 3; ++k) {
      const Tensor sigma = weights_[q] * hooke.stress(strain[k]);
      for (int j = 0; j < 3; ++j) A(j, k) += contract(strain[j], sigma);
      for (int a = 0; a < n; ++a) {
        const Vector column = sigma * u_[n * q + a];
        for (int i = 0; i < 3; ++i) C[a](i, k) += column[i];
      }
    }
  }

  LawTable<Hooke> laws_;
  std::vector<Vector> u_;      // [n_points][n]
  std::vector<Tensor> H_;      // [n_points]
  std::vector<Pack> weights_;  // [n_points]
};

}  // namespace solidyn::fem
