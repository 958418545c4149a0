#pragma once
#include <string>
#include <vector>

#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/system.h"

namespace solidyn::system {

/// Rows of G that depend on the rows before them, found by rank-revealing orthogonalisation in
/// order of declaration, so that the later joint of a redundant pair is named.
struct Redundancy {
  int rank = 0;
  std::vector<int> rows;           ///< redundant multiplier rows
  std::vector<std::string> names;  ///< one per row
};

/// @pre compute_constraints was called for the state. @param weights see System::increment_weights
/// @param threshold a row whose part orthogonal to the rows before it is this much smaller than
/// itself is dependent
Redundancy find_redundancy(const System& system, const Eigen::VectorXd& weights,
                           double threshold = 1e-9);

/// What a Newton iteration uses for [n_lambda] diagonal -epsilon when constraints are redundant:
/// small against G A^-1 G^T. The multipliers then are the minimum-norm ones and Phi still converges
/// to zero.
double redundancy_regularization(const System& system);

enum class AssemblyWay { direct, along_drives };
/// Moves the bodies so that Phi(q, t) = 0, by the smallest motion (Gauss-Newton), of the rigid
/// coordinates alone where that suffices, so that flexible bodies start undeformed.
/// @param way where the direct one fails, also along the drives' way from the given poses: for
/// starts, which may be many turns away. Not with full-mesh bodies.
/// @throws base::InputError naming the constraints that cannot be met.
void assemble_positions(System& system, State& state, double tolerance,
                        AssemblyWay way = AssemblyWay::along_drives);

/// Why no motion of the mechanism leads from `start` (Phi = 0) to the time `t`: the constraints
/// that no position near the path satisfies, by how much they are violated, and which drives there
/// are; else empty. Follows the constraints in small steps of time, without masses and forces; a
/// full-mesh body may deform as its ports like. Leaves the system's kinematics at `start`.
std::string find_contradiction(System& system, const State& start, double t, double tolerance);

/// The constraints that depend on each other, or nearly do, at a position between `start` and the
/// time `t` that the velocities of `start` lead to, but not at `start`: there the mechanism is in a
/// singular position (a dead centre). See Condition::participants(). Else empty. Leaves the
/// system's kinematics at `start`.
std::string find_singularity(System& system, const State& start, double t, double tolerance);

/// Corrects velocities so that G v = nu, by the smallest change, of the rigid coordinates alone
/// where that suffices. Bodies that superelements connect start as one rigid body, with a warning
/// where the given velocities would deform it.
/// @throws base::InputError naming the constraints that contradict each other.
void make_velocities_consistent(System& system, State& state, double tolerance);

/// Accelerations and multipliers of the constrained system at rest in time:
/// [M G^T; G 0][a; lambda] = [-h; gamma], with minimum-norm multipliers where constraints are
/// redundant.
/// @throws base::ComputationError when the system is singular.
void solve_accelerations(System& system, State& state, solvers::LinearSolver& solver,
                         bool is_redundant);

}  // namespace solidyn::system
