#include "fem/assembly/attached_masses.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::fem {
namespace {

// This rank's owned nodes in the order of their numbers.
std::vector<std::int32_t> sort_by_tags(const mesh::DistributedMesh& mesh) {
  std::vector<std::int32_t> nodes(mesh.n_owned);
  for (std::int32_t i = 0; i < mesh.n_owned; ++i) nodes[i] = i;
  std::sort(nodes.begin(), nodes.end(),
            [&](std::int32_t a, std::int32_t b) { return mesh.node_tags[a] < mesh.node_tags[b]; });
  return nodes;
}

void refuse_unknown_nodes(MPI_Comm comm, const std::vector<NodeMass>& masses,
                          std::vector<double> found) {
  base::sum_in_place(comm, found.data(), static_cast<int>(found.size()));
  std::vector<base::Diagnostic> errors;
  for (std::size_t i = 0; i < masses.size(); ++i)
    if (found[i] == 0.0)
      errors.push_back(
          {{},
           fmt::format("{}: its node {} is on no solid element", masses[i].name, masses[i].node),
           "attach it to nodes of solid elements, directly or by a rigid element"});
  if (!errors.empty()) throw base::InputError(std::move(errors));
}

}  // namespace

void add_node_masses(const mesh::DistributedMesh& mesh, const std::vector<NodeMass>& masses,
                     NodeRows& rows, MassMoments& moments) {
  if (masses.empty()) return;
  const std::vector<std::int32_t> nodes = sort_by_tags(mesh);
  std::vector<double> found(masses.size(), 0.0);
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const auto node =
        std::lower_bound(nodes.begin(), nodes.end(), masses[i].node,
                         [&](std::int32_t a, std::int64_t tag) { return mesh.node_tags[a] < tag; });
    if (node == nodes.end() || mesh.node_tags[*node] != masses[i].node) continue;
    found[i] = 1.0;
    rows.add_mass(*node, masses[i].mass);
    moments.add_point(mesh.x.col(*node), masses[i].mass);
  }
  refuse_unknown_nodes(mesh.comm, masses, std::move(found));
}

}  // namespace solidyn::fem
