#include "reduction/basis/rigid_sets.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"

namespace solidyn::reduction {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

namespace {

Matrix3Xd directions_of(const std::vector<RigidSets::Tie>& ties) {
  Matrix3Xd D(3, ties.size());
  for (std::size_t j = 0; j < ties.size(); ++j) D.col(static_cast<Eigen::Index>(j)) = ties[j].d;
  return D;
}

}  // namespace

RigidSets::RigidSets(const std::vector<mesh::Interface>& interfaces,
                     const std::vector<HeldNodes>& supports) {
  std::map<std::int64_t, const mesh::Interface*> taken;
  for (const mesh::Interface& interface : interfaces) {
    if (interface.attach != mesh::Attachment::rbe2) continue;
    for (const std::int64_t node : interface.nodes) {
      const auto [it, is_new] = taken.emplace(node, &interface);
      if (!is_new)
        throw base::InputError(
            fmt::format("the rigid regions of interfaces `{}` and `{}` share a node",
                        it->second->name, interface.name),
            "make the regions disjoint, or attach one of them with `rbe3`");
    }
    add_interface(interface);
  }
  for (const HeldNodes& support : supports)
    if (support.is_region()) add_support(support);
}

void RigidSets::add_interface(const mesh::Interface& interface) {
  const int set = static_cast<int>(sets_.size());
  sets_.push_back({interface.x_B, interface.nodes.front()});
  for (const std::int64_t node : interface.nodes)
    for (int a = 0; a < 3; ++a) ties_[node].push_back({set, Vector3d::Unit(a)});
}

void RigidSets::add_support(const HeldNodes& support) {
  const int set = static_cast<int>(sets_.size());
  const RigidRows rows = rigid_rows_of(support.components);
  sets_.push_back({rows.centre, support.components.front().node, rows.length,
                   null_motions(rows, support.holds)});
  for (const HeldComponent& c : support.components) ties_[c.node].push_back({set, c.d});
}

bool RigidSets::is_tied(std::int64_t node) const {
  const auto found = ties_.find(node);
  return found != ties_.end() && found->second.size() == 3;
}

Matrix3d RigidSets::free_part(std::int64_t node) const {
  const auto found = ties_.find(node);
  if (found == ties_.end()) return Matrix3d::Identity();
  return Matrix3d::Identity() -
         dual_directions(found->second) * directions_of(found->second).transpose();
}

Matrix3Xd dual_directions(const std::vector<RigidSets::Tie>& ties) {
  const Matrix3Xd D = directions_of(ties);
  return D * Eigen::MatrixXd(D.transpose() * D).inverse();
}

}  // namespace solidyn::reduction
