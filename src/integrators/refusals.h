#pragma once
#include "solidyn/system/system.h"

/// What integrators refuse.
namespace solidyn::integrators {

/// @throws base::InputError unless h is finite and positive
void require_step(double h);
/// @throws base::InputError when a body has nodal unknowns
void refuse_full_meshes(const system::System& system, const char* integrator);

}  // namespace solidyn::integrators
