#include "face_area.h"

#include <array>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::mesh {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Gradients = Eigen::Matrix<double, Eigen::Dynamic, 2>;

struct Point {
  Vector2d rs;
  double weight;
};

/// Radon's rule on the triangle {r, s >= 0, r + s <= 1}: exact to degree five.
std::array<Point, 7> make_rule() {
  const double root = std::sqrt(15.0);
  std::array<Point, 7> rule;
  rule[0] = {Vector2d::Constant(1.0 / 3.0), 9.0 / 80.0};
  for (int side = 0; side < 2; ++side) {
    const double sign = side == 0 ? 1.0 : -1.0;
    const double a = (6.0 + sign * root) / 21.0, weight = (155.0 + sign * root) / 2400.0;
    rule[3 * side + 1] = {{a, a}, weight};
    rule[3 * side + 2] = {{1.0 - 2.0 * a, a}, weight};
    rule[3 * side + 3] = {{a, 1.0 - 2.0 * a}, weight};
  }
  return rule;
}

void evaluate_shape(ElementType type, const Vector2d& rs, VectorXd& N, Gradients& dN) {
  const double L[3] = {1.0 - rs[0] - rs[1], rs[0], rs[1]};
  const Eigen::RowVector2d dL[3] = {{-1.0, -1.0}, {1.0, 0.0}, {0.0, 1.0}};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (type == ElementType::tri3) {
      N[i] = L[i];
      dN.row(i) = dL[i];
    } else {
      N[i] = L[i] * (2.0 * L[i] - 1.0);
      dN.row(i) = (4.0 * L[i] - 1.0) * dL[i];
      N[3 + i] = 4.0 * L[i] * L[j];
      dN.row(3 + i) = 4.0 * (L[i] * dL[j] + L[j] * dL[i]);
    }
  }
}

}  // namespace

VectorXd compute_nodal_areas(ElementType type, const Eigen::Ref<const Eigen::Matrix3Xd>& x) {
  SOLIDYN_ASSERT(dimension(type) == 2 && x.cols() == n_nodes(type));
  static const std::array<Point, 7> rule = make_rule();
  VectorXd areas = VectorXd::Zero(x.cols()), N(x.cols());
  Gradients dN(x.cols(), 2);
  for (const Point& point : rule) {
    evaluate_shape(type, point.rs, N, dN);
    const Eigen::Matrix<double, 3, 2> tangents = x * dN;
    const Vector3d normal = Vector3d(tangents.col(0)).cross(Vector3d(tangents.col(1)));
    areas += point.weight * normal.norm() * N;
  }
  return areas;
}

}  // namespace solidyn::mesh
