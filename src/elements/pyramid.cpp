#include "solidyn/elements/pyramid.h"

#include "elements/reference_nodes.h"

namespace solidyn::elements {
namespace {

using Eigen::RowVector3d;
using Eigen::Vector3d;

const Eigen::Matrix<double, 3, 13>& pyramid_places() {
  static const Eigen::Matrix<double, 3, 13> nodes =
      with_middles<5>(Pyramid5::nodes(), kPyramidEdges);
  return nodes;
}

constexpr int kApex = 4;

// d = 1 - t, a = r / d, b = s / d.
struct BoxPoint {
  double d, a, b;
  explicit BoxPoint(const Vector3d& rst) : d(1.0 - rst[2]) {
    const bool is_apex = d == 0.0;
    a = is_apex ? 0.0 : rst[0] / d;
    b = is_apex ? 0.0 : rst[1] / d;
  }
};

double linear_value(int corner, const BoxPoint& p) {
  if (corner == kApex) return 1.0 - p.d;
  return 0.25 * p.d * (1.0 + pyramid_places()(0, corner) * p.a) *
         (1.0 + pyramid_places()(1, corner) * p.b);
}

RowVector3d linear_gradient(int corner, const BoxPoint& p) {
  if (corner == kApex) return RowVector3d::UnitZ();
  const double r = pyramid_places()(0, corner), s = pyramid_places()(1, corner);
  return 0.25 * RowVector3d(r * (1.0 + s * p.b), s * (1.0 + r * p.a), r * s * p.a * p.b - 1.0);
}

// The middle of a base edge: `along` is the direction of the edge (0: r), `side` the place across.
double base_edge_value(int along, double side, const BoxPoint& p) {
  const double a = along == 0 ? p.a : p.b, b = along == 0 ? p.b : p.a;
  return 0.5 * p.d * p.d * (1.0 - a * a) * (1.0 + side * b);
}

RowVector3d base_edge_gradient(int along, double side, const BoxPoint& p) {
  const double a = along == 0 ? p.a : p.b, b = along == 0 ? p.b : p.a;
  RowVector3d g;
  g[along] = -p.d * a * (1.0 + side * b);
  g[1 - along] = 0.5 * side * p.d * (1.0 - a * a);
  g[2] = p.d * (0.5 * (1.0 - a * a) * side * b - (1.0 + side * b));
  return g;
}

}  // namespace

Eigen::Matrix<double, 3, 5> Pyramid5::nodes() {
  Eigen::Matrix<double, 3, 5> corners;
  corners << -1, 1, 1, -1, 0,  //
      -1, -1, 1, 1, 0,         //
      0, 0, 0, 0, 1;
  return corners;
}

Eigen::Matrix<double, 5, 1> Pyramid5::values(const Vector3d& rst) {
  const BoxPoint p(rst);
  Eigen::Matrix<double, 5, 1> N;
  for (int i = 0; i < 5; ++i) N[i] = linear_value(i, p);
  return N;
}

Eigen::Matrix<double, 5, 3> Pyramid5::gradients(const Vector3d& rst) {
  const BoxPoint p(rst);
  Eigen::Matrix<double, 5, 3> dN;
  for (int i = 0; i < 5; ++i) dN.row(i) = linear_gradient(i, p);
  return dN;
}

Eigen::Matrix<double, 3, 13> Pyramid13::nodes() { return pyramid_places(); }

Eigen::Matrix<double, 13, 1> Pyramid13::values(const Vector3d& rst) {
  const BoxPoint p(rst);
  const double t = rst[2];
  Eigen::Matrix<double, 13, 1> N;
  for (int i = 0; i < kApex; ++i)
    N[i] = (pyramid_places().col(i).head<2>().dot(rst.head<2>()) - 1.0) * linear_value(i, p);
  N[kApex] = t * (2.0 * t - 1.0);
  for (int e = 0; e < 8; ++e) {
    const auto [i, j] = kPyramidEdges[e];
    const int along = pyramid_places()(0, 5 + e) == 0.0 ? 0 : 1;
    N[5 + e] = j == kApex ? 4.0 * t * linear_value(i, p)
                          : base_edge_value(along, pyramid_places()(1 - along, 5 + e), p);
  }
  return N;
}

Eigen::Matrix<double, 13, 3> Pyramid13::gradients(const Vector3d& rst) {
  const BoxPoint p(rst);
  const double t = rst[2];
  Eigen::Matrix<double, 13, 3> dN;
  for (int i = 0; i < kApex; ++i) {
    const Vector3d node = pyramid_places().col(i);
    dN.row(i) = (node.head<2>().dot(rst.head<2>()) - 1.0) * linear_gradient(i, p) +
                linear_value(i, p) * node.transpose();
  }
  dN.row(kApex) << 0.0, 0.0, 4.0 * t - 1.0;
  for (int e = 0; e < 8; ++e) {
    const auto [i, j] = kPyramidEdges[e];
    const int along = pyramid_places()(0, 5 + e) == 0.0 ? 0 : 1;
    if (j == kApex) {
      dN.row(5 + e) = 4.0 * t * linear_gradient(i, p);
      dN(5 + e, 2) += 4.0 * linear_value(i, p);
    } else {
      dN.row(5 + e) = base_edge_gradient(along, pyramid_places()(1 - along, 5 + e), p);
    }
  }
  return dN;
}

}  // namespace solidyn::elements
