#include "solidyn/imported/pairing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace solidyn::imported {
namespace {

using SparseMatrix = Eigen::SparseMatrix<double>;
using NodePair = std::pair<std::int64_t, std::int64_t>;

bool is_translation(const Dof& dof) { return dof.component >= 1 && dof.component <= 3; }

/// Sorted pairs of nodes, the lower one first, whose translations a matrix couples by more than
/// roundoff.
std::vector<NodePair> coupled_nodes(const std::vector<Dof>& dofs, const SparseMatrix& A) {
  constexpr double kRoundoff = 1e-10;
  const Eigen::VectorXd diagonal = A.diagonal();
  std::vector<NodePair> pairs;
  for (Eigen::Index column = 0; column < A.cols(); ++column)
    for (SparseMatrix::InnerIterator it(A, column); it; ++it) {
      const Dof &a = dofs[it.row()], &b = dofs[column];
      // along one axis: that is enough of a block to see it, and all that a mass has
      if (it.row() >= column || a.node == b.node || !is_translation(a) ||
          a.component != b.component)
        continue;
      const double scale = std::sqrt(std::abs(diagonal[it.row()] * diagonal[column]));
      if (std::abs(it.value()) <= kRoundoff * scale) continue;
      pairs.emplace_back(std::min(a.node, b.node), std::max(a.node, b.node));
    }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

std::int64_t count_missing(const std::vector<NodePair>& pairs, const std::vector<NodePair>& in) {
  return std::count_if(pairs.begin(), pairs.end(), [&in](const NodePair& pair) {
    return !std::binary_search(in.begin(), in.end(), pair);
  });
}

/// Which terms of a diagonal say nothing: not positive, or roundoff of the largest.
std::vector<bool> empty_rows(const Eigen::VectorXd& diagonal) {
  constexpr double kNothing = 1e-14;
  const double largest = diagonal.size() ? diagonal.maxCoeff() : 0.0;
  std::vector<bool> is_empty(diagonal.size());
  for (Eigen::Index i = 0; i < diagonal.size(); ++i)
    is_empty[i] = !(diagonal[i] > kNothing * largest);
  return is_empty;
}

Eigen::VectorXd diagonal_of(const Matrix& matrix, std::size_t n) {
  Eigen::VectorXd diagonal = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(n));
  for (std::size_t e = 0; e < matrix.values.size(); ++e)
    if (matrix.rows[e] == matrix.columns[e]) diagonal[matrix.rows[e]] += matrix.values[e];
  return diagonal;
}

bool is_without_mass(const SolidModel& mesh, std::int32_t region) {
  if (region < 0 || region >= static_cast<std::int32_t>(mesh.regions.size())) return false;
  const int material = mesh.regions[region].material;
  return material >= 0 && mesh.materials[material].density == 0.0;
}

/// Tags of the nodes of solids that have mass for all that is known.
std::unordered_set<std::int64_t> heavy_nodes(const SolidModel& mesh) {
  const bool has_densities =
      std::any_of(mesh.materials.begin(), mesh.materials.end(),
                  [](const Material& material) { return material.density > 0.0; });
  std::unordered_set<std::int64_t> tags;
  for (const mesh::ElementBlock& block : mesh.mesh.blocks) {
    if (elements::dimension(block.type) != 3) continue;
    const int n = elements::n_nodes(block.type);
    for (std::size_t i = 0; i < block.connectivity.size(); ++i) {
      const std::size_t element = i / static_cast<std::size_t>(n);
      const std::int32_t region = block.regions.empty() ? 0 : block.regions[element];
      if (has_densities && is_without_mass(mesh, region)) continue;
      tags.insert(mesh.mesh.node_tags[block.connectivity[i]]);
    }
  }
  return tags;
}

/// Rows of one matrix, "mass", that are empty where they must not be.
class MissingRows {
 public:
  MissingRows(const char* matrix, const std::string& file) : matrix_(matrix), file_(file) {}

  void add(const Dof& dof) {
    if (n_++ == 0) first_ = dof;
  }
  void refuse_if_any(std::int64_t n_rows) const {
    if (n_ == 0) return;
    throw base::InputError(
        fmt::format(
            "the {} matrix has no terms for {} of {} nodal translations of the mesh (first: component {} of node {})",
            matrix_, n_, n_rows, first_.component, first_.node),
        "the file is truncated, or stiffness, mass and mesh belong to different bodies: write them again, in one run",
        {file_, 0, 0});
  }

 private:
  const char* matrix_;
  const std::string& file_;
  std::int64_t n_ = 0;
  Dof first_;
};

}  // namespace

Pairing measure_pairing(const std::vector<Dof>& dofs, const SparseMatrix& stiffness,
                        const SparseMatrix& mass) {
  Pairing pairing;
  const std::vector<bool> soft = empty_rows(stiffness.diagonal()),
                          massless = empty_rows(mass.diagonal());
  const bool has_mass = mass.nonZeros() > 0;  // a superelement may come without
  for (std::size_t i = 0; i < dofs.size(); ++i) {
    if (!is_translation(dofs[i])) continue;
    pairing.n_massless += has_mass && massless[i] && !soft[i];
    pairing.n_soft += soft[i] && !massless[i];
  }
  const std::vector<NodePair> by_stiffness = coupled_nodes(dofs, stiffness),
                              by_mass = coupled_nodes(dofs, mass);
  // A lumped mass couples nodes by attachments only, which are few.
  constexpr std::size_t kFew = 10;
  if (by_mass.size() * kFew < by_stiffness.size()) return pairing;
  pairing.n_only_in_stiffness = count_missing(by_stiffness, by_mass);
  pairing.n_only_in_mass = count_missing(by_mass, by_stiffness);
  pairing.n_pairs = static_cast<std::int64_t>(by_stiffness.size()) + pairing.n_only_in_mass;
  return pairing;
}

void refuse_missing_rows(const MatrixModel& model, const SolidModel& mesh) {
  const std::unordered_set<std::int64_t> heavy = heavy_nodes(mesh);
  const std::size_t n = model.dofs.size();
  const std::vector<bool> massless = empty_rows(diagonal_of(model.mass, n));
  std::vector<bool> soft(n, false);
  if (model.has_stiffness()) soft = empty_rows(diagonal_of(model.stiffness, n));
  MissingRows of_mass("mass", model.source_of_mass()), of_stiffness("stiffness", model.source);
  std::int64_t n_rows = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!is_translation(model.dofs[i]) || heavy.count(model.dofs[i].node) == 0) continue;
    ++n_rows;
    if (massless[i]) of_mass.add(model.dofs[i]);
    if (soft[i]) of_stiffness.add(model.dofs[i]);
  }
  of_mass.refuse_if_any(n_rows);
  of_stiffness.refuse_if_any(n_rows);
}

}  // namespace solidyn::imported
