#include "solidyn/fem/hex8_stiffness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "fem/kernels/isotropic_blocks.h"
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

constexpr int kVectors = 11;  // the eight nodes and the three modes
using ModalStiffness = Eigen::Matrix<double, 3 * kVectors, 3 * kVectors>;

// The stiffness of nodes and modes, before the modes are condensed out.
double compute_with_modes(const ElementNodes<elements::Hex8>& x, const IsotropicElastic& material,
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
  turn_into_stiffness<kVectors>(material.lame_lambda(), material.shear_modulus(), all);
  return smallest;
}

}  // namespace

double compute_hex8_stiffness(const ElementNodes<elements::Hex8>& x,
                              const IsotropicElastic& material, Hex8Formulation formulation,
                              ElementStiffness<elements::Hex8>& K) {
  if (formulation == Hex8Formulation::incompatible_modes) {
    ModalStiffness all;
    const double smallest = compute_with_modes(x, material, all);
    const Eigen::LLT<Eigen::Matrix<double, 9, 9>> modes(all.bottomRightCorner<9, 9>());
    const Eigen::Matrix<double, 9, 24> coupling = all.bottomLeftCorner<9, 24>();
    K = all.topLeftCorner<24, 24>();
    K.noalias() -= coupling.transpose().lazyProduct(modes.solve(coupling));
    return smallest;
  }
  const double smallest = compute_stiffness<elements::Hex8>(x, material, K);
  if (formulation == Hex8Formulation::b_bar)
    replace_volume_change(x, material.lame_lambda() + 2.0 / 3.0 * material.shear_modulus(), K);
  return smallest;
}

Matrix3d compute_hex8_mode_gradients(const ElementNodes<elements::Hex8>& x, const Vector3d& rst) {
  const Matrix3d J_0 = x * gauss_points().at_centre, J = x * elements::Hex8::gradients(rst);
  return Vector3d(-2.0 * J_0.determinant() / J.determinant() * rst).asDiagonal() * J_0.inverse();
}

Eigen::Matrix<double, 9, 24> compute_hex8_mode_amplitudes(const ElementNodes<elements::Hex8>& x,
                                                          const IsotropicElastic& material) {
  ModalStiffness all;
  compute_with_modes(x, material, all);
  const Eigen::LLT<Eigen::Matrix<double, 9, 9>> modes(all.bottomRightCorner<9, 9>());
  return -modes.solve(all.bottomLeftCorner<9, 24>());
}

}  // namespace solidyn::fem
