#include "fem/kernels/stored_stiffness.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/elements/quadrature.h"

namespace solidyn::fem {
namespace {

double proportionality(const SolidOptions& options) {
  const IsotropicElastic* isotropic = options.material.isotropic();
  const double beta = isotropic ? options.viscosity.shear / isotropic->shear_modulus()
                                : options.viscosity.of_stiffness;
  const double rest =
      isotropic ? options.viscosity.lame_lambda - beta * isotropic->lame_lambda()
                : std::abs(options.viscosity.lame_lambda) + std::abs(options.viscosity.shear);
  if (std::abs(rest) >
      1e-12 * (std::abs(options.viscosity.lame_lambda) + std::abs(options.viscosity.shear)))
    throw base::InputError(
        "hex8 elements with b_bar or incompatible_modes have a damping that is not proportional to their stiffness",
        "use stiffness-proportional damping, or hex8: standard");
  return beta;
}

// y_a += sum_b K_ab x_b with the upper triangle of a symmetric K.
void add_symmetric_product(const Tensor* blocks, const Vector* x, Vector* y) {
  for (int a = 0; a < 8; ++a)
    for (int b = a; b < 8; ++b, ++blocks) {
      add(*blocks * x[b], y[a]);
      if (a != b) add(transposed_times(*blocks, x[a]), y[b]);
    }
}

}  // namespace

StoredHex8Kernel::StoredHex8Kernel(const PointTable<elements::Hex8>& table,
                                   const SolidOptions& options)
    : KernelBase(table, options),
      material_(options.material),
      hex8_(options.hex8),
      beta_(proportionality(options)) {}

std::size_t StoredHex8Kernel::bytes() const {
  return KernelBase::bytes() + stiffness_.size() * sizeof(Tensor) +
         (gradients_.size() + arms_.size() + thermal_forces_.size() + positions_.size()) *
             sizeof(Vector) +
         (volumes_.size() + thermal_amplitudes_.size() + thermal_energies_.size()) * sizeof(Pack);
}

Elasticity StoredHex8Kernel::elasticity(std::size_t batch, int lane) const {
  if (positions_.empty()) return Elasticity(material_, Eigen::Vector3d::Zero());
  const Vector& x = positions_[batch];
  return Elasticity(material_, {x[0][lane], x[1][lane], x[2][lane]});
}

Pack StoredHex8Kernel::add_batch(const Vector* X, const Pack* temperature) {
  if (!material_.is_uniform()) {
    Vector& mean = positions_.emplace_back();
    for (int a = 0; a < n; ++a) add(1.0 / n, X[a], mean);
  }
  const std::size_t batch = volumes_.size();
  Tensor blocks[n_blocks];
  for (int lane = 0; lane < kLanes; ++lane) {
    ElementNodes<elements::Hex8> nodes;
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i) nodes(i, a) = X[a][i][lane];
    ElementStiffness<elements::Hex8> K;
    compute_hex8_stiffness(nodes, elasticity(batch, lane), hex8_, K);
    Tensor* block = blocks;
    for (int a = 0; a < n; ++a)
      for (int b = a; b < n; ++b, ++block)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) (*block)(i, j)[lane] = K(3 * a + i, 3 * b + j);
  }
  stiffness_.insert(stiffness_.end(), blocks, blocks + n_blocks);
  const Pack det = KernelBase::add_batch(X, temperature);
  if (!thermal_.is_empty()) add_thermal_batch(X, temperature);
  Vector g[n], mean[n];
  Pack volume = {};
  for (int q = 0; q < n_points(); ++q) {
    const Pack w = geometry_.compute_gradients(volumes_.size(), q, g);
    volume += w;
    for (int a = 0; a < n; ++a) add(w, g[a], mean[a]);
  }
  for (int a = 0; a < n; ++a) {
    gradients_.push_back((1.0 / volume) * mean[a]);
    arms_.push_back(X[a] - X[0]);
  }
  volumes_.push_back(volume);
  return det;
}

void StoredHex8Kernel::add_thermal_batch(const Vector* X, const Pack* temperature) {
  const std::size_t batch = volumes_.size();
  Vector force[n];
  Pack amplitudes[9] = {}, energy = {};
  for (int lane = 0; lane < kLanes; ++lane) {
    ElementNodes<elements::Hex8> nodes;
    Eigen::Matrix<double, 6, 8> strains;
    const materials::Vector6d per_kelvin =
        materials::strain_vector(material_.expansion_at(mean_of_nodes(X, n, lane)));
    for (int a = 0; a < n; ++a) {
      for (int i = 0; i < 3; ++i) nodes(i, a) = X[a][i][lane];
      strains.col(a) = temperature[a][lane] * per_kelvin;
    }
    const Hex8Thermal thermal =
        compute_hex8_thermal(nodes, elasticity(batch, lane), hex8_, strains);
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i) force[a][i][lane] = thermal.force(i, a);
    for (int k = 0; k < 9; ++k) amplitudes[k][lane] = thermal.amplitudes[k];
    energy[lane] = thermal.energy;
  }
  thermal_forces_.insert(thermal_forces_.end(), force, force + n);
  thermal_amplitudes_.insert(thermal_amplitudes_.end(), amplitudes, amplitudes + 9);
  thermal_energies_.push_back(energy);
}

void StoredHex8Kernel::compute_elastic_force(std::size_t batch, const Rotation& rotation,
                                             const Vector* d, Vector* f) const {
  multiply(batch, rotation, d, f);
  if (thermal_.is_empty()) return;
  for (int a = 0; a < n; ++a) add(-1.0, rotation.R * thermal_forces_[n * batch + a], f[a]);
}

void StoredHex8Kernel::find_deformation(std::size_t batch, const Rotation& rotation,
                                        Vector* d) const {
  for (int a = 0; a < n; ++a) d[a] = rotation.arm[a] - rotation.R * arms_[n * batch + a];
}

void StoredHex8Kernel::multiply(std::size_t batch, const Rotation& rotation, const Vector* d,
                                Vector* f) const {
  Vector turned[n], product[n];
  for (int a = 0; a < n; ++a) turned[a] = transposed_times(rotation.R, d[a]);
  add_symmetric_product(&stiffness_[n_blocks * batch], turned, product);
  for (int a = 0; a < n; ++a) f[a] = rotation.R * product[a];
}

Pack StoredHex8Kernel::compute_force(std::size_t batch, const Vector* x, const Vector* v,
                                     Vector* f) {
  const Rotation rotation(x, mean_gradients(batch));
  Vector d[n];
  find_deformation(batch, rotation, d);
  if (v) {  // the rate of d that R leaves
    const Vector spin = rotation.find_spin(v);
    for (int a = 0; a < n; ++a) add(beta_, v[a] - cross(spin, rotation.arm[a]), d[a]);
  }
  compute_elastic_force(batch, rotation, d, f);
  rotation.add_rotation_force(f);
  return rotation.det;
}

Pack StoredHex8Kernel::compute_energy(std::size_t batch, const Vector* x, Pack& det) {
  const Rotation rotation(x, mean_gradients(batch));
  Vector d[n], f[n];
  find_deformation(batch, rotation, d);
  multiply(batch, rotation, d, f);
  Pack energy = {};
  for (int a = 0; a < n; ++a) energy += 0.5 * dot(d[a], f[a]);
  if (!thermal_.is_empty()) {
    for (int a = 0; a < n; ++a) energy -= dot(d[a], rotation.R * thermal_forces_[n * batch + a]);
    energy += thermal_energies_[batch];
  }
  det = rotation.det;
  return energy;
}

Pack StoredHex8Kernel::compute_tangent(std::size_t batch, const Vector* x, double stiffness,
                                       double damping, Tensor* blocks) {
  const Rotation rotation(x, mean_gradients(batch));
  const double scale = stiffness + damping * beta_;
  Vector d[n], f[n];
  find_deformation(batch, rotation, d);
  compute_elastic_force(batch, rotation, d, f);
  const Tensor* K0 = &stiffness_[n_blocks * batch];
  for (int k = 0; k < n_blocks; ++k)
    blocks[k] = scale * times_transposed(rotation.R * K0[k], rotation.R);
  // K0 Y is the force of the displacements d x e_k, since K0 knows no rotation of the undeformed
  // element.
  Tensor C[n], A;
  for (int k = 0; k < 3; ++k) {
    Vector e, turned[n], column[n];
    e[k] = broadcast(1.0);
    for (int a = 0; a < n; ++a) turned[a] = cross(d[a], e);
    add_symmetric_product(blocks, turned, column);
    for (int a = 0; a < n; ++a) {
      for (int i = 0; i < 3; ++i) C[a](i, k) = column[a][i];
      const Vector moment = cross(column[a], d[a]);  // Y^T column
      for (int j = 0; j < 3; ++j) A(j, k) += moment[j];
    }
  }
  rotation.add_rotation_tangent(f, stiffness, C, A, blocks);
  return rotation.det;
}

Pack StoredHex8Kernel::apply_tangent(std::size_t batch, const Vector* x, double stiffness,
                                     double damping, const Vector* v, Vector* y) {
  const Rotation rotation(x, mean_gradients(batch));
  const Vector theta = rotation.find_spin(v);
  Vector d[n], f[n], field[n];
  find_deformation(batch, rotation, d);
  compute_elastic_force(batch, rotation, d, f);
  for (int a = 0; a < n; ++a)
    field[a] = (stiffness + damping * beta_) * (v[a] + cross(d[a], theta));
  multiply(batch, rotation, field, y);
  rotation.add_rotation_product(f, stiffness, v, theta, y);
  return rotation.det;
}

// What the modes that belong to the displacements u add to their gradient at each point.
void StoredHex8Kernel::add_mode_gradients(std::size_t batch, const Vector* u, Tensor* H) const {
  static const elements::Quadrature rule = elements::make_hexahedron_rule(3);
  for (int lane = 0; lane < kLanes; ++lane) {
    ElementNodes<elements::Hex8> x, own;
    for (int a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i) {
        x(i, a) = arms_[n * batch + a][i][lane];
        own(i, a) = u[a][i][lane];
      }
    Eigen::Matrix<double, 9, 1> alpha = compute_hex8_mode_amplitudes(x, elasticity(batch, lane)) *
                                        Eigen::Map<const Eigen::Matrix<double, 24, 1>>(own.data());
    if (!thermal_.is_empty())
      for (int k = 0; k < 9; ++k) alpha[k] += thermal_amplitudes_[9 * batch + k][lane];
    for (int q = 0; q < n_points(); ++q) {
      const Eigen::Matrix3d added = Eigen::Map<const Eigen::Matrix3d>(alpha.data()) *
                                    compute_hex8_mode_gradients(x, rule.points.col(q));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) H[q](i, j)[lane] += added(i, j);
    }
  }
}

Tensor StoredHex8Kernel::stress(std::size_t batch, const Tensor& strain) const {
  if (const IsotropicElastic* isotropic = material_.isotropic())
    return materials::IsotropicHooke::make(isotropic->lame_lambda(), isotropic->shear_modulus())
        .stress(strain);
  materials::AnisotropicHooke hooke;
  for (int lane = 0; lane < kLanes; ++lane)
    hooke.set_lane(lane, elasticity(batch, lane).stiffness());
  return hooke.stress(strain);
}

// Of the displacements without the element's rotation. B-bar has the mean volume change at every
// point.
void StoredHex8Kernel::compute_stress(std::size_t batch, const Vector* x, Tensor* sigma,
                                      Pack* weight) {
  const Rotation rotation(x, mean_gradients(batch));
  const Pack mean_change = trace(rotation.V) - 3.0;
  Vector d[n], u[n], g[n];
  find_deformation(batch, rotation, d);
  for (int a = 0; a < n; ++a) u[a] = transposed_times(rotation.R, d[a]);
  std::vector<Tensor> H(n_points(), Tensor());
  for (int q = 0; q < n_points(); ++q) {
    weight[q] = geometry_.compute_gradients(batch, q, g);
    for (int a = 0; a < n; ++a) add_dyad(u[a], g[a], H[q]);
  }
  if (hex8_ == Hex8Formulation::incompatible_modes) add_mode_gradients(batch, u, H.data());
  for (int q = 0; q < n_points(); ++q) {
    Tensor strain = symmetric_part(H[q]);
    if (hex8_ == Hex8Formulation::b_bar)
      strain = plus_diagonal(strain, (1.0 / 3.0) * (mean_change - trace(strain)));
    if (!thermal_.is_empty()) add(-1.0, thermal_strain(batch, q), strain);
    sigma[q] = times_transposed(rotation.R * stress(batch, strain), rotation.R);
  }
}

}  // namespace solidyn::fem
