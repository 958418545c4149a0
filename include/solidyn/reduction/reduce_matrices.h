#pragma once
#include "solidyn/imported/matrices.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {

/// Collective. reduce() of a free body whose stiffness and mass another program assembled, in full
/// or condensed to a superelement's interface nodes and generalised coordinates: the same modes,
/// static corrections, interfaces, points and quality check. doc/theory/imported_bodies.md.
///
/// M may be any symmetric matrix; inertia in motion takes it for that of translations of the nodes
/// (exact for M = m (x) I3). Nodes of the matrices that the mesh does not have but
/// MatrixModel::nodes places keep their coordinates; nodes without place, and scalar points, are
/// generalised coordinates. `mass` of the options does not count. An interface on a node
/// (Attachment::node) whose rotations are in the matrices turns with these.
/// @param mesh   its nodes by their tags; without solids (a superelement's nodes) it is a cloud
/// @param model  in SI, read on rank 0 only
/// @throws base::InputError for a map that does not fit the mesh, a body that is not free,
/// asymmetry,
///   rbe2 interfaces; stress and geometric stiffening, which need elements
/// Proved by ReduceMatrices.* (unit, mpi) and the rod of tests/interop/imported_bodies.
ReducedBody reduce_matrices(mesh::DistributedMesh mesh, const imported::MatrixModel& model,
                            const ReductionOptions& options, ReductionTimings* timings = nullptr);

}  // namespace solidyn::reduction
