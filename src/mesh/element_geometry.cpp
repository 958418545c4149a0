#include "solidyn/mesh/element_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "solidyn/base/error.h"
#include "solidyn/elements/quadrature.h"
#include "solidyn/elements/topology.h"
#include "solidyn/elements/visit_element.h"

namespace solidyn::mesh {
namespace {

using Eigen::Vector3d;

ElementType type_of(const ElementPositions& x) {
  switch (x.cols()) {
    case 4:
      return ElementType::tet4;
    case 10:
      return ElementType::tet10;
    case 8:
      return ElementType::hex8;
    case 20:
      return ElementType::hex20;
    case 6:
      return ElementType::wedge6;
    case 15:
      return ElementType::wedge15;
    case 5:
      return ElementType::pyramid5;
    default:
      SOLIDYN_ASSERT(x.cols() == 13);
      return ElementType::pyramid13;
  }
}

template <class Element>
double jacobian_of(const ElementPositions& x,
                   const Eigen::Matrix<double, Element::n_nodes, 3>& gradients) {
  const Eigen::Matrix<double, 3, Element::n_nodes> nodes = x;
  return Eigen::Matrix3d(nodes * gradients).determinant();
}

// Gradients and values at a list of points.
template <class Element>
struct Points {
  using Gradients = Eigen::Matrix<double, Element::n_nodes, 3>;
  using Values = Eigen::Matrix<double, Element::n_nodes, 1>;
  std::vector<Gradients, Eigen::aligned_allocator<Gradients>> gradients;
  std::vector<Values, Eigen::aligned_allocator<Values>> values;

  void add(const Eigen::Matrix3Xd& rst) {
    for (Eigen::Index i = 0; i < rst.cols(); ++i) {
      gradients.push_back(Element::gradients(rst.col(i)));
      values.push_back(Element::values(rst.col(i)));
    }
  }
};

template <class Element>
struct VolumeRule {
  Eigen::VectorXd weights;
  Points<Element> points;
  VolumeRule() {
    const elements::Quadrature rule =
        elements::make_rule<Element>(elements::stiffness_degree(Element::type));
    weights = rule.weights;
    points.add(rule.points);
  }
};

template <class Element>
const VolumeRule<Element>& volume_rule() {
  static const VolumeRule<Element> rule;
  return rule;
}

/// The nodes but a pyramid's apex, where the map is singular.
template <class Element>
const Points<Element>& node_points() {
  static const Points<Element> points = [] {
    constexpr bool is_pyramid = Element::n_nodes == 5 || Element::n_nodes == 13;
    Points<Element> nodes;
    for (int i = 0; i < Element::n_nodes; ++i)
      if (!(is_pyramid && i == 4)) nodes.add(Element::nodes().col(i));
    return nodes;
  }();
  return points;
}

template <class Element>
double smallest_of(const ElementPositions& x, const Points<Element>& points) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& gradients : points.gradients)
    smallest = std::min(smallest, jacobian_of<Element>(x, gradients));
  return smallest;
}

double radius_ratio(const ElementPositions& x) {
  const Vector3d a = x.col(1) - x.col(0), b = x.col(2) - x.col(0), c = x.col(3) - x.col(0);
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

// For each corner but a pyramid's apex its three neighbours, right-handed.
using Neighbours = std::vector<std::array<int, 4>>;

template <class Element>
Neighbours make_neighbours() {
  const auto nodes = Element::nodes();
  Neighbours result;
  for (int corner = 0; corner < n_corners(Element::type); ++corner) {
    std::vector<int> found = {corner};
    for (const auto& edge : edges(Element::type))
      if (edge[0] == corner || edge[1] == corner) found.push_back(edge[0] + edge[1] - corner);
    if (found.size() != 4) continue;
    const auto along = [&](int i) { return Vector3d(nodes.col(found[i]) - nodes.col(corner)); };
    if (along(1).cross(along(2)).dot(along(3)) < 0.0) std::swap(found[1], found[2]);
    result.push_back({found[0], found[1], found[2], found[3]});
  }
  return result;
}

// The triple product at the corners of the element with equal edges: a cube; an upright prism on a
// regular triangle; half of a regular octahedron.
double regular_triple_product(ElementType type) {
  switch (linear_of(type)) {
    case ElementType::wedge6:
      return std::sqrt(0.75);
    case ElementType::pyramid5:
      return std::sqrt(0.5);
    default:
      return 1.0;
  }
}

template <class Element>
double scaled_jacobian(const ElementPositions& x) {
  static const Neighbours neighbours = make_neighbours<Element>();
  double smallest = std::numeric_limits<double>::infinity();
  for (const auto& [corner, i, j, k] : neighbours) {
    const Vector3d a = x.col(i) - x.col(corner), b = x.col(j) - x.col(corner),
                   c = x.col(k) - x.col(corner);
    const double lengths = a.norm() * b.norm() * c.norm();
    smallest = std::min(smallest, lengths > 0.0 ? a.cross(b).dot(c) / lengths : 0.0);
  }
  return smallest / regular_triple_product(Element::type);
}

}  // namespace

ElementPositions gather_positions(const Eigen::Matrix3Xd& x, const ElementBlock& block,
                                  std::int64_t element) {
  const int n = n_nodes(block.type);
  ElementPositions positions(3, n);
  const std::int32_t* nodes = &block.connectivity[static_cast<std::size_t>(element) * n];
  for (int i = 0; i < n; ++i) positions.col(i) = x.col(nodes[i]);
  return positions;
}

double jacobian(const ElementPositions& x, const Vector3d& rst) {
  double result = 0.0;
  elements::visit_element(type_of(x), [&](auto element) {
    using Element = decltype(element);
    result = jacobian_of<Element>(x, Element::gradients(rst));
  });
  return result;
}

double volume(const ElementPositions& x) {
  double sum = 0.0;
  elements::visit_element(type_of(x), [&](auto element) {
    using Element = decltype(element);
    const VolumeRule<Element>& rule = volume_rule<Element>();
    for (Eigen::Index q = 0; q < rule.weights.size(); ++q)
      sum += rule.weights[q] * jacobian_of<Element>(x, rule.points.gradients[q]);
  });
  return sum;
}

Vector3d first_moment(const ElementPositions& x) {
  Vector3d sum = Vector3d::Zero();
  elements::visit_element(type_of(x), [&](auto element) {
    using Element = decltype(element);
    const VolumeRule<Element>& rule = volume_rule<Element>();
    for (Eigen::Index q = 0; q < rule.weights.size(); ++q)
      sum += rule.weights[q] * jacobian_of<Element>(x, rule.points.gradients[q]) *
             (x * rule.points.values[q]);
  });
  return sum;
}

double smallest_jacobian(const ElementPositions& x) {
  double smallest = 0.0;
  elements::visit_element(type_of(x), [&](auto element) {
    using Element = decltype(element);
    smallest = smallest_of<Element>(x, volume_rule<Element>().points);
  });
  return smallest;
}

double smallest_jacobian_at_nodes(const ElementPositions& x) {
  double smallest = 0.0;
  elements::visit_element(type_of(x), [&](auto element) {
    using Element = decltype(element);
    smallest = smallest_of<Element>(x, node_points<Element>());
  });
  return smallest;
}

double quality(const ElementPositions& x) {
  const ElementType type = type_of(x);
  if (linear_of(type) == ElementType::tet4) return radius_ratio(x);
  double result = 0.0;
  elements::visit_element(type,
                          [&](auto element) { result = scaled_jacobian<decltype(element)>(x); });
  return result;
}

}  // namespace solidyn::mesh
