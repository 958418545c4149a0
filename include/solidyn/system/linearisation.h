#pragma once
#include <Eigen/Sparse>
#include <set>
#include <vector>

#include "solidyn/system/closed_contacts.h"
#include "solidyn/system/system.h"

namespace solidyn::system {

/// The axes that small motions of bodies with a frame are written in, translations and rotations
/// alike. In steady motion the equations have constant coefficients in the axes that everything
/// which is not a body of revolution turns with: `body` where the parts turn together, `world`
/// where only bodies of revolution turn.
enum class IncrementAxes { body, world };

/// Bodies that go on together, as a vehicle along an arc: what they are stands still in axes that
/// turn with w, but that each may turn in them about an axis of its own, as a wheelset does. Small
/// motions are written in these axes, those of all other bodies in world axes.
struct Carriage {
  Eigen::Vector3d w_W = Eigen::Vector3d::Zero();  ///< rad/s
  std::set<BodyIndex> bodies;
};

/// Derivatives of the equations of a system by accelerations, velocities and positions, in the
/// increments that System::advance() takes. [n_v x n_v]
struct Tangents {
  Eigen::SparseMatrix<double> M, D, K;
  Eigen::VectorXd weights;  ///< increment_weights()
  double rate = 0.0;        ///< how fast the motion continues, 1/s; 0: at rest
};

/// @pre state.a and state.lambda belong to the state, no full-mesh bodies. Leaves the system's
/// kinematics, residuals and constraints at `state`. Local.
Tangents find_tangents(System& system, const State& state);

/// Small motions x(t) about a motion of the system, doc/theory/linearisation.md:
///   M x'' + D x' + K x + B mu = f
///   G x = 0               rows of position-level constraints
///   G x' + E x = 0        rows of velocity-level constraints, and laws of first order of the
///                         coordinates of forces (forces::InternalState)
/// with D including gyroscopic terms, K the geometric ones of multipliers, loads and inertia; mu
/// are the changes of the multipliers. B is G^T but for forces that depend on multipliers.
/// Redundant rows of constraints are left out. x are increments of bodies (linearise() below), or
/// others that satisfy some of the constraints by themselves (recursive::linearise()).
struct Linearisation {
  using Matrix = Eigen::SparseMatrix<double>;
  Matrix M, D, K;  ///< [n_x x n_x]
  Matrix B;        ///< [n_x x rows]
  Matrix G;        ///< [rows x n_x]
  Matrix dG, ddG;  ///< rates of G along the motion; of position-level rows
  Matrix E;        ///< of velocity-level rows
  /// The multiplier of each row of G, but of the last: laws of forces, then those of `contacts`.
  std::vector<int> rows;
  std::vector<bool> is_rate;  ///< of each row: velocity level
  /// Constraint rows that every x satisfies: their multipliers follow from the bodies' equations.
  std::vector<int> hinge_rows;
  bool has_redundant_rows = false;  ///< some rows are in none of the two
  /// From x to what System::advance() takes: increments T x, velocities T x' + V x, accelerations
  /// T x'' + A1 x' + A0 x. [n_v x n_x]
  Matrix T, V, A1, A0;
  Eigen::VectorXd weights;  ///< as System::increment_weights, for x
  Tangents bodies;          ///< of the equations as they are, without constraints
  double rate = 0.0;        ///< how fast the motion continues, 1/s; 0: at rest
  /// What closed set-valued contacts hold: the last rows of G, and those that follow from others.
  std::vector<ContactRow> contacts, dependent_contacts;
  Matrix dependent_G;  ///< of the latter

  bool is_at_rest() const { return rate == 0.0; }
};

/// Local. @pre no full-mesh bodies; state.a and state.lambda belong to the state
/// (solve_accelerations). Leaves the system's kinematics at `state`.
/// Set-valued contacts that are closed take part as hold_closed_contacts() has it, and so only at
/// rest.
/// Proved by tests/unit/linearisation.
Linearisation linearise(System& system, const State& state, IncrementAxes axes);
/// The same in the axes of a carriage, which are the world's at this instant.
Linearisation linearise(System& system, const State& state, const Carriage& carriage);

/// The state a short time later on the same motion: positions to second, velocities to first order;
/// both exactly where bodies turn steadily.
State moved_along(const System& system, const State& state, double time);
/// The same of what is carried: exact, forces included, where it stands still but for its turning.
State carried_along(const System& system, const State& state, const Carriage& carriage,
                    double time);

}  // namespace solidyn::system
