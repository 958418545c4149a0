#pragma once
#include <Eigen/Dense>

#include "solidyn/system/linearisation.h"

namespace solidyn::analyses {

/// A linearised system without its constraints, doc/theory/linearisation.md. All small motions that
/// the constraints allow are, with coordinates y and rates u,
///   x = N y,   x' = P u + Q y,   y' = Z u + C y,
/// where y = Y x are orthonormal combinations of the weighted increments that stay the same while
/// the constraints turn. Without velocity-level constraints u = y'. The equations left are
///   M u' + D u + K y = L^T f.
/// Their matrices are dense: for systems of up to about a thousand coordinates.
struct MinimalCoordinates {
  using Matrix = Eigen::MatrixXd;
  Matrix N, dN, ddN;  ///< [n_x x n_y]; rates along the motion
  Matrix P, Q;        ///< [n_x x n_u], [n_x x n_y]
  Matrix Z, C;        ///< [n_y x n_u], [n_y x n_y]
  Matrix L;           ///< [n_x x n_u], L^T B = 0
  Matrix M, D, K;     ///< [n_u x n_u], [n_u x n_u], [n_u x n_y]
  Matrix Y;           ///< [n_y x n_x]
  /// How far entries of C, D, K may be wrong: round-off of the terms that make them, and what the
  /// rates of the constraints are not known to.
  Matrix C_error, D_error, K_error;
  static constexpr double kRoundOff = 1e-14;  ///< of a term

  int n_y() const { return static_cast<int>(N.cols()); }
  int n_u() const { return static_cast<int>(Z.cols()); }
  bool is_symmetric = false;  ///< M, K are, D is zero and u = y': natural vibrations
};

/// @throws base::ComputationError when the mass matrix that is left is singular
MinimalCoordinates make_minimal_coordinates(const system::Linearisation& linear);
/// The same with given coordinates y = Y x and rates u = U y', of which the constraints leave all
/// free. Of coordinates `m` they are m.Y and the transpose of m.Z: then matrices of states near
/// each other differ by what the motion changes, and not by how a basis was chosen.
MinimalCoordinates make_minimal_coordinates(const system::Linearisation& linear,
                                            const Eigen::MatrixXd& Y, const Eigen::MatrixXd& U);

/// [y; u]' = A [y; u]
Eigen::MatrixXd state_matrix(const MinimalCoordinates& m);

}  // namespace solidyn::analyses
