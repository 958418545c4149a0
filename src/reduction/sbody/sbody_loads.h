#pragma once
#include "reduction/sbody/sbody_file.h"

namespace solidyn::reduction {

/// What loads on nodes and faces see of a body, in a reduced-body file that has any.
void put_loads(const std::vector<LoadRows>& loads, SbodyWriter& file);
std::vector<LoadRows> get_loads(SbodyReader& file);

}  // namespace solidyn::reduction
