#include "solidyn/reduction/support.h"

#include <fmt/format.h>

#include <cmath>
#include <map>

#include "reduction/basis/support_geometry.h"
#include "reduction/sbody/sbody_file.h"
#include "solidyn/base/content_hash.h"

namespace solidyn::reduction {
namespace {

using Eigen::Vector3d;

// Sine of the angle below which a direction is one that is held already.
constexpr double kSameDirection = 1e-6;

// What is held of a node so far.
struct NodeHolds {
  std::vector<Vector3d> axes;  // orthonormal, spanning all directions
  std::vector<std::size_t> supports;
};

std::vector<HeldComponent> selected_nodes(const mesh::DistributedMesh& mesh,
                                          const SupportDefinition& support) {
  std::vector<HeldComponent> mine;
  for (const std::int32_t node :
       mesh::select_nodes(mesh, fmt::format("support `{}`", support.name), support.nodes))
    mine.push_back(
        {mesh.first_owned + node, mesh.node_tags[node], mesh.x.col(node), Vector3d::Zero(), 0});
  return gather_components(mesh.comm, mine);
}

void refuse_rigid_regions(const SupportDefinition& support, const HeldComponent& node,
                          const std::map<std::int64_t, const mesh::Interface*>& rigid) {
  const auto found = rigid.find(node.node);
  if (found == rigid.end()) return;
  throw base::InputError(
      fmt::format(
          "support `{}` constrains a node of the rbe2 interface `{}`, whose nodes already form a rigid region",
          support.name, found->second->name),
      "constrain the interface by a joint, select other nodes, or attach it with  rbe3");
}

// Whether d is another direction than those that hold the node; it is added to them then.
bool add_direction(const Vector3d& d, std::size_t support,
                   const std::vector<SupportDefinition>& definitions, NodeHolds& holds) {
  Vector3d rest = d;
  for (int pass = 0; pass < 2; ++pass)
    for (const Vector3d& axis : holds.axes) rest -= axis * axis.dot(rest);
  if (rest.norm() > kSameDirection) {
    holds.axes.push_back(rest.normalized());
    holds.supports.push_back(support);
    return true;
  }
  for (const std::size_t other : holds.supports)
    if (definitions[other].moves || definitions[support].moves)
      throw base::InputError(
          fmt::format(
              "supports `{}` and `{}` constrain the same node in the same direction, and one of them moves",
              definitions[other].name, definitions[support].name),
          "select disjoint nodes, or fix different components");
  return false;
}

std::map<std::int64_t, const mesh::Interface*> nodes_of_rigid_regions(
    const std::vector<mesh::Interface>& interfaces) {
  std::map<std::int64_t, const mesh::Interface*> rigid;
  for (const mesh::Interface& interface : interfaces)
    if (interface.attach == mesh::Attachment::rbe2)
      for (const std::int64_t node : interface.nodes) rigid[node] = &interface;
  return rigid;
}

}  // namespace

std::string digest(const SupportDefinition& definition) {
  base::ContentHash hash;
  add_selection(definition.nodes, hash);
  hash.add(definition.directions.data(), definition.directions.size());
  return hash.hex();
}

std::vector<HeldNodes> resolve_supports(const mesh::DistributedMesh& mesh,
                                        const std::vector<SupportDefinition>& definitions,
                                        const std::vector<mesh::Interface>& interfaces) {
  std::vector<HeldNodes> supports;
  if (definitions.empty()) return supports;
  const auto rigid = nodes_of_rigid_regions(interfaces);
  std::map<std::int64_t, NodeHolds> holds;
  for (std::size_t s = 0; s < definitions.size(); ++s) {
    HeldNodes held{definitions[s].name, digest(definitions[s]), {}, {}, {}};
    for (const HeldComponent& node : selected_nodes(mesh, definitions[s])) {
      refuse_rigid_regions(definitions[s], node, rigid);
      for (int a = 0; a < definitions[s].directions.cols(); ++a) {
        const Vector3d d = definitions[s].directions.col(a);
        if (add_direction(d, s, definitions, holds[node.node]))
          held.components.push_back({node.node, node.tag, node.x, d, a});
      }
    }
    held.independent = find_independent(held.components);
    if (held.is_region()) {
      held.holds = make_region_holds(held.components);
      SOLIDYN_ASSERT(held.holds.size() <= held.independent.size());
      held.independent.resize(held.holds.size());
    }
    supports.push_back(std::move(held));
  }
  return supports;
}

}  // namespace solidyn::reduction
