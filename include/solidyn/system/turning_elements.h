#pragma once
#include "solidyn/system/system.h"

namespace solidyn::system {

/// Whether there are elements whose nodes turn in the world, as those of beams: their tangents
/// change with every motion, those of small displacements (bodies::LinearElementBody) never.
bool has_turning_elements(const System& system);

}  // namespace solidyn::system
