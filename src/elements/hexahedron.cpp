#include "solidyn/elements/hexahedron.h"

#include "elements/reference_nodes.h"

namespace solidyn::elements {
namespace {

using Eigen::Vector3d;

const Eigen::Matrix<double, 3, 20>& places() {
  static const Eigen::Matrix<double, 3, 20> nodes = with_middles<8>(Hex8::nodes(), kHexEdges);
  return nodes;
}

// The product of three numbers without the i-th.
double product_without(const Vector3d& f, int i) { return f[(i + 1) % 3] * f[(i + 2) % 3]; }

// The factors of an edge's function: 1 - r^2 along it, 1 + s_a s across.
Vector3d edge_factors(const Vector3d& node, const Vector3d& rst, Vector3d& slopes) {
  Vector3d factors;
  for (int i = 0; i < 3; ++i) {
    const bool is_along = node[i] == 0.0;
    factors[i] = is_along ? 1.0 - rst[i] * rst[i] : 1.0 + node[i] * rst[i];
    slopes[i] = is_along ? -2.0 * rst[i] : node[i];
  }
  return factors;
}

}  // namespace

Eigen::Matrix<double, 3, 8> Hex8::nodes() {
  Eigen::Matrix<double, 3, 8> corners;
  corners << -1, 1, 1, -1, -1, 1, 1, -1,  //
      -1, -1, 1, 1, -1, -1, 1, 1,         //
      -1, -1, -1, -1, 1, 1, 1, 1;
  return corners;
}

Eigen::Matrix<double, 8, 1> Hex8::values(const Vector3d& rst) {
  Eigen::Matrix<double, 8, 1> N;
  for (int a = 0; a < 8; ++a) N[a] = 0.125 * (1.0 + places().col(a).array() * rst.array()).prod();
  return N;
}

Eigen::Matrix<double, 8, 3> Hex8::gradients(const Vector3d& rst) {
  Eigen::Matrix<double, 8, 3> dN;
  for (int a = 0; a < 8; ++a) {
    const Vector3d node = places().col(a), f = 1.0 + node.array() * rst.array();
    for (int i = 0; i < 3; ++i) dN(a, i) = 0.125 * node[i] * product_without(f, i);
  }
  return dN;
}

Eigen::Matrix<double, 3, 20> Hex20::nodes() { return places(); }

Eigen::Matrix<double, 20, 1> Hex20::values(const Vector3d& rst) {
  Eigen::Matrix<double, 20, 1> N;
  for (int a = 0; a < 8; ++a) {
    const Vector3d x = places().col(a).array() * rst.array();
    N[a] = 0.125 * (1.0 + x.array()).prod() * (x.sum() - 2.0);
  }
  Vector3d slopes;
  for (int a = 8; a < 20; ++a) N[a] = 0.25 * edge_factors(places().col(a), rst, slopes).prod();
  return N;
}

Eigen::Matrix<double, 20, 3> Hex20::gradients(const Vector3d& rst) {
  Eigen::Matrix<double, 20, 3> dN;
  for (int a = 0; a < 8; ++a) {
    const Vector3d node = places().col(a), x = node.array() * rst.array(), f = 1.0 + x.array();
    for (int i = 0; i < 3; ++i)
      dN(a, i) = 0.125 * node[i] * product_without(f, i) * (x.sum() - 2.0 + f[i]);
  }
  Vector3d slopes;
  for (int a = 8; a < 20; ++a) {
    const Vector3d f = edge_factors(places().col(a), rst, slopes);
    for (int i = 0; i < 3; ++i) dN(a, i) = 0.25 * slopes[i] * product_without(f, i);
  }
  return dN;
}

}  // namespace solidyn::elements
