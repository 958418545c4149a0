#pragma once
#include "solidyn/recursive/forest.h"

namespace solidyn::recursive {

/// Bodies that keep their six velocities in the world, whatever joints they have: nodes of bodies
/// made of elements (beams), rigid bodies among them. In groups, those that elements or forces
/// connect together. Proved by Mechanism.HasBeamsBesideTheTree
struct AbsoluteNodes {
  base::IndexedVector<BodyIndex, int> group;  ///< of each body; -1: it is none
  int n_groups = 0;

  bool contains(BodyIndex body) const { return body != bodies::kGround && group[body] >= 0; }
};

AbsoluteNodes find_absolute_nodes(const system::System& system);

/// Them as branches that hang on nothing, group after group.
std::vector<Branch> branches_of(const AbsoluteNodes& nodes);

}  // namespace solidyn::recursive
