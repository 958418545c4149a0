#include "reduction/import/modal_rows.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "reduction/eigen/scatter.h"
#include "reduction/import/imported_rows.h"
#include "solidyn/base/error.h"
#include "solidyn/base/gather.h"
#include "solidyn/base/mpi.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Nodes of the mesh on rank 0, rank after rank.
struct AllNodes {
  std::vector<std::int64_t> tags, n_of_rank;
  std::vector<double> x;
};

AllNodes gather_nodes(const mesh::DistributedMesh& mesh) {
  AllNodes nodes;
  nodes.tags = gather_node_tags(mesh);
  nodes.n_of_rank =
      base::gather_on_first(mesh.comm, std::vector<std::int64_t>{mesh.n_owned}, MPI_INT64_T);
  nodes.x = base::gather_on_first(
      mesh.comm, std::vector<double>(mesh.x.data(), mesh.x.data() + 3 * mesh.n_owned), MPI_DOUBLE);
  return nodes;
}

std::string first_of(const std::vector<std::int64_t>& tags) {
  constexpr std::size_t kShown = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(tags.size(), kShown); ++i)
    text += fmt::format("{}{}", i ? ", " : "", tags[i]);
  return text;
}

void check_places(const imported::ModalData& modes, const AllNodes& nodes,
                  const std::vector<Index>& row_of) {
  if (modes.x.cols() == 0) return;
  constexpr double kAccepted = 1e-4;  // of the body's size
  const Eigen::Map<const Matrix3Xd> x(nodes.x.data(), 3, static_cast<Index>(nodes.tags.size()));
  const double size = (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm();
  std::vector<std::int64_t> elsewhere;
  double farthest = 0.0;
  for (Index i = 0; i < x.cols(); ++i) {
    const double distance = (x.col(i) - modes.x.col(row_of[i])).norm();
    farthest = std::max(farthest, distance);
    if (distance > kAccepted * size) elsewhere.push_back(nodes.tags[i]);
  }
  if (elsewhere.empty()) return;
  throw base::InputError(
      fmt::format(
          "{}: the coordinates of {} of {} nodes differ from the mesh by up to {:g} m (first: {})",
          modes.source, elsewhere.size(), x.cols(), farthest, first_of(elsewhere)),
      "give the mesh with which the modes were computed, and the same units for both");
}

// For each node of the mesh, its place in the modes.
std::vector<Index> match(const imported::ModalData& modes, const AllNodes& nodes) {
  std::unordered_map<std::int64_t, Index> found;
  for (std::size_t i = 0; i < modes.node_tags.size(); ++i)
    found.emplace(modes.node_tags[i], static_cast<Index>(i));
  std::vector<Index> row_of;
  row_of.reserve(nodes.tags.size());
  std::vector<std::int64_t> missing;
  for (const std::int64_t tag : nodes.tags) {
    const auto row = found.find(tag);
    if (row == found.end())
      missing.push_back(tag);
    else
      row_of.push_back(row->second);
  }
  if (!missing.empty())
    throw base::InputError(
        fmt::format("{}: its modes have no values at {} of {} nodes of the mesh (first: {})",
                    modes.source, missing.size(), nodes.tags.size(), first_of(missing)),
        "write the eigenvectors at all nodes, from a run with this mesh");
  check_places(modes, nodes, row_of);
  return row_of;
}

// The modes' rows of each rank's nodes, mode after mode, along the mesh's axes.
std::vector<std::vector<double>> cut(const imported::ModalData& modes, const AllNodes& nodes,
                                     const std::vector<Index>& row_of) {
  std::vector<std::vector<double>> sent(nodes.n_of_rank.size());
  std::size_t first = 0;
  for (std::size_t r = 0; r < sent.size(); ++r) {
    const auto n = static_cast<std::size_t>(nodes.n_of_rank[r]);
    sent[r].reserve(3 * n * static_cast<std::size_t>(modes.translations.cols()));
    for (Index j = 0; j < modes.translations.cols(); ++j)
      for (std::size_t i = first; i < first + n; ++i) {
        Vector3d u = modes.translations.block<3, 1>(3 * row_of[i], j);
        const auto axes = modes.node_axes.find(nodes.tags[i]);
        if (!modes.has_basic_axes && axes != modes.node_axes.end()) u = axes->second * u;
        sent[r].insert(sent[r].end(), u.data(), u.data() + 3);
      }
    first += n;
  }
  return sent;
}

void refuse_useless(const imported::ModalData& modes) {
  if (modes.is_complex)
    throw base::InputError(fmt::format("{}: its modes are complex", modes.source),
                           "give real modes, computed without damping and rotation");
  if (modes.modes.empty())
    throw base::InputError(fmt::format("{}: it contains no modes", modes.source),
                           "write the eigenvectors of a modal analysis to the file");
  if (!modes.translations.allFinite())
    throw base::InputError(
        fmt::format("{}: its modes contain values that are not finite", modes.source));
}

}  // namespace

ModalRows distribute(const mesh::DistributedMesh& mesh, const imported::ModalData& modes) {
  const AllNodes nodes = gather_nodes(mesh);
  std::vector<std::vector<double>> sent(base::size(mesh.comm));
  std::vector<double> eigenvalues, masses;
  ModalRows out;
  base::run_together(mesh.comm, [&] {
    if (base::rank(mesh.comm) != 0) return;
    refuse_useless(modes);
    sent = cut(modes, nodes, match(modes, nodes));
    for (const imported::ImportedMode& mode : modes.modes) {
      eigenvalues.push_back(mode.eigenvalue);
      masses.push_back(mode.generalized_mass);
      out.numbers.push_back(mode.number);
    }
  });
  const std::vector<double> mine = scatter_from_first(mesh.comm, sent, MPI_DOUBLE);
  base::broadcast(mesh.comm, eigenvalues);
  base::broadcast(mesh.comm, masses);
  base::broadcast(mesh.comm, out.numbers);
  const bool is_scaled = base::rank(mesh.comm) == 0 && modes.is_scaled_to_maximum;
  out.is_scaled_to_maximum = base::max(mesh.comm, is_scaled ? 1.0 : 0.0) > 0.0;
  const auto m = static_cast<Index>(eigenvalues.size());
  out.vectors = Eigen::Map<const MatrixXd>(mine.data(), 3 * mesh.n_owned, m);
  out.eigenvalues = Eigen::Map<const VectorXd>(eigenvalues.data(), m);
  out.masses = Eigen::Map<const VectorXd>(masses.data(), m);
  return out;
}

namespace {

void refuse_unknown(const std::map<std::int64_t, double>& mass_of_tag,
                    const std::vector<std::int64_t>& tags) {
  const std::unordered_set<std::int64_t> known(tags.begin(), tags.end());
  std::vector<std::int64_t> unknown;
  for (const auto& [tag, mass] : mass_of_tag)
    if (known.count(tag) == 0) unknown.push_back(tag);
  if (!unknown.empty())
    throw base::InputError(
        fmt::format("{} of the nodes with given masses are not in the body (first: {})",
                    unknown.size(), first_of(unknown)),
        "remove them, or give the mesh that contains them");
}

}  // namespace

VectorXd distribute(const mesh::DistributedMesh& mesh,
                    const std::map<std::int64_t, double>& of_tag) {
  const AllNodes nodes = gather_nodes(mesh);
  base::run_together(mesh.comm, [&] {
    if (base::rank(mesh.comm) == 0) refuse_unknown(of_tag, nodes.tags);
  });
  std::vector<std::vector<double>> sent(base::size(mesh.comm));
  std::size_t next = 0;
  for (std::size_t r = 0; r < nodes.n_of_rank.size(); ++r)
    for (std::int64_t i = 0; i < nodes.n_of_rank[r]; ++i) {
      const auto found = of_tag.find(nodes.tags[next++]);
      sent[r].push_back(found == of_tag.end() ? 0.0 : found->second);
    }
  const std::vector<double> mine = scatter_from_first(mesh.comm, sent, MPI_DOUBLE);
  return Eigen::Map<const VectorXd>(mine.data(), mesh.n_owned);
}

}  // namespace solidyn::reduction
