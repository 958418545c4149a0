#include "solidyn/fem/hex8_stiffness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fem/kernels/elastic_blocks.h"
#include "solidyn/elements/quadrature.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Gradients = Eigen::Matrix<double, 8, 3>;

constexpr int kPoints = 8;

struct GaussPoints {
  std::array<Gradients, kPoints> gradients;
  std::array<Vector3d, kPoints> points;
  Gradients at_centre = elements::Hex8::gradients(Vector3d::Zero());
  GaussPoints() {
    const elements::Quadrature rule = elements::make_hexahedron_rule(3);  // all weights are 1
    for (int q = 0; q < kPoints; ++q) {
      points[q] = rule.points.col(q);
      gradients[q] = elements::Hex8::gradients(points[q]);
    }
  }
};

const GaussPoints& gauss_points() {
  static const GaussPoints values;
  return values;
}

// kappa (V b_mean b_mean^T - int b b^T dV): the mean volume change instead of that of each point.
void replace_volume_change(const ElementNodes<elements::Hex8>& x, double bulk_modulus,
                           ElementStiffness<elements::Hex8>& K) {
  Eigen::Matrix<double, 24, kPoints> b;
  Eigen::Matrix<double, 24, 1> sum = Eigen::Matrix<double, 24, 1>::Zero();
  double volume = 0.0;
  for (int q = 0; q < kPoints; ++q) {
    const Matrix3d J = x * gauss_points().gradients[q];
    const double det = J.determinant(), root = std::sqrt(std::abs(det));
    const Gradients physical = gauss_points().gradients[q] * J.inverse();
    for (int a = 0; a < 8; ++a) b.block<3, 1>(3 * a, q) = root * physical.row(a).transpose();
    sum += root * b.col(q);
    volume += det;
  }
  K.noalias() += (bulk_modulus / volume) * sum * sum.transpose();
  K.noalias() -= bulk_modulus * b.lazyProduct(b.transpose());
}

// Strain at point q of the displacements of all nodes, [6 x 24].
using StrainMatrix = Eigen::Matrix<double, 6, 24>;
StrainMatrix strain_matrix(const Gradients& g) {
  StrainMatrix B = StrainMatrix::Zero();
  for (int a = 0; a < 8; ++a) {
    for (int k = 0; k < 6; ++k) {
      const auto [i, j] = materials::kComponents[k];
      B(k, 3 * a + i) = g(a, j);
      if (i != j) B(k, 3 * a + j) = g(a, i);
    }
  }
  return B;
}

// B of each point with the mean volume change of all, and the points' volumes.
struct MeanChange {
  std::array<StrainMatrix, kPoints> B;
  std::array<double, kPoints> volumes;
  explicit MeanChange(const ElementNodes<elements::Hex8>& x) {
    Eigen::Matrix<double, 1, 24> mean = Eigen::Matrix<double, 1, 24>::Zero();
    double volume = 0.0;
    for (int q = 0; q < kPoints; ++q) {
      const Matrix3d J = x * gauss_points().gradients[q];
      volumes[q] = J.determinant();
      B[q] = strain_matrix(gauss_points().gradients[q] * J.inverse());
      mean += volumes[q] * B[q].topRows<3>().colwise().sum();
      volume += volumes[q];
    }
    mean /= volume;
    for (StrainMatrix& b : B) {
      const Eigen::Matrix<double, 1, 24> change = (mean - b.topRows<3>().colwise().sum()) / 3.0;
      b.topRows<3>().rowwise() += change;
    }
  }
};

// B-bar with a material that has directions: its shears and its volume change know of each other.
void integrate_mean_change(const ElementNodes<elements::Hex8>& x, const Elasticity& material,
                           ElementStiffness<elements::Hex8>& K) {
  const MeanChange points(x);
  K.setZero();
  for (int q = 0; q < kPoints; ++q) {
    const StrainMatrix CB = std::abs(points.volumes[q]) * material.stiffness() * points.B[q];
    K.noalias() += points.B[q].transpose().lazyProduct(CB);
  }
}

constexpr int kVectors = 11;  // the eight nodes and the three modes
using ModalStiffness = Eigen::Matrix<double, 3 * kVectors, 3 * kVectors>;

// The stiffness of nodes and modes, before the modes are condensed out.
double compute_with_modes(const ElementNodes<elements::Hex8>& x, const Elasticity& material,
                          ModalStiffness& all) {
  double smallest = (x * gauss_points().at_centre).determinant();
  Eigen::Matrix<double, 3 * kVectors, kPoints> B;
  for (int q = 0; q < kPoints; ++q) {
    const Matrix3d J = x * gauss_points().gradients[q];
    const double det = J.determinant(), root = std::sqrt(std::abs(det));
    smallest = std::min(smallest, det);
    const Gradients physical = gauss_points().gradients[q] * J.inverse();
    for (int a = 0; a < 8; ++a) B.block<3, 1>(3 * a, q) = root * physical.row(a).transpose();
    const Matrix3d modes = compute_hex8_mode_gradients(x, gauss_points().points[q]);
    for (int i = 0; i < 3; ++i) B.block<3, 1>(3 * (8 + i), q) = root * modes.row(i).transpose();
  }
  all = B.lazyProduct(B.transpose());
  turn_into_stiffness<kVectors>(material, all);
  return smallest;
}

// K_mm^-1 K_mn: what the modes oppose to displacements of the nodes.
using Coupling = Eigen::Matrix<double, 9, 24>;
Coupling answer_of_modes(const ModalStiffness& all) {
  const Eigen::Matrix<double, 9, 9> modes = all.bottomRightCorner<9, 9>();
  const Coupling coupling = all.bottomLeftCorner<9, 24>();
  return Eigen::LLT<Eigen::Matrix<double, 9, 9>>(modes).solve(coupling);
}

}  // namespace

double compute_hex8_stiffness(const ElementNodes<elements::Hex8>& x, const Elasticity& material,
                              Hex8Formulation formulation, ElementStiffness<elements::Hex8>& K) {
  if (formulation == Hex8Formulation::incompatible_modes) {
    ModalStiffness all;
    const double smallest = compute_with_modes(x, material, all);
    const Coupling coupling = all.bottomLeftCorner<9, 24>();
    K = all.topLeftCorner<24, 24>();
    K.noalias() -= coupling.transpose().lazyProduct(answer_of_modes(all));
    return smallest;
  }
  const double smallest = compute_stiffness<elements::Hex8>(x, material, K);
  if (formulation != Hex8Formulation::b_bar) return smallest;
  if (material.is_isotropic())
    replace_volume_change(x, material.lame_lambda() + 2.0 / 3.0 * material.shear_modulus(), K);
  else
    integrate_mean_change(x, material, K);
  return smallest;
}

Matrix3d compute_hex8_mode_gradients(const ElementNodes<elements::Hex8>& x, const Vector3d& rst) {
  const Matrix3d J_0 = x * gauss_points().at_centre, J = x * elements::Hex8::gradients(rst);
  return Vector3d(-2.0 * J_0.determinant() / J.determinant() * rst).asDiagonal() * J_0.inverse();
}

Eigen::Matrix<double, 9, 24> compute_hex8_mode_amplitudes(const ElementNodes<elements::Hex8>& x,
                                                          const Elasticity& material) {
  ModalStiffness all;
  compute_with_modes(x, material, all);
  return -answer_of_modes(all);
}

Hex8Thermal compute_hex8_thermal(const ElementNodes<elements::Hex8>& x, const Elasticity& material,
                                 Hex8Formulation formulation,
                                 const Eigen::Matrix<double, 6, 8>& strains) {
  const bool has_modes = formulation == Hex8Formulation::incompatible_modes;
  const MeanChange mean_change(x);
  Hex8Thermal out;
  Eigen::Matrix<double, 24, 1> force = Eigen::Matrix<double, 24, 1>::Zero();
  Eigen::Matrix<double, 9, 1> on_modes = Eigen::Matrix<double, 9, 1>::Zero();
  out.amplitudes.setZero();
  out.energy = 0.0;
  for (int q = 0; q < kPoints; ++q) {
    const Matrix3d J = x * gauss_points().gradients[q];
    const double volume = mean_change.volumes[q];
    const materials::Vector6d strain = strains * elements::Hex8::values(gauss_points().points[q]);
    const materials::Vector6d sigma = volume * material.stress(strain);
    out.energy += 0.5 * strain.dot(sigma);
    if (formulation == Hex8Formulation::b_bar)
      force += mean_change.B[q].transpose() * sigma;
    else
      force += strain_matrix(gauss_points().gradients[q] * J.inverse()).transpose() * sigma;
    if (!has_modes) continue;
    Matrix3d s;
    s << sigma[0], sigma[3], sigma[5], sigma[3], sigma[1], sigma[4], sigma[5], sigma[4], sigma[2];
    const Matrix3d work = s * compute_hex8_mode_gradients(x, gauss_points().points[q]).transpose();
    on_modes += Eigen::Map<const Eigen::Matrix<double, 9, 1>>(work.data());
  }
  if (has_modes) {
    ModalStiffness all;
    compute_with_modes(x, material, all);
    const Eigen::LLT<Eigen::Matrix<double, 9, 9>> modes(all.bottomRightCorner<9, 9>());
    out.amplitudes = modes.solve(on_modes);
    force -= all.bottomLeftCorner<9, 24>().transpose() * out.amplitudes;
    out.energy -= 0.5 * on_modes.dot(out.amplitudes);
  }
  out.force = Eigen::Map<const ElementNodes<elements::Hex8>>(force.data());
  return out;
}

}  // namespace solidyn::fem
