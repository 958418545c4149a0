#include "solidyn/fem/geometric_stiffness.h"

#include <array>

#include "fem/assembly/element_elasticity.h"
#include "solidyn/base/mpi.h"
#include "solidyn/elements/quadrature.h"
#include "solidyn/elements/visit_element.h"
#include "solidyn/fem/solid_element.h"

namespace solidyn::fem {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// The components of a symmetric tensor: normal ones, then the upper triangle.
constexpr std::array<std::array<int, 2>, 6> kComponents = {
    {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {2, 0}}};

// Enough columns for a matrix product to run at its full speed.
constexpr Index kBatchColumns = 256;

// Sums h_ij sigma^l over points by one product per batch: a column of `products` holds one
// component, at one point, of H_i^T H_j + its transpose for all pairs i <= j; the row of `stresses`
// beside it holds that component of all sigma^l, times the point's volume.
class PairSums {
 public:
  PairSums(Index n_modes, Index n_loads)
      : n_(n_modes),
        sums_(MatrixXd::Zero(n_modes * (n_modes + 1) / 2, n_loads)),
        products_(sums_.rows(), kBatchColumns),
        stresses_(kBatchColumns, n_loads) {}

  /// @param H_modes [3 n x 3] row c n + i, column a: d(component c of mode i)/dx_a
  /// @param stress [6 x n_loads] in the order of kComponents
  void add_point(const MatrixXd& H_modes, const MatrixXd& stress, double volume) {
    if (n_columns_ + 6 > kBatchColumns) flush();
    for (int k = 0; k < 6; ++k) {
      const auto [a, b] = kComponents[k];
      fill_products(H_modes, a, b, products_.col(n_columns_));
      stresses_.row(n_columns_++) = volume * stress.row(k);
    }
  }

  const MatrixXd& finish() {
    flush();
    return sums_;
  }

 private:
  template <class Column>
  void fill_products(const MatrixXd& H, int a, int b, Column column) const {
    Index at = 0;
    for (Index i = 0; i < n_; ++i) {
      const Index length = n_ - i;
      auto pairs = column.segment(at, length);
      pairs = H(i, a) * H.col(b).segment(i, length);
      for (int c = 1; c < 3; ++c) pairs += H(c * n_ + i, a) * H.col(b).segment(c * n_ + i, length);
      if (a != b)
        for (int c = 0; c < 3; ++c)
          pairs += H(c * n_ + i, b) * H.col(a).segment(c * n_ + i, length);
      at += length;
    }
  }

  void flush() {
    sums_.noalias() += products_.leftCols(n_columns_) * stresses_.topRows(n_columns_);
    n_columns_ = 0;
  }

  Index n_, n_columns_ = 0;
  MatrixXd sums_, products_, stresses_;
};

// Reference gradients at the points. Of tetrahedra four are enough, also where curved ones take
// more for their patch test.
template <class Element>
struct GradientTable {
  elements::Quadrature rule;
  std::vector<Eigen::Matrix<double, Element::n_nodes, 3>> gradients;
  explicit GradientTable(int degree) : rule(elements::make_rule<Element>(degree)) {
    for (Index q = 0; q < rule.weights.size(); ++q)
      gradients.push_back(Element::gradients(rule.points.col(q)));
  }
};

template <class Element>
const GradientTable<Element>& table_of(const Section& section) {
  static const GradientTable<Element> any(Element::type == elements::ElementType::tet10
                                              ? 2
                                              : elements::stiffness_degree(Element::type));
  if constexpr (Element::type == elements::ElementType::hex20) {
    static const GradientTable<Element> reduced(elements::kReducedHex20Degree);
    if (section.hex20 == Hex20Integration::reduced) return reduced;
  }
  return any;
}

// The rows of U at an element's nodes: row c n_fields + i, column a: component c of field i at node
// a.
void gather(const Eigen::Ref<const MatrixXd>& U, const std::int32_t* nodes, Index n_nodes,
            MatrixXd& out) {
  const Index n = U.cols();
  for (Index a = 0; a < n_nodes; ++a)
    for (Index i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c) out(c * n + i, a) = U(3 * nodes[a] + c, i);
}

// The same with the amplitudes of the element's incompatible modes as three more columns.
void gather_amplitudes(const Eigen::Matrix<double, 9, 24>& amplitudes, Index n_fields,
                       MatrixXd& out) {
  Eigen::Matrix<double, 24, 1> u;
  for (Index i = 0; i < n_fields; ++i) {
    for (int a = 0; a < 8; ++a)
      for (int c = 0; c < 3; ++c) u[3 * a + c] = out(c * n_fields + i, a);
    const Eigen::Matrix<double, 9, 1> alpha = amplitudes * u;
    for (int m = 0; m < 3; ++m)
      for (int c = 0; c < 3; ++c) out(c * n_fields + i, 8 + m) = alpha[3 * m + c];
  }
}

// The shape functions' gradients at one element's points, and the points' volumes; hex8 elements
// with incompatible modes have three functions more.
template <class Element>
struct ElementPoints {
  static constexpr int kMaxFunctions =
      Element::n_nodes + (Element::type == elements::ElementType::hex8 ? 3 : 0);
  using Gradients = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::ColMajor, kMaxFunctions>;
  std::vector<Gradients> gradients;
  VectorXd volumes;

  void compute(const ElementNodes<Element>& x, const GradientTable<Element>& table,
               bool has_modes) {
    const Index n_points = table.rule.weights.size();
    gradients.resize(n_points);
    volumes.resize(n_points);
    for (Index q = 0; q < n_points; ++q) {
      const Matrix3d J = x * table.gradients[q];
      volumes[q] = table.rule.weights[q] * J.determinant();
      gradients[q].resize(Element::n_nodes + (has_modes ? 3 : 0), 3);
      gradients[q].template topRows<Element::n_nodes>() = table.gradients[q] * J.inverse();
      if constexpr (Element::type == elements::ElementType::hex8)
        if (has_modes)
          gradients[q].template bottomRows<3>() =
              compute_hex8_mode_gradients(x, table.rule.points.col(q));
    }
  }
};

// Stresses of all loads at all points of one element.
class Stresses {
 public:
  explicit Stresses(Index n_loads) : n_(n_loads) {}

  /// @param H [3 n_loads x 3] per point, rows as in PairSums
  const std::vector<MatrixXd>& compute(const Elasticity& material, const std::vector<MatrixXd>& H,
                                       const VectorXd& volumes, bool has_mean_volume_change) {
    at_points_.resize(H.size(), MatrixXd(6, n_));
    for (Index l = 0; l < n_; ++l) {
      double mean = 0.0;
      for (std::size_t q = 0; q < H.size(); ++q) mean += volumes[q] * divergence(H[q], l);
      mean /= volumes.sum();
      const Eigen::Matrix<double, 6, 1> of_change = stress(material, kVolumeChange);
      for (std::size_t q = 0; q < H.size(); ++q) {
        at_points_[q].col(l) = stress(material, strain_of(H[q], l));
        if (has_mean_volume_change)
          at_points_[q].col(l) += (mean - divergence(H[q], l)) * of_change;
      }
    }
    return at_points_;
  }

 private:
  double divergence(const MatrixXd& H, Index l) const {
    return H(l, 0) + H(n_ + l, 1) + H(2 * n_ + l, 2);
  }
  Eigen::Matrix<double, 6, 1> strain_of(const MatrixXd& H, Index l) const {
    Eigen::Matrix<double, 6, 1> e;
    for (int k = 0; k < 6; ++k) {
      const auto [a, b] = kComponents[k];
      e[k] = k < 3 ? H(a * n_ + l, a) : H(a * n_ + l, b) + H(b * n_ + l, a);
    }
    return e;
  }

  // A volume change of one, alike in all directions.
  const Eigen::Matrix<double, 6, 1> kVolumeChange =
      (Eigen::Matrix<double, 6, 1>() << Eigen::Vector3d::Constant(1.0 / 3.0),
       Eigen::Vector3d::Zero())
          .finished();
  Index n_;
  std::vector<MatrixXd> at_points_;
};

template <class Element>
void add_elements(const mesh::DistributedMesh& mesh, const mesh::ElementBlock& block,
                  const Section& section, std::int64_t first, std::int64_t last,
                  const Eigen::Ref<const MatrixXd>& loads, const Eigen::Ref<const MatrixXd>& modes,
                  PairSums& sums) {
  constexpr bool is_hex8 = Element::type == elements::ElementType::hex8;
  const bool has_modes = is_hex8 && section.hex8 == Hex8Formulation::incompatible_modes;
  const bool has_mean_volume_change = is_hex8 && section.hex8 == Hex8Formulation::b_bar;
  const Index n_functions = Element::n_nodes + (has_modes ? 3 : 0);
  const GradientTable<Element>& table = table_of<Element>(section);
  ElementPoints<Element> points;
  Stresses stresses(loads.cols());
  ElementElasticity element_elasticity(section.material);
  ElementNodes<Element> x;
  MatrixXd at_loads(3 * loads.cols(), n_functions), at_modes(3 * modes.cols(), n_functions);
  MatrixXd H_modes;
  std::vector<MatrixXd> H_loads(table.rule.weights.size());
  for (std::int64_t e = first; e < last; ++e) {
    const std::int32_t* nodes = &block.connectivity[e * Element::n_nodes];
    for (int a = 0; a < Element::n_nodes; ++a) x.col(a) = mesh.x.col(nodes[a]);
    const Elasticity& elasticity = element_elasticity.at(x);
    gather(loads, nodes, Element::n_nodes, at_loads);
    gather(modes, nodes, Element::n_nodes, at_modes);
    if constexpr (is_hex8)
      if (has_modes) {
        const auto amplitudes = compute_hex8_mode_amplitudes(x, elasticity);
        gather_amplitudes(amplitudes, loads.cols(), at_loads);
        gather_amplitudes(amplitudes, modes.cols(), at_modes);
      }
    points.compute(x, table, has_modes);
    for (std::size_t q = 0; q < H_loads.size(); ++q)
      H_loads[q].noalias() = at_loads * points.gradients[q];
    const auto& at_points =
        stresses.compute(elasticity, H_loads, points.volumes, has_mean_volume_change);
    for (std::size_t q = 0; q < H_loads.size(); ++q) {
      H_modes.noalias() = at_modes * points.gradients[q];
      sums.add_point(H_modes, at_points[q], points.volumes[q]);
    }
  }
}

std::vector<MatrixXd> unpack(const MatrixXd& pairs, Index n) {
  std::vector<MatrixXd> out;
  for (Index l = 0; l < pairs.cols(); ++l) {
    MatrixXd& kappa = out.emplace_back(n, n);
    Index at = 0;
    for (Index i = 0; i < n; ++i)
      for (Index j = i; j < n; ++j) kappa(i, j) = kappa(j, i) = pairs(at++, l);
  }
  return out;
}

}  // namespace

std::vector<MatrixXd> compute_geometric_stiffness(const mesh::DistributedMesh& mesh,
                                                  const Sections& sections,
                                                  const Eigen::Ref<const MatrixXd>& loads,
                                                  const Eigen::Ref<const MatrixXd>& modes) {
  SOLIDYN_ASSERT(loads.rows() == 3 * mesh.n_local() && modes.rows() == 3 * mesh.n_local());
  PairSums sums(modes.cols(), loads.cols());
  for (const mesh::ElementBlock& block : mesh.solids)
    elements::visit_element(block.type, [&](auto element) {
      for_sections(
          sections, block, [&](const Section& section, std::int64_t first, std::int64_t last) {
            add_elements<decltype(element)>(mesh, block, section, first, last, loads, modes, sums);
          });
    });
  MatrixXd pairs = sums.finish();
  base::sum_in_place(mesh.comm, pairs.data(), static_cast<int>(pairs.size()));
  return unpack(pairs, modes.cols());
}

}  // namespace solidyn::fem
