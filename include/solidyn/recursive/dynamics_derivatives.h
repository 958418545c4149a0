#pragma once
#include <Eigen/Sparse>
#include <memory>

#include "solidyn/recursive/step_equations.h"

namespace solidyn::recursive {

class CoordinatePairs;

/// What increments of coordinates, speeds and their rates give the bodies of a system, in the
/// increments, velocities and accelerations that it takes. Speeds give velocities, and their rates
/// accelerations, as coordinates give increments. [n_v x n_speeds]
struct BodyMotions {
  Eigen::SparseMatrix<double> increments, velocities_by_q, accelerations_by_q, accelerations_by_u;
};

/// Derivatives of inverse dynamics, r(q, u, du/dt, t) of StepEquations, by increments of the
/// coordinates, by speeds and by their rates, of all speeds, those that follow laws too. With C the
/// columns of a coordinate, X what it moves by, and M and f of a link and all that it carries,
///   dr_i = C_i^T M_j X_j   where j hangs on i,   dr_i = (C_i^T M_i + [C_i x* f_i]) X_j   else,
/// so that each pair on a path to the ground costs one product: O(n depth). Multipliers of closures
/// are kept. Exact. Local.
/// Proved by DynamicsDerivatives.*; doc/theory/recursive.md
class DynamicsDerivatives {
 public:
  explicit DynamicsDerivatives(StepEquations& equations);
  ~DynamicsDerivatives();

  /// @pre StepEquations::evaluate() of the same
  void evaluate(const Eigen::VectorXd& q, const Eigen::VectorXd& u, const Eigen::VectorXd& du,
                const system::State& state);

  /// [n_speeds x n_speeds]
  const Eigen::MatrixXd& by_q() const;
  const Eigen::MatrixXd& by_u() const;
  const Eigen::MatrixXd& by_du() const;  ///< the mass matrix
  /// dr/dt of forces and of loads on beams that depend on t themselves, at the same coordinates,
  /// speeds and rates; by differences of fourth order of each. What laws change is in the columns
  /// of their coordinates.
  Eigen::VectorXd by_t(const system::State& state);

  BodyMotions body_motions() const;

  /// B := M^-1 B of all that follows no law, whose rows alone are read; rows of laws become zero.
  /// By the sweeps of articulated bodies, O(n) for each column; with modes by a Cholesky factor.
  /// @param[in,out] B [n_speeds x any]   @param[out] inverse  null, or M^-1 [n_speeds x n_speeds],
  /// by half of the work of as many columns   @throws base::ComputationError as ArticulatedBodies
  void divide_by_mass(Eigen::MatrixXd& B, Eigen::MatrixXd* inverse = nullptr);

 private:
  std::unique_ptr<CoordinatePairs> pairs_;
};

/// How forward dynamics du/dt(q, u, tau, t) varies: -M^-1 of what inverse dynamics does, M^-1 for
/// forces tau along speeds. Of what follows laws all is zero. [n_speeds x n_speeds]
/// @pre no closures
struct ForwardDerivatives {
  Eigen::MatrixXd by_q, by_u, by_tau;
};
ForwardDerivatives forward_derivatives(DynamicsDerivatives& inverse);

}  // namespace solidyn::recursive
