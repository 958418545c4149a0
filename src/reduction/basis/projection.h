#pragma once
#include "reduction/basis/basis.h"

namespace solidyn::reduction {

/// Collective. Everything of a reduced body that follows from the basis alone: M, K, D, inertia
/// invariants, interfaces, points, amplitudes.
/// @param X [3 n_owned x n] the basis on the owned nodes, body.pencil.expand(basis.vectors)
ReducedBody project(const FreeBody& body, const Basis& basis, const MultiVector& X,
                    const ReductionOptions& options);

/// Collective. Rows of X at global nodes, [3 k x n], on every rank.
Eigen::MatrixXd rows_at(const mesh::DistributedMesh& mesh, const MultiVector& X,
                        const std::vector<std::int64_t>& nodes);

}  // namespace solidyn::reduction
