#include "solidyn/fem/hex8_stiffness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "isotropic_blocks.h"
#include "solidyn/fem/quadrature.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Gradients = Eigen::Matrix<double, 8, 3>;

constexpr int kPoints = 8;

struct Table {
  std::array<Gradients, kPoints> gradients;
  std::array<Vector3d, kPoints> points;
  Gradients at_centre = Hex8::gradients(Vector3d::Zero());
  Table() {
    const Quadrature rule = make_hexahedron_rule(3);  // all weights are 1
    for (int q = 0; q < kPoints; ++q) {
      points[q] = rule.points.col(q);
      gradients[q] = Hex8::gradients(points[q]);
    }
  }
};

const Table& table() {
  static const Table values;
  return values;
}

// kappa (V b_mean b_mean^T - int b b^T dV): the mean volume change instead of that of each point.
void replace_volume_change(const ElementNodes<Hex8>& x, double bulk_modulus,
                           ElementStiffness<Hex8>& K) {
  Eigen::Matrix<double, 24, kPoints> b;
  Eigen::Matrix<double, 24, 1> sum = Eigen::Matrix<double, 24, 1>::Zero();
  double volume = 0.0;
  for (int q = 0; q < kPoints; ++q) {
    const Matrix3d J = x * table().gradients[q];
    const double det = J.determinant(), root = std::sqrt(std::abs(det));
    const Gradients physical = table().gradients[q] * J.inverse();
    for (int a = 0; a < 8; ++a) b.block<3, 1>(3 * a, q) = root * physical.row(a).transpose();
    sum += root * b.col(q);
    volume += det;
  }
  K.noalias() += (bulk_modulus / volume) * sum * sum.transpose();
  K.noalias() -= bulk_modulus * b.lazyProduct(b.transpose());
}

// The stiffness of the eight nodes and the three modes, 11 vectors, from which the modes are
// condensed out.
double compute_with_modes(const ElementNodes<Hex8>& x, const IsotropicElastic& material,
                          ElementStiffness<Hex8>& K) {
  constexpr int n = 11;
  const Matrix3d J_0 = x * table().at_centre;
  const double det_0 = J_0.determinant();
  const Matrix3d inverse_0 = J_0.inverse();
  double smallest = det_0;
  Eigen::Matrix<double, 3 * n, kPoints> B;
  for (int q = 0; q < kPoints; ++q) {
    const Matrix3d J = x * table().gradients[q];
    const double det = J.determinant(), root = std::sqrt(std::abs(det));
    smallest = std::min(smallest, det);
    const Gradients physical = table().gradients[q] * J.inverse();
    for (int a = 0; a < 8; ++a) B.block<3, 1>(3 * a, q) = root * physical.row(a).transpose();
    for (int i = 0; i < 3; ++i)
      B.block<3, 1>(3 * (8 + i), q) =
          (-2.0 * table().points[q][i] * root * det_0 / det) * inverse_0.row(i).transpose();
  }
  Eigen::Matrix<double, 3 * n, 3 * n> all = B.lazyProduct(B.transpose());
  turn_into_stiffness<n>(material.lame_lambda(), material.shear_modulus(), all);
  const Eigen::LLT<Eigen::Matrix<double, 9, 9>> modes(all.bottomRightCorner<9, 9>());
  const Eigen::Matrix<double, 9, 24> coupling = all.bottomLeftCorner<9, 24>();
  K = all.topLeftCorner<24, 24>();
  K.noalias() -= coupling.transpose().lazyProduct(modes.solve(coupling));
  return smallest;
}

}  // namespace

double compute_hex8_stiffness(const ElementNodes<Hex8>& x, const IsotropicElastic& material,
                              Hex8Formulation formulation, ElementStiffness<Hex8>& K) {
  if (formulation == Hex8Formulation::incompatible_modes) return compute_with_modes(x, material, K);
  const double smallest = compute_stiffness<Hex8>(x, material, K);
  if (formulation == Hex8Formulation::b_bar)
    replace_volume_change(x, material.lame_lambda() + 2.0 / 3.0 * material.shear_modulus(), K);
  return smallest;
}

}  // namespace solidyn::fem
