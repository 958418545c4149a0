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

/// Collective. Torsion of a beam turns its nodes and moves none: where a mode displaces hardly
/// anything, its amplitude becomes what it turns of a frame, times the body's size. Else errors of
/// its coordinate would have no weight.
/// @param[in,out] amplitude  [n] largest displacements, m
void include_rotations(const mesh::DistributedMesh& mesh,
                       const std::vector<ReducedInterface>& interfaces, Eigen::VectorXd& amplitude);

}  // namespace solidyn::reduction
