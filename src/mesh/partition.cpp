#include "mesh/partition.h"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "mesh/element_work.h"
#include "solidyn/base/error.h"

namespace solidyn::mesh {
namespace {

template <class Visit>  // (element count over all solid blocks, its nodes, its type)
void for_each_solid(const Mesh& mesh, const Visit& visit) {
  std::int64_t count = 0;
  for (const ElementBlock& block : mesh.blocks) {
    if (dimension(block.type) != 3) continue;
    const int n = n_nodes(block.type);
    for (std::int64_t e = 0; e < block.size(); ++e)
      visit(count++, &block.connectivity[static_cast<std::size_t>(e) * n], block.type);
  }
}

void require_metis_ok(int status) {
  if (status == METIS_OK) return;
  throw base::ComputationError(status == METIS_ERROR_MEMORY
                                   ? "out of memory while partitioning the mesh (METIS)"
                                   : "METIS could not partition the mesh");
}

struct MetisDeleter {
  void operator()(idx_t* array) const { METIS_Free(array); }
};
using MetisArray = std::unique_ptr<idx_t, MetisDeleter>;

struct Graph {
  MetisArray offsets, neighbours;
};

Graph make_dual_graph(const Mesh& mesh, std::int64_t n_elements) {
  std::vector<idx_t> offsets = {0}, corners;
  offsets.reserve(n_elements + 1);
  corners.reserve(8 * n_elements);
  for_each_solid(mesh, [&](std::int64_t, const std::int32_t* nodes, ElementType type) {
    corners.insert(corners.end(), nodes, nodes + n_corners(type));
    offsets.push_back(static_cast<idx_t>(corners.size()));
  });
  idx_t ne = static_cast<idx_t>(n_elements), nn = static_cast<idx_t>(mesh.n_nodes());
  idx_t face_corners = 3, from_zero = 0, *xadj = nullptr, *adjncy = nullptr;
  require_metis_ok(METIS_MeshToDual(&ne, &nn, offsets.data(), corners.data(), &face_corners,
                                    &from_zero, &xadj, &adjncy));
  return {MetisArray(xadj), MetisArray(adjncy)};
}

// None where all weigh the same.
std::vector<idx_t> weights_of(const Mesh& mesh) {
  std::vector<idx_t> weights;
  for_each_solid(mesh, [&](std::int64_t, const std::int32_t*, ElementType type) {
    weights.push_back(element_work(type));
  });
  const auto differs = [&](idx_t weight) { return weight != weights.front(); };
  if (std::none_of(weights.begin(), weights.end(), differs)) weights.clear();
  return weights;
}

std::vector<std::int32_t> split_elements(const Mesh& mesh, std::int64_t n_elements, int n_parts) {
  std::vector<std::int32_t> part(n_elements, 0);
  if (n_parts == 1) return part;
  if (n_elements <= n_parts) {
    std::iota(part.begin(), part.end(), 0);
    return part;
  }
  const Graph graph = make_dual_graph(mesh, n_elements);
  std::vector<idx_t> weights = weights_of(mesh);
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  idx_t n = static_cast<idx_t>(n_elements), constraints = 1, parts = n_parts, cut = 0;
  static_assert(sizeof(idx_t) == sizeof(std::int32_t), "METIS with 32-bit indices");
  require_metis_ok(METIS_PartGraphKway(&n, &constraints, graph.offsets.get(),
                                       graph.neighbours.get(),
                                       weights.empty() ? nullptr : weights.data(), nullptr, nullptr,
                                       &parts, nullptr, nullptr, options, &cut, part.data()));
  return part;
}

/// For each node the parts of its elements, at most `kMost` of them: enough to balance ownership.
class Candidates {
 public:
  static constexpr int kMost = 8;
  explicit Candidates(std::int64_t n_nodes) : parts_(n_nodes * kMost, -1) {}
  void add(std::int32_t node, std::int32_t part) {
    for (std::int32_t* p = begin(node); p != begin(node) + kMost; ++p) {
      if (*p == part) return;
      if (*p == -1) {
        *p = part;
        return;
      }
    }
  }
  /// The part with the fewest nodes; -1 when the node has no element.
  std::int32_t least_loaded(std::int32_t node, const std::vector<std::int64_t>& load) {
    std::int32_t best = -1;
    for (const std::int32_t* p = begin(node); p != begin(node) + kMost && *p >= 0; ++p)
      if (best < 0 || load[*p] < load[best]) best = *p;
    return best;
  }
  bool is_inner(std::int32_t node) { return begin(node)[1] == -1; }

 private:
  std::int32_t* begin(std::int32_t node) { return &parts_[static_cast<std::size_t>(node) * kMost]; }
  std::vector<std::int32_t> parts_;
};

std::vector<std::int32_t> share_nodes(const Mesh& mesh,
                                      const std::vector<std::int32_t>& element_part, int n_parts) {
  Candidates candidates(mesh.n_nodes());
  for_each_solid(mesh, [&](std::int64_t element, const std::int32_t* nodes, ElementType type) {
    for (int i = 0; i < n_nodes(type); ++i) candidates.add(nodes[i], element_part[element]);
  });
  std::vector<std::int64_t> load(n_parts, 0);
  std::vector<std::int32_t> part(mesh.n_nodes());
  for (const bool inner : {true, false}) {
    for (std::int32_t node = 0; node < mesh.n_nodes(); ++node) {
      if (candidates.is_inner(node) != inner) continue;
      part[node] = candidates.least_loaded(node, load);
      if (part[node] < 0)
        throw base::InputError(
            fmt::format("node {} belongs to no solid element", mesh.node_tags[node]),
            "remove it before the mesh is distributed");
      ++load[part[node]];
    }
  }
  return part;
}

// A cloud of nodes has no neighbours: even shares, in the order of the file.
std::vector<std::int32_t> split_cloud(std::int64_t n_nodes, int n_parts) {
  std::vector<std::int32_t> part(n_nodes);
  for (std::int64_t i = 0; i < n_nodes; ++i)
    part[i] = static_cast<std::int32_t>(i * n_parts / n_nodes);
  return part;
}

}  // namespace

Partition partition(const Mesh& mesh, int n_parts) {
  std::int64_t n_elements = 0;
  for_each_solid(mesh,
                 [&n_elements](std::int64_t, const std::int32_t*, ElementType) { ++n_elements; });
  Partition result;
  if (n_elements == 0) {
    result.node_part = split_cloud(mesh.n_nodes(), n_parts);
    return result;
  }
  result.element_part = split_elements(mesh, n_elements, n_parts);
  result.node_part = share_nodes(mesh, result.element_part, n_parts);
  return result;
}

}  // namespace solidyn::mesh
