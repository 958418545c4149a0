#pragma once
#include <vector>

#include "fem/kernels/pack.h"
#include "materials/laws.h"
#include "solidyn/fem/solid_options.h"

namespace solidyn::fem {

/// The mean of a batch's nodes in one lane: where material axes are taken.
inline Eigen::Vector3d mean_of_nodes(const Vector* X, int n, int lane) {
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (int a = 0; a < n; ++a) mean += Eigen::Vector3d(X[a][0][lane], X[a][1][lane], X[a][2][lane]);
  return mean / n;
}

/// A law of small strains, elastic and viscous, batch by batch: kept once where the elements do not
/// differ.
template <class Hooke>
class LawTable;

template <>
class LawTable<materials::IsotropicHooke> {
 public:
  using Hooke = materials::IsotropicHooke;
  LawTable(const Material& material, const Viscosity& viscosity)
      : elastic_(Hooke::make(material.isotropic()->lame_lambda(),
                             material.isotropic()->shear_modulus())),
        viscous_(Hooke::make(viscosity.lame_lambda, viscosity.shear)) {}

  void add_batch(const Vector*, int) {}
  const Hooke& elastic(std::size_t) const { return elastic_; }
  const Hooke& viscous(std::size_t) const { return viscous_; }
  std::size_t bytes() const { return 0; }

 private:
  Hooke elastic_, viscous_;
};

template <>
class LawTable<materials::AnisotropicHooke> {
 public:
  using Hooke = materials::AnisotropicHooke;
  LawTable(const Material& material, const Viscosity& viscosity)
      : material_(material), beta_(viscosity.of_stiffness) {
    const IsotropicElastic unit_shear{2.0, 0.0, 1.0};  // lambda = 0, mu = 1
    materials::Matrix6d moduli = viscosity.shear * unit_shear.stiffness();
    moduli.topLeftCorner<3, 3>().array() += viscosity.lame_lambda;
    for (int lane = 0; lane < kLanes; ++lane) isotropic_viscosity_.set_lane(lane, moduli);
  }

  void add_batch(const Vector* X, int n) {
    if (material_.is_uniform() && !batches_.empty()) return;
    Hooke& hooke = batches_.emplace_back();
    for (int lane = 0; lane < kLanes; ++lane)
      hooke.set_lane(lane, Elasticity(material_, mean_of_nodes(X, n, lane)).stiffness());
  }
  const Hooke& elastic(std::size_t batch) const {
    return batches_[material_.is_uniform() ? 0 : batch];
  }
  Hooke viscous(std::size_t batch) const {
    return Hooke::combine(beta_, elastic(batch), 1.0, isotropic_viscosity_);
  }
  std::size_t bytes() const { return batches_.size() * sizeof(Hooke); }

 private:
  Material material_;
  double beta_;
  Hooke isotropic_viscosity_;
  std::vector<Hooke> batches_;
};

/// Thermal strain of a group's elements from the temperature changes of their nodes; nothing is
/// kept where there are none.
class ThermalField {
 public:
  explicit ThermalField(const Material& material) : material_(material) {}

  bool is_empty() const { return expansion_.empty(); }

  /// @param X, change [n] of the batch's nodes; null: no change
  void add_batch(const Vector* X, const Pack* change, int n) {
    if (!change || !material_.expands()) return;
    n_ = n;
    Tensor& expansion = expansion_.emplace_back();
    for (int lane = 0; lane < kLanes; ++lane) {
      const Eigen::Matrix3d per_kelvin = material_.expansion_at(mean_of_nodes(X, n, lane));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) expansion(i, j)[lane] = per_kelvin(i, j);
    }
    change_.insert(change_.end(), change, change + n);
  }

  /// Where the shape functions have the values N [n]; in mesh axes.
  Tensor strain(std::size_t batch, const double* N) const {
    Pack change = {};
    for (int a = 0; a < n_; ++a) change += N[a] * change_[n_ * batch + a];
    return change * expansion_[batch];
  }
  std::size_t bytes() const {
    return expansion_.size() * sizeof(Tensor) + change_.size() * sizeof(Pack);
  }

 private:
  Material material_;
  int n_ = 0;
  std::vector<Tensor> expansion_;  // per kelvin [n_batches]
  std::vector<Pack> change_;       // K [n_batches][n]
};

}  // namespace solidyn::fem
