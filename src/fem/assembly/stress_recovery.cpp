#include "solidyn/fem/stress_recovery.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fem/assembly/element_elasticity.h"
#include "fem/assembly/ghost_exchange.h"
#include "fem/kernels/stress_fit.h"
#include "solidyn/elements/quadrature.h"
#include "solidyn/elements/visit_element.h"
#include "solidyn/fem/solid_element.h"
#include "solidyn/math/dense.h"

namespace solidyn::fem {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;

// Fields worked on together: their geometry is computed once, and their sums stay in cache.
constexpr int kBlock = 8;

// The points of an element's stiffness, and the fit to values at them.
template <class Element>
struct Points {
  elements::Quadrature rule;
  StressFit<Element> fit{rule.points};
  explicit Points(int degree) : rule(elements::make_rule<Element>(degree)) {}
};

template <class Element>
const Points<Element>& points_of(const Section& section) {
  static const Points<Element> any(elements::stiffness_degree(Element::type));
  if constexpr (Element::type == elements::ElementType::hex20) {
    static const Points<Element> reduced(elements::kReducedHex20Degree);
    if (section.hex20 == Hex20Integration::reduced) return reduced;
  }
  return any;
}

// Fitted gradients of an element's shape functions, [n x 3] per term: the displacement gradient's
// fit is sum_a u_a (row a)^T. Further rows are incompatible modes.
template <class Element>
struct FittedGradients {
  static constexpr int kRows =
      Element::n_nodes + (Element::type == elements::ElementType::hex8 ? 3 : 0);
  using Rows = Eigen::Matrix<double, kRows, 3>;
  std::array<Rows, StressFit<Element>::kMaxTerms> terms;
  Eigen::Matrix<double, Element::n_nodes, 3> mean;  // over the volume
  double volume = 0.0;
};

template <class Element>
void compute_gradients(const ElementNodes<Element>& x, const Section& section,
                       FittedGradients<Element>& out) {
  constexpr int n = Element::n_nodes;
  const elements::Quadrature& rule = points_of<Element>(section).rule;
  const StressFit<Element>& fit = points_of<Element>(section).fit;
  for (auto& rows : out.terms) rows.setZero();
  out.mean.setZero();
  out.volume = 0.0;
  typename FittedGradients<Element>::Rows rows = FittedGradients<Element>::Rows::Zero();
  for (Index q = 0; q < rule.points.cols(); ++q) {
    const Eigen::Matrix<double, n, 3> reference = Element::gradients(rule.points.col(q));
    const Matrix3d J = x * reference;
    const double weight = rule.weights[q] * J.determinant();
    rows.template topRows<n>() = reference * J.inverse();
    if constexpr (Element::type == elements::ElementType::hex8)
      if (section.hex8 == Hex8Formulation::incompatible_modes)
        rows.template bottomRows<3>() = compute_hex8_mode_gradients(x, rule.points.col(q));
    for (int k = 0; k < fit.n_terms(); ++k) out.terms[k] += fit.from_points(k, q) * rows;
    out.mean += weight * rows.template topRows<n>();
    out.volume += weight;
  }
  out.mean /= out.volume;
}

Stress strain_of(const Matrix3d& H) {
  Stress strain;
  strain << H(0, 0), H(1, 1), H(2, 2), H(0, 1) + H(1, 0), H(1, 2) + H(2, 1), H(2, 0) + H(0, 2);
  return strain;
}

// One element of one type: how its nodes' stresses follow from displacements.
template <class Element>
class ElementStress {
 public:
  static constexpr int n = Element::n_nodes;
  using NodalStress = Eigen::Matrix<double, 6, n>;

  explicit ElementStress(const Section& section)
      : section_(section),
        fit_(points_of<Element>(section).fit),
        element_elasticity_(section_.material) {}

  void set_nodes(const ElementNodes<Element>& x) {
    compute_gradients<Element>(x, section_, gradients_);
    elasticity_ = &element_elasticity_.at(x);
    if constexpr (Element::type == elements::ElementType::hex8)
      if (section_.hex8 == Hex8Formulation::incompatible_modes)
        amplitudes_ = compute_hex8_mode_amplitudes(x, *elasticity_);
  }

  void compute(const ElementNodes<Element>& u, NodalStress& sigma) const {
    Eigen::Matrix<double, 3, FittedGradients<Element>::kRows> values;
    fill(u, values);
    Eigen::Matrix<double, 6, StressFit<Element>::kMaxTerms> terms;
    for (int k = 0; k < fit_.n_terms(); ++k) {
      Matrix3d H = values * gradients_.terms[k];
      if (has_mean_volume_change()) {
        const double change = k == 0 ? (u * gradients_.mean).trace() : 0.0;
        H.diagonal().array() += (change - H.trace()) / 3.0;
      }
      terms.col(k) = stress(*elasticity_, strain_of(H));
    }
    sigma.noalias() = terms.leftCols(fit_.n_terms()) * fit_.at_nodes.transpose();
  }

  double volume() const { return gradients_.volume; }

 private:
  bool has_mean_volume_change() const {
    return Element::type == elements::ElementType::hex8 && section_.hex8 == Hex8Formulation::b_bar;
  }

  template <class Values>
  void fill(const ElementNodes<Element>& u, Values& values) const {
    values.template leftCols<n>() = u;
    if constexpr (Element::type == elements::ElementType::hex8) {
      values.template rightCols<3>().setZero();
      if (section_.hex8 != Hex8Formulation::incompatible_modes) return;
      const Eigen::Matrix<double, 9, 1> alpha =
          amplitudes_ * Eigen::Map<const Eigen::Matrix<double, 24, 1>>(u.data());
      values.template rightCols<3>() = Eigen::Map<const Matrix3d>(alpha.data());
    }
  }

  const Section section_;
  const StressFit<Element>& fit_;
  ElementElasticity element_elasticity_;  // of section_
  const Elasticity* elasticity_ = nullptr;
  FittedGradients<Element> gradients_;
  Eigen::Matrix<double, 9, 24> amplitudes_;
};

}  // namespace

struct StressRecovery::Implementation {
  const mesh::DistributedMesh& mesh;
  Sections sections;
  std::vector<std::int32_t> nodes;
  GhostExchange ghosts;
  std::vector<bool> is_wanted;                      // of each local node, ghosts too
  std::vector<std::vector<std::int64_t>> elements;  // of each block, those that hold such a node
  Eigen::VectorXd volume;                           // [n_local] of the elements around a node

  Implementation(const mesh::DistributedMesh& mesh, const Sections& sections,
                 std::vector<std::int32_t> nodes)
      : mesh(mesh), sections(sections), nodes(std::move(nodes)), ghosts(mesh) {
    mark_wanted();
    find_elements();
    sum_volumes();
  }

  // The owners know which nodes are wanted; elements on other ranks hold them as ghosts.
  void mark_wanted() {
    Matrix3Xd flag = Matrix3Xd::Zero(3, mesh.n_local());
    for (const std::int32_t node : nodes) flag(0, node) = 1.0;
    ghosts.update(flag);
    is_wanted.resize(mesh.n_local());
    for (std::int32_t i = 0; i < mesh.n_local(); ++i) is_wanted[i] = flag(0, i) > 0.0;
  }

  void find_elements() {
    for (const mesh::ElementBlock& block : mesh.solids) {
      const int n = elements::n_nodes(block.type);
      elements.emplace_back();
      for (std::int64_t e = 0; e < block.size(); ++e) {
        const std::int32_t* node = &block.connectivity[n * e];
        if (std::any_of(node, node + n, [&](std::int32_t k) { return is_wanted[k]; }))
          elements.back().push_back(e);
      }
    }
  }

  // Visits the elements of a block as (section, first, last) of `elements`.
  template <class Visit>
  void for_runs(std::size_t b, const Visit& visit) const {
    const mesh::ElementBlock& block = mesh.solids[b];
    for (auto first = elements[b].begin(), last = first; first != elements[b].end(); first = last) {
      const std::int32_t region = block.region(*first);
      last = std::find_if(first, elements[b].end(),
                          [&](std::int64_t e) { return block.region(e) != region; });
      visit(sections.of_region(region), first, last);
    }
  }

  // Visits the elements, type by type, with (element's stress, its nodes).
  template <class Visit>
  void for_elements(const Visit& visit) const {
    for (std::size_t b = 0; b < mesh.solids.size(); ++b)
      elements::visit_element(mesh.solids[b].type, [&](auto type) {
        using Element = decltype(type);
        ElementNodes<Element> x;
        for_runs(b, [&](const Section& section, auto first, auto last) {
          ElementStress<Element> element(section);
          for (; first != last; ++first) {
            const std::int32_t* node = &mesh.solids[b].connectivity[Element::n_nodes * *first];
            for (int a = 0; a < Element::n_nodes; ++a) x.col(a) = mesh.x.col(node[a]);
            element.set_nodes(x);
            visit(element, type, node);
          }
        });
      });
  }

  void sum_volumes() {
    Matrix3Xd sum = Matrix3Xd::Zero(3, mesh.n_local());
    for_elements([&](const auto& element, auto type, const std::int32_t* node) {
      for (int a = 0; a < decltype(type)::n_nodes; ++a) sum(0, node[a]) += element.volume();
    });
    ghosts.add_to_owners(sum);
    volume = sum.row(0);
  }

  // Sums volume times stress of up to kBlock fields: column `node` holds six numbers per field.
  void add_fields(const Eigen::Ref<const MatrixXd>& U, MatrixXd& sum) const {
    const Index n_fields = U.cols();
    for_elements([&](const auto& element, auto type, const std::int32_t* node) {
      using Element = decltype(type);
      ElementNodes<Element> u;
      typename ElementStress<Element>::NodalStress sigma;
      for (Index j = 0; j < n_fields; ++j) {
        for (int a = 0; a < Element::n_nodes; ++a)
          u.col(a) = U.col(j).template segment<3>(3 * node[a]);
        element.compute(u, sigma);
        for (int a = 0; a < Element::n_nodes; ++a)
          if (is_wanted[node[a]])
            sum.col(node[a]).template segment<6>(6 * j) += element.volume() * sigma.col(a);
      }
    });
  }

  void add_to_owners(MatrixXd& sum, Index n_fields) const {
    Matrix3Xd part(3, mesh.n_local());
    for (Index k = 0; k < 2 * n_fields; ++k) {
      part = sum.middleRows<3>(3 * k);
      ghosts.add_to_owners(part);
      sum.middleRows<3>(3 * k) = part;
    }
  }
};

StressRecovery::StressRecovery(const mesh::DistributedMesh& mesh, const Sections& sections,
                               std::vector<std::int32_t> nodes)
    : implementation_(std::make_unique<Implementation>(mesh, sections, std::move(nodes))) {}
StressRecovery::~StressRecovery() = default;
StressRecovery::StressRecovery(StressRecovery&&) noexcept = default;
StressRecovery& StressRecovery::operator=(StressRecovery&&) noexcept = default;

const std::vector<std::int32_t>& StressRecovery::nodes() const { return implementation_->nodes; }

MatrixXd StressRecovery::compute(const Eigen::Ref<const MatrixXd>& U) const {
  const Implementation& self = *implementation_;
  SOLIDYN_ASSERT(U.rows() == 3 * self.mesh.n_local());
  MatrixXd out(6 * self.nodes.size(), U.cols());
  for (Index first = 0; first < U.cols(); first += kBlock) {
    const Index n_fields = std::min<Index>(kBlock, U.cols() - first);
    MatrixXd sum = MatrixXd::Zero(6 * n_fields, self.mesh.n_local());
    self.add_fields(U.middleCols(first, n_fields), sum);
    self.add_to_owners(sum, n_fields);
    for (std::size_t i = 0; i < self.nodes.size(); ++i)
      for (Index j = 0; j < n_fields; ++j)
        out.col(first + j).segment<6>(6 * i) =
            sum.col(self.nodes[i]).segment<6>(6 * j) / self.volume[self.nodes[i]];
  }
  return out;
}

double von_mises(const Stress& s) {
  const double normal =
      std::pow(s[0] - s[1], 2) + std::pow(s[1] - s[2], 2) + std::pow(s[2] - s[0], 2);
  return std::sqrt(0.5 * normal + 3.0 * s.tail<3>().squaredNorm());
}

namespace {

Matrix3d as_matrix(const Stress& s) {
  Matrix3d m;
  m << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
  return m;
}

}  // namespace

Vector3d principal_stresses(const Stress& sigma) {
  return math::symmetric_eigenvalues(as_matrix(sigma)).reverse();
}

Stress rotated(const Stress& sigma_A, const Matrix3d& R_BA) {
  const Matrix3d m = R_BA * as_matrix(sigma_A) * R_BA.transpose();
  Stress s;
  s << m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(1, 2), m(2, 0);
  return s;
}

std::vector<std::int32_t> find_surface_nodes(const mesh::DistributedMesh& mesh) {
  Matrix3Xd flag = Matrix3Xd::Zero(3, mesh.n_local());
  for (const mesh::ElementBlock& block : mesh.surface)
    for (const std::int32_t node : block.connectivity) flag(0, node) = 1.0;
  GhostExchange(mesh).add_to_owners(flag);
  std::vector<std::int32_t> nodes;
  for (std::int32_t i = 0; i < mesh.n_owned; ++i)
    if (flag(0, i) > 0.0) nodes.push_back(i);
  return nodes;
}

}  // namespace solidyn::fem
