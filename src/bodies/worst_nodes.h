#pragma once
#include <string>

#include "solidyn/base/petsc.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::bodies {

/// Collective. In words, the nodes at which b - A x is largest, with the operator A of the solver:
/// where a solution that does not converge is held up. The same on all ranks.
std::string describe_worst_nodes(::KSP ksp, ::Vec b, ::Vec x, const mesh::DistributedMesh& mesh);

}  // namespace solidyn::bodies
