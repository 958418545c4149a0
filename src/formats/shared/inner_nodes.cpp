#include "formats/shared/inner_nodes.h"

#include <algorithm>

namespace solidyn::formats {

std::int64_t drop_inner_nodes(std::vector<bool> is_inner, mesh::Mesh& mesh) {
  for (const mesh::ElementBlock& elements : mesh.blocks)
    for (const std::int32_t node : elements.connectivity) is_inner[node] = false;
  std::vector<std::int32_t> new_index(is_inner.size(), -1);
  std::int32_t n = 0;
  for (std::size_t node = 0; node < is_inner.size(); ++node) {
    if (is_inner[node]) continue;
    mesh.x.col(n) = mesh.x.col(static_cast<Eigen::Index>(node)).eval();
    mesh.node_tags[static_cast<std::size_t>(n)] = mesh.node_tags[node];
    new_index[node] = n++;
  }
  mesh.x.conservativeResize(3, n);
  mesh.node_tags.resize(static_cast<std::size_t>(n));
  for (mesh::ElementBlock& elements : mesh.blocks)
    for (std::int32_t& node : elements.connectivity) node = new_index[node];
  for (auto& [name, set] : mesh.sets) {
    for (std::int32_t& node : set.nodes) node = new_index[node];
    set.nodes.erase(std::remove(set.nodes.begin(), set.nodes.end(), -1), set.nodes.end());
  }
  return static_cast<std::int64_t>(is_inner.size()) - n;
}

}  // namespace solidyn::formats
