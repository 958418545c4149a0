#pragma once
#include "reduction/eigen/multivector.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::reduction {

/// Collective. The owned nodes' rows [3 n_owned x k] followed by the ghosts' [3 n_local x k].
Eigen::MatrixXd with_ghosts(const mesh::DistributedMesh& mesh, MultiVector X);

/// Collective. The owned nodes' rows of [3 n_local x k] with what other ranks hold for them added.
MultiVector add_ghosts_to_owners(const mesh::DistributedMesh& mesh, const Eigen::MatrixXd& X);

}  // namespace solidyn::reduction
