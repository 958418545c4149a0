#include "solidyn/mesh/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gather_items.h"
#include "solidyn/base/disjoint_sets.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/elements/topology.h"
#include "solidyn/mesh/boundary.h"
#include "solidyn/mesh/element_geometry.h"

namespace solidyn::mesh {
namespace {

bool is_solid(const ElementBlock& block) { return dimension(block.type) == 3; }

/// Marks the nodes of the blocks that `accepts` takes.
template <class Accepts>
std::vector<bool> mark_nodes(const Mesh& mesh, const Accepts& accepts) {
  std::vector<bool> marks(mesh.n_nodes(), false);
  for (const ElementBlock& block : mesh.blocks)
    if (accepts(block))
      for (std::int32_t node : block.connectivity) marks[node] = true;
  return marks;
}

/// Removes the elements of which a node has no new number, and renumbers the others.
std::int64_t renumber(ElementBlock& block, const std::vector<std::int32_t>& new_number) {
  const int n = n_nodes(block.type);
  std::int64_t kept = 0;
  for (std::int64_t e = 0; e < block.size(); ++e) {
    std::int32_t* from = &block.connectivity[static_cast<std::size_t>(e) * n];
    if (std::any_of(from, from + n, [&](std::int32_t node) { return new_number[node] < 0; }))
      continue;
    std::int32_t* to = &block.connectivity[static_cast<std::size_t>(kept) * n];
    std::transform(from, from + n, to, [&](std::int32_t node) { return new_number[node]; });
    if (!block.regions.empty()) block.regions[kept] = block.regions[e];
    block.tags[kept++] = block.tags[e];
  }
  const std::int64_t dropped = block.size() - kept;
  block.tags.resize(kept);
  if (!block.regions.empty()) block.regions.resize(kept);
  block.connectivity.resize(static_cast<std::size_t>(kept) * n);
  return dropped;
}

void keep_nodes(const std::vector<bool>& keep, Mesh& mesh, std::int64_t& n_elements_dropped) {
  std::vector<std::int32_t> new_number(keep.size(), -1);
  std::int32_t n = 0;
  for (std::size_t node = 0; node < keep.size(); ++node) {
    if (!keep[node]) continue;
    mesh.x.col(n) = mesh.x.col(static_cast<Eigen::Index>(node)).eval();
    mesh.node_tags[n] = mesh.node_tags[node];
    new_number[node] = n++;
  }
  mesh.x.conservativeResize(3, n);
  mesh.node_tags.resize(n);
  for (ElementBlock& block : mesh.blocks) n_elements_dropped += renumber(block, new_number);
  mesh.blocks.erase(std::remove_if(mesh.blocks.begin(), mesh.blocks.end(),
                                   [](const ElementBlock& block) { return block.size() == 0; }),
                    mesh.blocks.end());
  for (auto& [name, set] : mesh.sets) {
    std::vector<std::int32_t> nodes;
    for (std::int32_t node : set.nodes)
      if (new_number[node] >= 0) nodes.push_back(new_number[node]);
    set.nodes = std::move(nodes);
  }
}

void drop_loose_nodes(Mesh& mesh, const std::string& file) {
  const std::vector<bool> in_any = mark_nodes(mesh, [](const ElementBlock&) { return true; });
  const std::vector<bool> in_solid = mark_nodes(mesh, is_solid);
  const auto n_in_any = std::count(in_any.begin(), in_any.end(), true);
  const auto n_in_solid = std::count(in_solid.begin(), in_solid.end(), true);
  const std::int64_t n_unused = mesh.n_nodes() - n_in_any, n_loose = n_in_any - n_in_solid;
  if (n_unused + n_loose == 0) return;
  std::int64_t n_elements = 0;
  keep_nodes(in_solid, mesh, n_elements);
  if (n_unused) base::log_info("{}: {} nodes not used by any element were removed", file, n_unused);
  if (n_loose)
    base::log_warning(
        "{}: {} nodes that belong to no solid element were removed from the mesh and its sets, with {} lines and faces on them",
        file, n_loose, n_elements);
}

double longest_edge(const ElementPositions& x, ElementType type) {
  double longest = 0.0;
  for (const auto& [i, j] : edges(type)) longest = std::max(longest, (x.col(i) - x.col(j)).norm());
  return longest;
}

/// Elements that cannot be integrated, of one kind.
struct Rejected {
  std::int64_t n = 0;
  double worst = std::numeric_limits<double>::infinity();
  std::string worst_element;
  std::string first;  // tags
  void add(const ElementBlock& block, std::int64_t e, double ratio) {
    constexpr int kMostListed = 10;
    if (n++ < kMostListed) first += fmt::format("{}{}", first.empty() ? "" : ", ", block.tags[e]);
    if (n == kMostListed + 1) first += ", ...";
    if (ratio >= worst) return;
    worst = ratio;
    worst_element = fmt::format("{} {}", name(block.type), block.tags[e]);
  }
  std::string list() const {
    return fmt::format("elements {}; worst: {} with a Jacobian of {:.3g} of its longest edge cubed",
                       first, worst_element, worst);
  }
};

void check_shapes(const Eigen::Matrix3Xd& x_all, const std::vector<ElementBlock>& blocks,
                  const base::SourceLocation& where, std::vector<base::Diagnostic>& errors) {
  constexpr double kFlat = 1e-9;
  Rejected inverted, collapsed;
  std::int64_t n_solids = 0;
  for (const ElementBlock& block : blocks) {
    if (!is_solid(block)) continue;
    n_solids += block.size();
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const ElementPositions x = gather_positions(x_all, block, e);
      const double edge = longest_edge(x, block.type);
      const double ratio = edge > 0.0 ? smallest_jacobian(x) / (edge * edge * edge) : 0.0;
      if (ratio < -kFlat) {
        inverted.add(block, e, ratio);
      } else if (ratio < kFlat) {
        collapsed.add(block, e, ratio);
      }
    }
  }
  if (inverted.n)
    errors.push_back(
        {where,
         fmt::format("{} of {} solid elements are inverted: {}", inverted.n, n_solids,
                     inverted.list()),
         inverted.n == n_solids
             ? "all elements are inverted: the node order is probably that of another program"
             : "repair the mesh there (smaller elements, or straight instead of curved edges)"});
  if (collapsed.n)
    errors.push_back({where,
                      fmt::format("{} of {} solid elements have zero volume: {}", collapsed.n,
                                  n_solids, collapsed.list()),
                      "remove these elements, or correct their nodes"});
}

void check_faces(const Mesh& mesh, const base::SourceLocation& where,
                 std::vector<base::Diagnostic>& errors) {
  const FaceFaults faults = count_face_faults(mesh);
  if (faults.n_overfull)
    errors.push_back(
        {where,
         fmt::format("{} faces are shared by more than two solid elements: the solids overlap",
                     faults.n_overfull),
         "remove duplicate elements (volumes saved in two files or layers, for example)"});
  if (faults.n_split)
    errors.push_back(
        {where,
         fmt::format("{} quadrilateral faces touch triangles: the mesh is not conforming there",
                     faults.n_split),
         "put pyramids between hexahedra and tetrahedra"});
  if (faults.n_mixed)
    errors.push_back(
        {where,
         fmt::format(
             "{} faces lie between elements with and without mid-side nodes: the mid-side nodes would be hanging nodes",
             faults.n_mixed),
         "mesh touching volumes with the same element order (Gmsh: `Mesh.ElementOrder`)"});
}

/// Pairs of neighbours in the order of their positions rounded to 1e-9 of the mesh's size.
void warn_of_coincident_nodes(const Mesh& mesh, const std::string& file) {
  if (mesh.n_nodes() < 2) return;
  const Eigen::Vector3d low = mesh.x.rowwise().minCoeff();
  const double grid = 1e-9 * (mesh.x.rowwise().maxCoeff() - low).norm();
  if (!(grid > 0.0)) return;
  using Key = std::array<std::int64_t, 3>;
  std::vector<std::pair<Key, std::int32_t>> places(mesh.n_nodes());
  for (std::int32_t node = 0; node < mesh.n_nodes(); ++node) {
    for (int i = 0; i < 3; ++i)
      places[node].first[i] = std::llround((mesh.x(i, node) - low[i]) / grid);
    places[node].second = node;
  }
  std::sort(places.begin(), places.end());
  std::int64_t n = 0;
  std::string example;
  for (std::size_t i = 1; i < places.size(); ++i) {
    if (places[i].first != places[i - 1].first) continue;
    if (n++ == 0)
      example = fmt::format("{} and {}", mesh.node_tags[places[i - 1].second],
                            mesh.node_tags[places[i].second]);
  }
  if (n)
    base::log_warning(
        "{}: {} pairs of nodes coincide (such as {}): the solids are not connected there; if they should be, merge the nodes",
        file, n, example);
}

/// Elements that are inverted at nodes only. Not errors: published benchmark meshes have such
/// elements, and integrate well; meshers that curve sides leave some tet10.
struct InvertedNodes {
  std::int64_t n = 0;
  std::int64_t tag = std::numeric_limits<std::int64_t>::max();  // the smallest
  ElementType type = ElementType::tet10;                        // of that element
};

InvertedNodes find_inverted_nodes(const Eigen::Matrix3Xd& x,
                                  const std::vector<ElementBlock>& blocks) {
  InvertedNodes found;
  for (const ElementBlock& block : blocks) {
    if (!is_solid(block)) continue;
    for (std::int64_t e = 0; e < block.size(); ++e) {
      if (smallest_jacobian_at_nodes(gather_positions(x, block, e)) > 0.0) continue;
      ++found.n;
      if (block.tags[e] < found.tag) found.tag = block.tags[e], found.type = block.type;
    }
  }
  return found;
}

void warn_of_inverted_nodes(const InvertedNodes& found, const std::string& file) {
  if (found.n)
    base::log_warning(
        "{}: {} elements are inverted at a corner or a mid-side node, but not at their integration points (such as {} {}): stresses there are unreliable; straighten or refine these elements",
        file, found.n, name(found.type), found.tag);
}

void warn_of_parts_and_sets(const Mesh& mesh, const std::string& file) {
  const std::int64_t n_parts = count_connected_parts(mesh);
  if (n_parts > 1)
    base::log_warning("{}: the solids form {} disconnected parts, which share no node", file,
                      n_parts);
  for (const auto& [name, set] : mesh.sets)
    if (set.nodes.empty()) base::log_warning("{}: the set `{}` is empty", file, name);
}

}  // namespace

std::int64_t count_connected_parts(const Mesh& mesh) {
  base::DisjointSets<std::int32_t> sets(mesh.n_nodes());
  for (const ElementBlock& block : mesh.blocks) {
    if (!is_solid(block)) continue;
    const int n = n_nodes(block.type);
    for (std::size_t i = 0; i < block.connectivity.size(); ++i)
      sets.join(block.connectivity[i], block.connectivity[i - i % n]);
  }
  const std::vector<bool> in_solid = mark_nodes(mesh, is_solid);
  std::int64_t n_parts = 0;
  for (std::int32_t node = 0; node < mesh.n_nodes(); ++node)
    if (in_solid[node] && sets.root(node) == node) ++n_parts;
  return n_parts;
}

void check(Mesh& mesh, const std::string& file) {
  const base::SourceLocation where{file, 0, 0};
  if (std::none_of(mesh.blocks.begin(), mesh.blocks.end(),
                   [](const ElementBlock& block) { return is_solid(block) && block.size() > 0; }))
    throw base::InputError(
        "the mesh contains no solid elements (tetrahedra, hexahedra, wedges or pyramids)",
        "mesh the volume (Gmsh: -3) and add it to a physical group: if any group exists, Gmsh saves only elements of groups",
        where);
  drop_loose_nodes(mesh, file);
  std::vector<base::Diagnostic> errors;
  check_shapes(mesh.x, mesh.blocks, where, errors);
  check_faces(mesh, where, errors);
  if (!errors.empty()) throw base::InputError(std::move(errors));
  warn_of_inverted_nodes(find_inverted_nodes(mesh.x, mesh.blocks), file);
  warn_of_coincident_nodes(mesh, file);
  warn_of_parts_and_sets(mesh, file);
}

void check(const DistributedMesh& mesh, const std::string& file) {
  base::run_together(mesh.comm, [&] {
    std::vector<base::Diagnostic> errors;
    check_shapes(mesh.x, mesh.solids, {file, 0, 0}, errors);
    if (!errors.empty()) throw base::InputError(std::move(errors));
  });
  InvertedNodes all;
  for (const InvertedNodes& of_rank :
       gather_items<InvertedNodes>(mesh.comm, {find_inverted_nodes(mesh.x, mesh.solids)})) {
    all.n += of_rank.n;
    if (of_rank.tag < all.tag) all.tag = of_rank.tag, all.type = of_rank.type;
  }
  warn_of_inverted_nodes(all, file);
}

}  // namespace solidyn::mesh
