#pragma once
#include <cstdint>
#include <vector>

#include "solidyn/bodies/solid_body.h"

namespace solidyn::bodies {

/// Collective. Three nodes (global) far apart and not in a line, none of which a support holds, for
/// springs that make the stiffness of a body regular; none where its supports do so alone, since
/// they leave it no rigid motion. Proved by StoutBeam.HeldByAnInterfaceBalancesItsLoad and
/// StoutBeam.SlidingBeamIsHeldByItsJoint.
/// @throws base::InputError when there are no such nodes
std::vector<std::int64_t> find_anchors(const mesh::DistributedMesh& mesh,
                                       const std::vector<Support>& supports);

}  // namespace solidyn::bodies
