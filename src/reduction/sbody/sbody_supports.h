#pragma once
#include "reduction/sbody/sbody_file.h"

namespace solidyn::reduction {

/// What supports hold of a body, in a reduced-body file of one that has any.
void put_supports(const std::vector<ReducedSupport>& supports, SbodyWriter& file);
std::vector<ReducedSupport> get_supports(SbodyReader& file);

}  // namespace solidyn::reduction
