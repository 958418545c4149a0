#include "solidyn/fem/solid_element.h"

#include <cmath>
#include <limits>
#include <vector>

#include "fem/kernels/elastic_blocks.h"
#include "solidyn/elements/quadrature.h"

namespace solidyn::fem {
namespace {

// Shape functions at the points of one rule.
template <class Element>
struct Table {
  using Gradients = Eigen::Matrix<double, Element::n_nodes, 3>;
  Eigen::VectorXd weights;
  Eigen::Matrix<double, Element::n_nodes, Eigen::Dynamic> values;
  std::vector<Gradients, Eigen::aligned_allocator<Gradients>> gradients;

  explicit Table(int degree) {
    const elements::Quadrature rule = elements::make_rule<Element>(degree);
    weights = rule.weights;
    values.resize(Element::n_nodes, weights.size());
    for (Eigen::Index q = 0; q < weights.size(); ++q) {
      values.col(q) = Element::values(rule.points.col(q));
      gradients.push_back(Element::gradients(rule.points.col(q)));
    }
  }
};

template <class Element>
constexpr bool kIsTet =
    Element::type == elements::ElementType::tet4 || Element::type == elements::ElementType::tet10;

// Of the rules that stiffness_degree() chooses.
template <class Element>
constexpr int kMaxStiffnessPoints = kIsTet<Element> ? 14 : 27;

template <class Element>
const Table<Element>& stiffness_table(bool is_straight_tet) {
  static const Table<Element> straight(Element::n_nodes == 4 ? 1 : 2);
  static const Table<Element> any(elements::stiffness_degree(Element::type));
  return is_straight_tet ? straight : any;
}

const Table<elements::Hex20>& reduced_hex20_table() {
  static const Table<elements::Hex20> reduced(elements::kReducedHex20Degree);
  return reduced;
}

template <class Element>
const Table<Element>& mass_table() {
  static const Table<Element> table(elements::mass_degree(Element::type));
  return table;
}

// m_ab of a tetrahedron of unit mass with a constant Jacobian.
template <class Element>
const ElementMass<Element>& unit_mass() {
  static const ElementMass<Element> m = [] {
    const Table<Element> table(4);
    return ElementMass<Element>(6.0 * table.values * table.weights.asDiagonal() *
                                table.values.transpose());
  }();
  return m;
}

// Tetrahedra with straight edges have a constant Jacobian.
template <class Element>
bool is_straight_tet(const ElementNodes<Element>&) {
  return Element::type == elements::ElementType::tet4;
}

template <>
bool is_straight_tet<elements::Tet10>(const ElementNodes<elements::Tet10>& x) {
  double size = 0.0, offset = 0.0;
  for (int e = 0; e < 6; ++e) {
    const auto a = x.col(elements::Tet10::edges[e][0]), b = x.col(elements::Tet10::edges[e][1]);
    size = std::max(size, (b - a).squaredNorm());
    offset = std::max(offset, (x.col(4 + e) - 0.5 * (a + b)).squaredNorm());
  }
  constexpr double kTolerance = 1e-12;  // of the longest edge: digits of a mesh file
  return offset <= kTolerance * kTolerance * size;
}

// Gradients of the shape functions in x, row a; returns det J.
template <class Element>
double physical_gradients(const ElementNodes<Element>& x,
                          const Eigen::Matrix<double, Element::n_nodes, 3>& reference,
                          Eigen::Matrix<double, Element::n_nodes, 3>& physical) {
  const Eigen::Matrix3d J = x * reference;
  physical.noalias() = reference * J.inverse();
  return J.determinant();
}

}  // namespace

namespace {

template <class Element>
double integrate_stiffness(const ElementNodes<Element>& x, const Elasticity& material,
                           const Table<Element>& table, ElementStiffness<Element>& K) {
  constexpr int n = Element::n_nodes;
  const int n_points = static_cast<int>(table.weights.size());
  // Column q holds all gradients at point q, scaled, so that G of all node pairs is one product.
  Eigen::Matrix<double, 3 * n, Eigen::Dynamic, Eigen::ColMajor, 3 * n, kMaxStiffnessPoints<Element>>
      B(3 * n, n_points);
  Eigen::Matrix<double, n, 3> gradients;
  double smallest = std::numeric_limits<double>::infinity();
  for (int q = 0; q < n_points; ++q) {
    const double det = physical_gradients<Element>(x, table.gradients[q], gradients);
    smallest = std::min(smallest, det);
    const double scale = std::sqrt(table.weights[q] * std::abs(det));
    for (int a = 0; a < n; ++a) B.template block<3, 1>(3 * a, q) = scale * gradients.row(a);
  }
  K.noalias() = B.lazyProduct(B.transpose());
  turn_into_stiffness<n>(material, K);
  return smallest;
}

}  // namespace

template <class Element>
double compute_stiffness(const ElementNodes<Element>& x, const Elasticity& material,
                         ElementStiffness<Element>& K) {
  return integrate_stiffness<Element>(x, material,
                                      stiffness_table<Element>(is_straight_tet<Element>(x)), K);
}

double compute_hex20_stiffness(const ElementNodes<elements::Hex20>& x, const Elasticity& material,
                               Hex20Integration integration, ElementStiffness<elements::Hex20>& K) {
  if (integration == Hex20Integration::full)
    return compute_stiffness<elements::Hex20>(x, material, K);
  return integrate_stiffness<elements::Hex20>(x, material, reduced_hex20_table(), K);
}

template <class Element>
void compute_mass(const ElementNodes<Element>& x, double density, ElementMass<Element>& m) {
  if constexpr (kIsTet<Element>) {
    if (is_straight_tet<Element>(x)) {
      Eigen::Matrix3d edges;
      for (int i = 0; i < 3; ++i) edges.col(i) = x.col(i + 1) - x.col(0);
      m = (density * edges.determinant() / 6.0) * unit_mass<Element>();
      return;
    }
  }
  const Table<Element>& table = mass_table<Element>();
  m.setZero();
  for (Eigen::Index q = 0; q < table.weights.size(); ++q) {
    const Eigen::Matrix3d J = x * table.gradients[q];
    const auto N = table.values.col(q);
    m.noalias() += (density * table.weights[q] * J.determinant()) * N * N.transpose();
  }
}

template <class Element>
ElementLumpedMass<Element> make_lumped_mass(const ElementMass<Element>& m) {
  return m.diagonal() * (m.sum() / m.trace());
}

template <class Element>
Eigen::Matrix<double, 6, 1> strain(const ElementNodes<Element>& x, const ElementNodes<Element>& u,
                                   const Eigen::Vector3d& rst) {
  Eigen::Matrix<double, Element::n_nodes, 3> gradients;
  physical_gradients<Element>(x, Element::gradients(rst), gradients);
  const Eigen::Matrix3d H = u * gradients;
  Eigen::Matrix<double, 6, 1> eps;
  eps << H(0, 0), H(1, 1), H(2, 2), H(0, 1) + H(1, 0), H(1, 2) + H(2, 1), H(2, 0) + H(0, 2);
  return eps;
}

Eigen::Matrix<double, 6, 1> stress(const Elasticity& material,
                                   const Eigen::Matrix<double, 6, 1>& strain) {
  return material.stress(strain);
}

#define SOLIDYN_INSTANTIATE(Element)                                                          \
  template double compute_stiffness<Element>(const ElementNodes<Element>&, const Elasticity&, \
                                             ElementStiffness<Element>&);                     \
  template void compute_mass<Element>(const ElementNodes<Element>&, double,                   \
                                      ElementMass<Element>&);                                 \
  template ElementLumpedMass<Element> make_lumped_mass<Element>(const ElementMass<Element>&); \
  template Eigen::Matrix<double, 6, 1> strain<Element>(                                       \
      const ElementNodes<Element>&, const ElementNodes<Element>&, const Eigen::Vector3d&);
SOLIDYN_INSTANTIATE(elements::Tet4)
SOLIDYN_INSTANTIATE(elements::Tet10)
SOLIDYN_INSTANTIATE(elements::Hex8)
SOLIDYN_INSTANTIATE(elements::Hex20)
SOLIDYN_INSTANTIATE(elements::Wedge6)
SOLIDYN_INSTANTIATE(elements::Wedge15)
SOLIDYN_INSTANTIATE(elements::Pyramid5)
SOLIDYN_INSTANTIATE(elements::Pyramid13)
#undef SOLIDYN_INSTANTIATE

}  // namespace solidyn::fem
