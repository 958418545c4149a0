#include "reduction/sbody/sbody_skin.h"

#include <set>

#include "solidyn/mesh/boundary.h"

namespace solidyn::reduction {
namespace {

// Per type of solid, the positions of elements with an outer face, ascending.
std::map<elements::ElementType, std::set<std::int64_t>> find_outer_elements(
    const mesh::Mesh& mesh) {
  std::map<elements::ElementType, std::set<std::int64_t>> outer;
  for (const mesh::BoundaryFace& face : mesh::find_boundary_faces(mesh))
    outer[face.solid].insert(face.element);
  return outer;
}

}  // namespace

Skin make_skin(const mesh::Mesh& whole) {
  Skin skin;
  const auto outer = find_outer_elements(whole);
  skin.row_of.assign(whole.n_nodes(), -1);
  for (const auto& [type, elements] : outer) {
    const int n = elements::n_nodes(type);
    const mesh::ElementBlock& block = *whole.find_block(type);
    for (const std::int64_t e : elements)
      for (int a = 0; a < n; ++a) skin.row_of[block.connectivity[e * n + a]] = 0;
  }
  for (std::int64_t i = 0; i < whole.n_nodes(); ++i) {
    if (skin.row_of[i] < 0) continue;
    skin.row_of[i] = static_cast<std::int64_t>(skin.node.size());
    skin.node.push_back(i);
    skin.mesh.node_tags.push_back(whole.node_tags[i]);
  }
  skin.mesh.x = whole.x(Eigen::all, skin.node);
  for (const auto& [type, elements] : outer) {
    const int n = elements::n_nodes(type);
    const mesh::ElementBlock& block = *whole.find_block(type);
    mesh::ElementBlock& kept = skin.mesh.blocks.emplace_back();
    kept.type = type;
    for (const std::int64_t e : elements) {
      kept.tags.push_back(block.tags[e]);
      for (int a = 0; a < n; ++a)
        kept.connectivity.push_back(
            static_cast<std::int32_t>(skin.row_of[block.connectivity[e * n + a]]));
    }
  }
  for (const auto& [name, set] : whole.sets) {
    mesh::NodeSet& kept = skin.mesh.sets[name];
    kept.dimension = set.dimension;
    for (const std::int32_t node : set.nodes)
      if (skin.row_of[node] >= 0)
        kept.nodes.push_back(static_cast<std::int32_t>(skin.row_of[node]));
  }
  return skin;
}

}  // namespace solidyn::reduction
