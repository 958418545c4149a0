#pragma once
#include "fem/kernels/element_rotation.h"
#include "solidyn/base/error.h"
#include "solidyn/fem/hex8_stiffness.h"

namespace solidyn::fem {

/// Corotational hex8 whose linear stiffness is more than an integral over compatible strains
/// (B-bar, incompatible modes): K0 is kept, 2.6 kB per element. Viscosity must be proportional to
/// it, since condensed modes are not linear in the moduli. Stress has the strain of the modes, or
/// B-bar's mean volume change.
class StoredHex8Kernel final : public KernelBase<elements::Hex8, Shape::curved> {
 public:
  static constexpr int n = 8, n_blocks = n * (n + 1) / 2;
  using Rotation = ElementRotation<n>;

  /// Throws InputError for a viscosity that is not proportional to the stiffness.
  StoredHex8Kernel(const PointTable<elements::Hex8>& table, const SolidOptions& options);

  std::size_t bytes() const override;
  Pack add_batch(const Vector* X, const Pack* temperature) override;
  Pack compute_force(std::size_t batch, const Vector* x, const Vector* v, Vector* f) override;
  Pack compute_energy(std::size_t batch, const Vector* x, Pack& det) override;
  Pack compute_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                       Tensor* blocks) override;
  Pack apply_tangent(std::size_t batch, const Vector* x, double stiffness, double damping,
                     const Vector* v, Vector* y) override;
  void compute_stress(std::size_t batch, const Vector* x, Tensor* sigma, Pack* weight) override;

 private:
  const Vector* mean_gradients(std::size_t batch) const { return &gradients_[n * batch]; }
  // d = y - R (X - X_0)
  void find_deformation(std::size_t batch, const Rotation& rotation, Vector* d) const;
  void add_mode_gradients(std::size_t batch, const Vector* u, Tensor* H) const;
  // f = R K0 R^T d
  void multiply(std::size_t batch, const Rotation& rotation, const Vector* d, Vector* f) const;

  // f0 = R (K0 R^T d - thermal force)
  void compute_elastic_force(std::size_t batch, const Rotation& rotation, const Vector* d,
                             Vector* f) const;
  void add_thermal_batch(const Vector* X, const Pack* temperature);
  Elasticity elasticity(std::size_t batch, int lane) const;
  Tensor stress(std::size_t batch, const Tensor& strain) const;

  Material material_;
  Hex8Formulation hex8_;
  double beta_ = 0.0;              // viscosity is beta_ K0, s
  std::vector<Tensor> stiffness_;  // [n_batches][n_blocks], reference axes
  std::vector<Vector> gradients_;  // [n_batches][n], volume means
  std::vector<Vector> arms_;       // [n_batches][n] X_a - X_0
  std::vector<Pack> volumes_;
  // Where temperatures change: forces [n_batches][n], amplitudes of the modes [n_batches][9],
  // energies.
  std::vector<Vector> thermal_forces_;
  std::vector<Pack> thermal_amplitudes_, thermal_energies_;
  std::vector<Vector>
      positions_;  // [n_batches] mean of the nodes, where the material has directions
};

}  // namespace solidyn::fem
