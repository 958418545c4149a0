#include "reduction/import/placed_matrices.h"

#include <fmt/format.h>

#include <unordered_map>

#include "solidyn/base/error.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::SparseMatrix;
using Eigen::Vector3d;
using Triplets = std::vector<Eigen::Triplet<double>>;

double largest(const SparseMatrix<double>& A) {
  double result = 0.0;
  for (Index e = 0; e < A.nonZeros(); ++e) result = std::max(result, std::abs(A.valuePtr()[e]));
  return result;
}

SparseMatrix<double> assemble_symmetric(const imported::MatrixModel& model,
                                        const imported::Matrix& matrix, const char* what,
                                        const std::string& file) {
  constexpr double kAccepted = 1e-4;
  const auto n = static_cast<std::int64_t>(model.dofs.size());
  if (matrix.n_rows != n || matrix.n_columns != n)
    throw base::InputError(fmt::format("its {} is {} x {}, but {} degrees of freedom are listed",
                                       what, matrix.n_rows, matrix.n_columns, n),
                           "give the list of degrees of freedom that was written with the matrix",
                           {file, 0, 0});
  const SparseMatrix<double> A = imported::assemble(matrix);
  const SparseMatrix<double> transposed = A.transpose();
  const double skew = largest(A - transposed);
  if (skew > kAccepted * largest(A))
    throw base::InputError(fmt::format("its {} is not symmetric (by {:.1e} of its largest term)",
                                       what, skew / largest(A)),
                           "gyroscopic, follower and contact terms are not supported",
                           {file, 0, 0});
  return 0.5 * (A + transposed);
}

// Which row a degree of freedom of the model goes to, and along which axis.
class Placement {
 public:
  Placement(const imported::MatrixModel& model, const std::vector<std::int64_t>& tags,
            const SparseMatrix<double>& K, const SparseMatrix<double>& M)
      : model_(model), tags_(tags), K_(K.diagonal()), M_(M.diagonal()) {
    for (std::size_t i = 0; i < tags.size(); ++i) index_[tags[i]] = static_cast<std::int64_t>(i);
    seen_.assign(tags.size(), 0);
    list_loose_nodes();
    for (std::size_t d = 0; d < model.dofs.size(); ++d) place(static_cast<int>(d));
    refuse_held_nodes();
  }

  SparseMatrix<double> matrix() const {
    SparseMatrix<double> B(
        3 * static_cast<Index>(tags_.size()) + static_cast<Index>(extras_.size()),
        static_cast<Index>(model_.dofs.size()));
    B.setFromTriplets(triplets_.begin(), triplets_.end());
    return B;
  }
  const std::vector<ExtraRow>& extras() const { return extras_; }
  std::int64_t n_loose() const { return static_cast<std::int64_t>(loose_.size()); }

 private:
  bool is_empty(int d) const {
    constexpr double kNothing = 1e-14;
    return K_[d] <= kNothing * K_.maxCoeff() && M_[d] <= kNothing * M_.maxCoeff();
  }

  Matrix3d axes_of(std::int64_t tag) const {
    const auto found = model_.node_axes.find(tag);
    return found == model_.node_axes.end() ? Matrix3d(Matrix3d::Identity()) : found->second;
  }

  // A node without mesh that carries translations, such as the reference node of a rigid element.
  void list_loose_nodes() {
    for (std::size_t d = 0; d < model_.dofs.size(); ++d) {
      const imported::Dof& dof = model_.dofs[d];
      const bool is_translation = dof.component >= 1 && dof.component <= 3;
      const auto x = model_.nodes.find(dof.node);
      if (!is_translation || index_.count(dof.node) || x == model_.nodes.end()) continue;
      const auto row = static_cast<std::int64_t>(3 * (tags_.size() + loose_.size()));
      if (!loose_.emplace(dof.node, row).second) continue;
      seen_loose_[dof.node] = 0;
      for (int c = 1; c <= 3; ++c) extras_.push_back({-1, c, x->second, Vector3d::Unit(c - 1)});
    }
  }

  static constexpr int kAll = 0b111, kTwice = 0b1000;
  static void see(int component, int& seen) {
    const int bit = 1 << (component - 1);
    seen |= seen & bit ? kTwice : bit;
  }

  void place(int d) {
    const imported::Dof& dof = model_.dofs[d];
    const auto node = index_.find(dof.node);
    const bool is_in_mesh = node != index_.end();
    const auto loose = loose_.find(dof.node);
    if (dof.component >= 1 && dof.component <= 3 && (is_in_mesh || loose != loose_.end())) {
      see(dof.component, is_in_mesh ? seen_[node->second] : seen_loose_[dof.node]);
      place_translation(is_in_mesh ? 3 * node->second : loose->second, dof, d);
    } else if (!is_empty(d)) {
      const bool is_rotation = dof.component > 3 && (is_in_mesh || model_.nodes.count(dof.node));
      triplets_.emplace_back(static_cast<int>(3 * tags_.size() + extras_.size()), d, 1.0);
      extras_.push_back({is_in_mesh ? node->second : -1, is_rotation ? dof.component : 0,
                         Vector3d::Zero(),
                         is_rotation ? Vector3d(axes_of(dof.node).col(dof.component - 4))
                                     : Vector3d(Vector3d::Zero())});
    }
  }

  void place_translation(std::int64_t row, const imported::Dof& dof, int d) {
    const Vector3d along = axes_of(dof.node).col(dof.component - 1);
    for (int a = 0; a < 3; ++a)
      if (along[a] != 0.0) triplets_.emplace_back(static_cast<int>(row + a), d, along[a]);
  }

  void refuse_held_nodes() const {
    constexpr int kShown = 10;
    std::vector<std::int64_t> held;
    for (std::size_t i = 0; i < tags_.size(); ++i)
      if (seen_[i] != kAll) held.push_back(tags_[i]);
    for (const auto& [tag, seen] : seen_loose_)
      if (seen != kAll) held.push_back(tag);
    if (held.empty()) return;
    std::string names;
    for (std::size_t i = 0; i < held.size() && i < kShown; ++i)
      names += fmt::format("{}{}", i ? ", " : "", held[i]);
    throw base::InputError(
        fmt::format(
            "the matrices do not contain all translations, once each, of {} of {} nodes (first: {})",
            held.size(), tags_.size() + seen_loose_.size(), names),
        "write the matrices of the free body, without supports or ties, and give its own mesh",
        {model_.source, 0, 0});
  }

  const imported::MatrixModel& model_;
  const std::vector<std::int64_t>& tags_;
  Eigen::VectorXd K_, M_;
  std::unordered_map<std::int64_t, std::int64_t> index_;
  std::vector<int> seen_;  // translations of the nodes of the mesh, one bit each
  std::map<std::int64_t, int> seen_loose_;
  std::map<std::int64_t, std::int64_t> loose_;  // first row
  std::vector<ExtraRow> extras_;
  Triplets triplets_;
};

}  // namespace

PlacedMatrices place(const imported::MatrixModel& model,
                     const std::vector<std::int64_t>& node_tags) {
  const auto n = static_cast<Index>(model.dofs.size());
  const SparseMatrix<double> K =
      !model.has_stiffness()
          ? SparseMatrix<double>(n, n)
          : assemble_symmetric(model, model.stiffness, "stiffness", model.source);
  const SparseMatrix<double> M =
      assemble_symmetric(model, model.mass, "mass", model.source_of_mass());
  const Placement placement(model, node_tags, K, M);
  const SparseMatrix<double> B = placement.matrix();
  PlacedMatrices out;
  out.n_nodes = static_cast<std::int64_t>(node_tags.size());
  out.n_loose = placement.n_loose();
  out.extras = placement.extras();
  out.K = B * K * B.transpose();
  out.M = B * M * B.transpose();
  return out;
}

}  // namespace solidyn::reduction
