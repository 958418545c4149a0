#include "solidyn/elements/wedge.h"

#include "elements/reference_nodes.h"

namespace solidyn::elements {
namespace {

using Eigen::RowVector3d;
using Eigen::Vector3d;

const Eigen::Matrix<double, 3, 15>& wedge_places() {
  static const Eigen::Matrix<double, 3, 15> nodes = with_middles<6>(Wedge6::nodes(), kWedgeEdges);
  return nodes;
}

// L_i of a corner or of one of the triangle's, and its gradient.
double area_coordinate(int corner, const Vector3d& rst) {
  const int i = corner % 3;
  return i == 0 ? 1.0 - rst[0] - rst[1] : rst[i - 1];
}

RowVector3d area_gradient(int corner) {
  const int i = corner % 3;
  return i == 0 ? RowVector3d(-1.0, -1.0, 0.0) : RowVector3d(RowVector3d::Unit(i - 1));
}

}  // namespace

Eigen::Matrix<double, 3, 6> Wedge6::nodes() {
  Eigen::Matrix<double, 3, 6> corners;
  corners << 0, 1, 0, 0, 1, 0,  //
      0, 0, 1, 0, 0, 1,         //
      -1, -1, -1, 1, 1, 1;
  return corners;
}

Eigen::Matrix<double, 6, 1> Wedge6::values(const Vector3d& rst) {
  Eigen::Matrix<double, 6, 1> N;
  for (int a = 0; a < 6; ++a)
    N[a] = 0.5 * area_coordinate(a, rst) * (1.0 + wedge_places()(2, a) * rst[2]);
  return N;
}

Eigen::Matrix<double, 6, 3> Wedge6::gradients(const Vector3d& rst) {
  Eigen::Matrix<double, 6, 3> dN;
  for (int a = 0; a < 6; ++a) {
    const double end = wedge_places()(2, a);
    dN.row(a) = 0.5 * (1.0 + end * rst[2]) * area_gradient(a);
    dN(a, 2) = 0.5 * end * area_coordinate(a, rst);
  }
  return dN;
}

Eigen::Matrix<double, 3, 15> Wedge15::nodes() { return wedge_places(); }

Eigen::Matrix<double, 15, 1> Wedge15::values(const Vector3d& rst) {
  Eigen::Matrix<double, 15, 1> N;
  const double t = rst[2], bubble = 1.0 - t * t;
  for (int a = 0; a < 6; ++a) {
    const double L = area_coordinate(a, rst);
    N[a] = 0.5 * L * ((2.0 * L - 1.0) * (1.0 + wedge_places()(2, a) * t) - bubble);
  }
  for (int e = 0; e < 9; ++e) {
    const auto [i, j] = kWedgeEdges[e];
    const double end = wedge_places()(2, 6 + e), L = area_coordinate(i, rst);
    N[6 + e] = end == 0.0 ? L * bubble : 2.0 * L * area_coordinate(j, rst) * (1.0 + end * t);
  }
  return N;
}

Eigen::Matrix<double, 15, 3> Wedge15::gradients(const Vector3d& rst) {
  Eigen::Matrix<double, 15, 3> dN;
  const double t = rst[2], bubble = 1.0 - t * t;
  for (int a = 0; a < 6; ++a) {
    const double L = area_coordinate(a, rst), end = wedge_places()(2, a);
    dN.row(a) = 0.5 * ((4.0 * L - 1.0) * (1.0 + end * t) - bubble) * area_gradient(a);
    dN(a, 2) = 0.5 * L * ((2.0 * L - 1.0) * end + 2.0 * t);
  }
  for (int e = 0; e < 9; ++e) {
    const auto [i, j] = kWedgeEdges[e];
    const double end = wedge_places()(2, 6 + e);
    const double Li = area_coordinate(i, rst), Lj = area_coordinate(j, rst);
    if (end == 0.0) {
      dN.row(6 + e) = bubble * area_gradient(i);
      dN(6 + e, 2) = -2.0 * t * Li;
    } else {
      dN.row(6 + e) = 2.0 * (1.0 + end * t) * (Lj * area_gradient(i) + Li * area_gradient(j));
      dN(6 + e, 2) = 2.0 * end * Li * Lj;
    }
  }
  return dN;
}

}  // namespace solidyn::elements
