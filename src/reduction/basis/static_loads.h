#pragma once
#include "reduction/basis/free_body.h"

namespace solidyn::reduction {

/// Collective. The patterns as forces on the independent coordinates, a column each, not balanced.
/// Throws InputError (on all ranks) when a selection holds no node, or no face where faces are
/// loaded.
MultiVector make_pattern_loads(const FreeBody& body, const std::vector<LoadPattern>& patterns);

}  // namespace solidyn::reduction
