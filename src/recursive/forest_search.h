#pragma once
#include "recursive/absolute_nodes.h"

namespace solidyn::recursive {

/// The trees of find_forest() without drives: which joints become hinges and which are cut, each
/// branch contiguous, parents first. @throws NotRelative: a massless body that no hinge holds
std::vector<Branch> find_branches(const system::System& system, const AbsoluteNodes& nodes);

}  // namespace solidyn::recursive
