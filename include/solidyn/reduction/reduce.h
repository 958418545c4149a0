#pragma once
#include <optional>
#include <string>
#include <vector>

#include "solidyn/fem/elastic_body.h"
#include "solidyn/reduction/load_pattern.h"
#include "solidyn/reduction/quality.h"
#include "solidyn/reduction/reduced_body.h"
#include "solidyn/reduction/support.h"

namespace solidyn::reduction {

enum class Check { none, against_mesh };
enum class StaticCorrection { none, at_interfaces };
enum class ConstraintModesAt { none, interfaces };
enum class GeometricStiffening { none, second_order };

/// D = rayleigh_alpha M + rayleigh_beta K + diag(2 modal_ratio omega_i, for modes of at least
/// modal_from).
struct Damping {
  double rayleigh_alpha = 0.0;  ///< 1/s
  double rayleigh_beta = 0.0;   ///< s
  double modal_ratio = 0.0;     ///< of critical, the same for every elastic mode it is given to
  double modal_from = 0.0;      ///< Hz; modes below this frequency are not given modal_ratio
};

/// A place whose displacement sensors want; the node nearest to it is tracked.
struct PointDefinition {
  std::string name;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();
};

struct ReductionOptions {
  int free_free = 8;                   ///< elastic free-free modes
  double free_free_up_to = 0.0;        ///< Hz; > 0: every one up to it, in place of the number
  int fixed_interface = 0;             ///< eigenmodes with all interface frames held
  double fixed_interface_up_to = 0.0;  ///< Hz; > 0: every one up to it, in place of the number
  ConstraintModesAt constraint_modes = ConstraintModesAt::none;
  StaticCorrection static_correction = StaticCorrection::none;
  std::vector<LoadPattern> static_loads;  ///< their static answers join the basis
  double cut_off = 0.0;  ///< Hz; elastic modes of the finished union above it go; 0: none
  /// second_order: what the modes displace to second order, so that loads on interfaces and spin
  /// stiffen the body. Not with rigid modes, and not with virtual bodies as interfaces.
  GeometricStiffening geometric_stiffening = GeometricStiffening::none;
  bool keep_rigid_modes = false;  ///< the six exact rigid modes first, for the multiplier route
  fem::MassKind mass = fem::MassKind::consistent;
  Damping damping;
  std::vector<mesh::InterfaceDefinition> interfaces;
  std::vector<PointDefinition> points;
  fem::AttachedMasses masses;  ///< that the body carries beside those of its elements
  StressOptions stress;
  Check check = Check::none;          ///< ReductionTimings::check
  double tolerance = 1e-9;            ///< of SLEPc's relative residual
  std::vector<LoadDefinition> loads;  ///< on nodes and faces, that the mechanism has
  /// What else holds the body. With supports `free_free` counts the modes of the body that they
  /// hold, its interfaces free.
  std::vector<SupportDefinition> supports;
};

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
///   static_loads      static answers of the free body to patterns of loads;
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
