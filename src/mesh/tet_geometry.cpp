#include "solidyn/mesh/tet_geometry.h"

#include <algorithm>
#include <cmath>

#include "solidyn/mesh/topology.h"

namespace solidyn::mesh {

TetPositions gather_positions(const Eigen::Matrix3Xd& x, const ElementBlock& block,
                              std::int64_t element) {
  const int n = n_nodes(block.type);
  TetPositions positions(3, n);
  const std::int32_t* nodes = &block.connectivity[static_cast<std::size_t>(element) * n];
  for (int i = 0; i < n; ++i) positions.col(i) = x.col(nodes[i]);
  return positions;
}

double jacobian(const TetPositions& x, const Eigen::Vector4d& l) {
  // dx/dl_i for the four barycentric coordinates taken as independent; then l_0 = 1 - l_1 - l_2 -
  // l_3.
  Eigen::Matrix<double, 3, 4> dx;
  if (x.cols() == 4) {
    dx = x;
  } else {
    for (int i = 0; i < 4; ++i) dx.col(i) = (4.0 * l[i] - 1.0) * x.col(i);
    for (int e = 0; e < 6; ++e) {
      const auto [a, b] = kTetEdges[e];
      dx.col(a) += 4.0 * l[b] * x.col(4 + e);
      dx.col(b) += 4.0 * l[a] * x.col(4 + e);
    }
  }
  const Eigen::Vector3d first = dx.col(1) - dx.col(0), second = dx.col(2) - dx.col(0);
  return first.cross(second).dot(dx.col(3) - dx.col(0));
}

double volume(const TetPositions& x) {
  const Eigen::Vector4d centroid = Eigen::Vector4d::Constant(0.25);
  if (x.cols() == 4) return jacobian(x, centroid) / 6.0;
  double sum = -0.8 * jacobian(x, centroid);
  for (int i = 0; i < 4; ++i) {
    Eigen::Vector4d l = Eigen::Vector4d::Constant(1.0 / 6.0);
    l[i] = 0.5;
    sum += 0.45 * jacobian(x, l);
  }
  return sum / 6.0;
}

double smallest_jacobian(const TetPositions& x) {
  double smallest = jacobian(x, Eigen::Vector4d::Constant(0.25));
  if (x.cols() == 4) return smallest;
  constexpr double kNear = 0.58541019662496845446, kFar = 0.13819660112501051518;
  for (int i = 0; i < 4; ++i) {
    Eigen::Vector4d l = Eigen::Vector4d::Constant(kFar);
    l[i] = kNear;
    smallest = std::min(
        {smallest, jacobian(x, l), jacobian(x, Eigen::Vector4d(Eigen::Vector4d::Unit(i)))});
  }
  return smallest;
}

double radius_ratio(const TetPositions& x) {
  const Eigen::Vector3d a = x.col(1) - x.col(0), b = x.col(2) - x.col(0), c = x.col(3) - x.col(0);
  const double six_volumes = a.cross(b).dot(c);
  const double areas = 0.5 * (a.cross(b).norm() + b.cross(c).norm() + c.cross(a).norm() +
                              (b - a).cross(c - a).norm());
  // Circumradius from |a|^2 (b x c) + ... over 2 * six_volumes; inradius 3 V / areas.
  const double numerator =
      (a.squaredNorm() * b.cross(c) + b.squaredNorm() * c.cross(a) + c.squaredNorm() * a.cross(b))
          .norm();
  if (numerator == 0.0 || areas == 0.0) return 0.0;
  const double inscribed = 0.5 * six_volumes / areas;
  return 6.0 * inscribed * std::abs(six_volumes) / numerator;
}

}  // namespace solidyn::mesh
