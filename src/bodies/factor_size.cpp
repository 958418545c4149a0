#include "factor_size.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "reduction/eigen/route.h"
#include "solidyn/base/gather.h"
#include "solidyn/elements/topology.h"
#include "solvers/nested_dissection.h"

namespace solidyn::bodies {
namespace {

// Blocks of 3 x 3 numbers, and zeros that supernodes keep.
constexpr double kBytesOfEntry = 1.1 * 9 * sizeof(double);

struct Gathered {
  std::vector<std::int64_t> elements;  // of each: the number of its corners, and these
  std::vector<std::int64_t> edges;     // both ends of each with a node in the middle
};

// Nodes in the middle of edges are told by their owner.
Gathered gather(const mesh::DistributedMesh& mesh) {
  Gathered mine;
  std::vector<bool> is_told(mesh.n_owned, false);
  for (const mesh::ElementBlock& block : mesh.solids) {
    const int n = elements::n_nodes(block.type), n_corners = elements::n_corners(block.type);
    const auto& edges = elements::edges(block.type);
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const std::int32_t* nodes = &block.connectivity[e * n];
      mine.elements.push_back(n_corners);
      for (int i = 0; i < n_corners; ++i) mine.elements.push_back(mesh.global[nodes[i]]);
      for (int i = n_corners; i < n; ++i) {
        if (nodes[i] >= mesh.n_owned || is_told[nodes[i]]) continue;
        is_told[nodes[i]] = true;
        for (const int end : edges[i - n_corners]) mine.edges.push_back(mesh.global[nodes[end]]);
      }
    }
  }
  return {base::gather_on_first(mesh.comm, mine.elements, MPI_INT64_T),
          base::gather_on_first(mesh.comm, mine.edges, MPI_INT64_T)};
}

ElementGraph make_graph(const Gathered& all) {
  ElementGraph graph;
  std::unordered_map<std::int64_t, std::int32_t> vertices;
  const auto vertex_of = [&](std::int64_t node) {
    return vertices.emplace(node, static_cast<std::int32_t>(vertices.size())).first->second;
  };
  for (std::size_t k = 0; k < all.elements.size();) {
    const std::int64_t n_corners = all.elements[k++];
    for (std::int64_t i = 0; i < n_corners; ++i)
      graph.vertices.push_back(vertex_of(all.elements[k++]));
    graph.start.push_back(static_cast<std::int32_t>(graph.vertices.size()));
  }
  for (std::size_t k = 0; k < all.edges.size(); k += 2)
    graph.edges.push_back({vertex_of(all.edges[k]), vertex_of(all.edges[k + 1])});
  graph.n_vertices = static_cast<std::int32_t>(vertices.size());
  return graph;
}

// Neighbours of each vertex, both ways, as METIS wants them.
struct Neighbours {
  std::vector<int> start = {0}, list;
};

Neighbours find_neighbours(const ElementGraph& graph) {
  const std::size_t n = graph.n_vertices;
  std::vector<std::vector<std::int32_t>> elements(n);
  for (std::size_t e = 0; e + 1 < graph.start.size(); ++e)
    for (std::int32_t k = graph.start[e]; k < graph.start[e + 1]; ++k)
      elements[graph.vertices[k]].push_back(static_cast<std::int32_t>(e));
  Neighbours found;
  std::vector<std::size_t> seen_by(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    seen_by[i] = i;
    for (const std::int32_t e : elements[i])
      for (std::int32_t k = graph.start[e]; k < graph.start[e + 1]; ++k)
        if (const std::int32_t j = graph.vertices[k]; seen_by[j] != i) {
          seen_by[j] = i;
          found.list.push_back(j);
        }
    found.start.push_back(static_cast<int>(found.list.size()));
  }
  return found;
}

}  // namespace

// J. W. H. Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl.
// 11 (1990): row i of L has an entry in each vertex on the ways up the elimination tree from i's
// neighbours that are eliminated before it.
double count_factor_entries(const ElementGraph& graph) {
  const int n = graph.n_vertices;
  const Neighbours neighbours = find_neighbours(graph);
  Neighbours for_metis = neighbours;
  const solvers::NestedDissection order = solvers::dissect(for_metis.start, for_metis.list);
  // So a separator of corners has no more middles than those of edges within it.
  std::vector<int> n_nodes(n, 1);
  for (const auto& [a, b] : graph.edges) ++n_nodes[std::min(order.position[a], order.position[b])];
  std::vector<int> parent(n, -1), reached_by(n, -1);
  double n_entries = 0.0;
  for (int i = 0; i < n; ++i) {
    const int vertex = order.order[i];
    const double rows = n_nodes[i];
    n_entries += 0.5 * rows * (rows + 1.0);
    reached_by[i] = i;
    for (int k = neighbours.start[vertex]; k < neighbours.start[vertex + 1]; ++k) {
      int j = order.position[neighbours.list[k]];
      if (j > i) continue;
      for (; reached_by[j] != i; j = parent[j]) {
        if (parent[j] < 0) parent[j] = i;
        reached_by[j] = i;
        n_entries += rows * n_nodes[j];
      }
    }
  }
  return n_entries;
}

double predict_factor_bytes(const mesh::DistributedMesh& mesh, double enough) {
  const double bound =
      reduction::bound_of_factor(mesh.comm, static_cast<double>(mesh.n_global_nodes));
  if (bound <= enough) return bound;
  const Gathered all = gather(mesh);
  double n_entries = base::rank(mesh.comm) == 0 ? count_factor_entries(make_graph(all)) : 0.0;
  MPI_Bcast(&n_entries, 1, MPI_DOUBLE, 0, mesh.comm);
  return reduction::share_of_ranks(mesh.comm) * kBytesOfEntry * n_entries;
}

}  // namespace solidyn::bodies
