#include "recursive/absolute_nodes.h"

#include "solidyn/base/disjoint_sets.h"
#include "solidyn/bodies/element_body.h"

namespace solidyn::recursive {

AbsoluteNodes find_absolute_nodes(const system::System& system) {
  const auto n = static_cast<std::size_t>(system.bodies().size());
  std::vector<char> is_node(n, 0);
  base::DisjointSets<> connected(n);
  const auto join_nodes = [&](const std::vector<BodyIndex>& bodies) {
    int last = -1;
    for (const BodyIndex body : bodies) {
      if (body == bodies::kGround || !is_node[body.value()]) continue;
      if (last >= 0) connected.join(last, body.value());
      last = body.value();
    }
  };
  for (const bodies::ElementBody* body : system.connectivity().element_bodies()) {
    for (const BodyIndex node : body->nodes()) is_node[node.value()] = 1;
    join_nodes(body->nodes());
  }
  for (const forces::ForceIndex f : system.forces()) join_nodes(system.force(f).bodies());
  AbsoluteNodes nodes;
  nodes.group = base::IndexedVector<BodyIndex, int>(n, -1);
  std::vector<int> group_of_root(n, -1);
  for (const BodyIndex body : system.bodies()) {
    if (!is_node[body.value()]) continue;
    int& group = group_of_root[connected.root(body.value())];
    if (group < 0) group = nodes.n_groups++;
    nodes.group[body] = group;
  }
  return nodes;
}

std::vector<Branch> branches_of(const AbsoluteNodes& nodes) {
  std::vector<std::vector<BodyIndex>> groups(nodes.n_groups);
  for (const BodyIndex body : nodes.group.indices())
    if (nodes.contains(body)) groups[nodes.group[body]].push_back(body);
  std::vector<Branch> branches;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const BodyIndex body : groups[g]) {
      Branch& branch = branches.emplace_back();
      branch.body = body;
      branch.node_group = static_cast<int>(g);
    }
  return branches;
}

}  // namespace solidyn::recursive
