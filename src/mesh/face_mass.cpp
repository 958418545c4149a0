#include "face_mass.h"

#include <cmath>
#include <utility>
#include <vector>

#include "solidyn/base/error.h"
#include "solidyn/mesh/face_rule.h"

namespace solidyn::mesh {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Gradients = Eigen::Matrix<double, Eigen::Dynamic, 2>;

struct WeightedPoint {
  Vector2d rs;
  double weight;
};

/// Radon's rule on the triangle {r, s >= 0, r + s <= 1}: exact to degree five.
std::vector<WeightedPoint> make_triangle_rule() {
  const double root = std::sqrt(15.0);
  std::vector<WeightedPoint> rule = {{Vector2d::Constant(1.0 / 3.0), 9.0 / 80.0}};
  for (const double sign : {1.0, -1.0}) {
    const double a = (6.0 + sign * root) / 21.0, weight = (155.0 + sign * root) / 2400.0;
    rule.push_back({{a, a}, weight});
    rule.push_back({{1.0 - 2.0 * a, a}, weight});
    rule.push_back({{a, 1.0 - 2.0 * a}, weight});
  }
  return rule;
}

/// Gauss's rule of three by three points on the square [-1, 1]^2: exact to degree five in each.
std::vector<WeightedPoint> make_square_rule() {
  const double end = std::sqrt(0.6);
  const std::pair<double, double> line[] = {{-end, 5.0 / 9.0}, {0.0, 8.0 / 9.0}, {end, 5.0 / 9.0}};
  std::vector<WeightedPoint> rule;
  for (const auto& [r, weight_r] : line)
    for (const auto& [s, weight_s] : line) rule.push_back({{r, s}, weight_r * weight_s});
  return rule;
}

void evaluate_triangle(bool is_linear, const Vector2d& rs, VectorXd& N, Gradients& dN) {
  const double L[3] = {1.0 - rs[0] - rs[1], rs[0], rs[1]};
  const Eigen::RowVector2d dL[3] = {{-1.0, -1.0}, {1.0, 0.0}, {0.0, 1.0}};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (is_linear) {
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

/// Bilinear and serendipity functions: corners (1 + a)(1 + b)(a + b - 1) / 4 with a = r_i r, b =
/// s_i s; middles (1 - r^2)(1 + b) / 2.
void evaluate_square(bool is_linear, const Vector2d& rs, VectorXd& N, Gradients& dN) {
  constexpr double kCorners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int i = 0; i < 4; ++i) {
    const double ri = kCorners[i][0], si = kCorners[i][1], a = ri * rs[0], b = si * rs[1];
    const double last = is_linear ? 1.0 : a + b - 1.0, slope = is_linear ? 0.0 : 1.0;
    N[i] = 0.25 * (1.0 + a) * (1.0 + b) * last;
    dN.row(i) << 0.25 * ri * (1.0 + b) * (last + slope * (1.0 + a)),
        0.25 * si * (1.0 + a) * (last + slope * (1.0 + b));
    if (is_linear) continue;
    const int along = i % 2, across = 1 - along;  // sides 0-1 and 2-3 run along r
    const double side = kCorners[i][across], u = rs[along], b2 = 1.0 + side * rs[across];
    N[4 + i] = 0.5 * (1.0 - u * u) * b2;
    dN(4 + i, along) = -u * b2;
    dN(4 + i, across) = 0.5 * side * (1.0 - u * u);
  }
}

std::vector<FacePoint> make_face_rule(ElementType type) {
  const bool is_triangle = linear_of(type) == ElementType::tri3,
             is_linear = linear_of(type) == type;
  const std::vector<WeightedPoint> points = is_triangle ? make_triangle_rule() : make_square_rule();
  std::vector<FacePoint> rule;
  for (const WeightedPoint& point : points) {
    FacePoint p;
    p.weight = point.weight;
    p.N.setZero(n_nodes(type));
    p.dN.setZero(n_nodes(type), 2);
    (is_triangle ? evaluate_triangle : evaluate_square)(is_linear, point.rs, p.N, p.dN);
    rule.push_back(std::move(p));
  }
  return rule;
}

}  // namespace

const std::vector<FacePoint>& face_rule(ElementType type) {
  SOLIDYN_ASSERT(dimension(type) == 2);
  static const std::vector<FacePoint> tri3 = make_face_rule(ElementType::tri3),
                                      tri6 = make_face_rule(ElementType::tri6),
                                      quad4 = make_face_rule(ElementType::quad4),
                                      quad8 = make_face_rule(ElementType::quad8);
  switch (type) {
    case ElementType::tri3:
      return tri3;
    case ElementType::tri6:
      return tri6;
    case ElementType::quad4:
      return quad4;
    default:
      return quad8;
  }
}

Eigen::MatrixXd compute_face_mass(ElementType type, const Eigen::Ref<const Eigen::Matrix3Xd>& x) {
  SOLIDYN_ASSERT(dimension(type) == 2 && x.cols() == n_nodes(type));
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(x.cols(), x.cols());
  for (const FacePoint& point : face_rule(type)) {
    const Eigen::Matrix<double, 3, 2> tangents = x * point.dN;
    const Vector3d normal = Vector3d(tangents.col(0)).cross(Vector3d(tangents.col(1)));
    mass += point.weight * normal.norm() * point.N * point.N.transpose();
  }
  return mass;
}

}  // namespace solidyn::mesh
