#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solidyn/fem/elastic_body.h"
#include "solidyn/reduction/load_pattern.h"
#include "solidyn/reduction/quality.h"
#include "solidyn/reduction/reduced_body.h"
#include "solidyn/reduction/reduction_options.h"
#include "solidyn/reduction/support.h"

namespace solidyn::reduction {

/// Wall-clock seconds of the parts of reduce(), and what they met.
struct ReductionTimings {
  double assembly = 0.0, counting = 0.0, factorisation = 0.0, eigensolve = 0.0,
         static_correction = 0.0, projection = 0.0, total = 0.0;
  bool is_from_cache = false;     ///< the body was read, and nothing computed
  int n_eigenproblems = 0;        ///< 0 also when a cached body was read
  double largest_residual = 0.0;  ///< max |K x - omega^2 M x| / |omega^2 M x|
  std::optional<QualityCheck> check;
};

/// Collective. Reduces a free body, of one material or of several by regions, to the union of what
/// the options name:
///   free_free         its lowest elastic eigenmodes;
///   static_correction attachment modes with inertia relief at every interface (unit forces along
///                     and unit torques about x, y, z). With free-free modes the union is that of
///                     Craig and Chang, or MacNeal: what these modes add is the residual
///                     flexibility;
///   static_loads      static correction modes of the free body to patterns of loads;
///   constraint_modes, fixed_interface   of Craig and Bampton; frames that follow a weighted mean
///                     are held in the mean. Static correction spans the constraint modes.
/// The result is orthonormal in M and K: body.M = I, body.K = diag(omega_i^2), and M-orthogonal to
/// the rigid motions (the mean-axis condition of small displacements). Vectors that others span are
/// dropped, and a message names them. Supports are interfaces of their own kind: the constraints of
/// the mechanism hold them, so that the basis has rigid motions to spare; the regions that they
/// hold move like rigid bodies in the directions that are held. Static answers are made at them,
/// too. The M is the one that `mass` names, also in the inertia invariants. Nodes of an RBE2
/// interface move as a rigid region. doc/theory/reduction.md. PETSc options with the prefix
/// `modes_` override the solvers; -modes_shift <omega^2> the shift. Throws InputError (interfaces,
/// material, too many modes), ComputationError (no convergence). Proved by the tests reduction
/// (unit, verification, mpi).
ReducedBody reduce(mesh::DistributedMesh mesh, const fem::Sections& sections,
                   const ReductionOptions& options, ReductionTimings* timings = nullptr);

/// Natural frequencies of a mesh, without a reduction.
struct MeshModes {
  int n_rigid = 0;              ///< motions that nothing brings back
  Eigen::VectorXd frequencies;  ///< of the others, Hz, ascending
};

/// Collective. The `count` lowest elastic modes of the body as its supports hold it, at full size.
/// Of the options, masses, interfaces (rbe2 regions), supports and mass count. Throws as reduce().
/// Proved by SupportedModes.*
MeshModes compute_mesh_modes(const mesh::DistributedMesh& mesh, const fem::Sections& sections,
                             const ReductionOptions& options, int count);

}  // namespace solidyn::reduction
