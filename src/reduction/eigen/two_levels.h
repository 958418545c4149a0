#pragma once
#include <memory>

#include "reduction/eigen/block_rows.h"
#include "reduction/eigen/multigrid.h"
#include "solvers/refined_factor.h"
#include "solvers/symmetric_factor.h"

namespace solidyn::reduction {

/// A cycle of two levels for K + s M of a mesh with nodes in the middle of edges: the mesh, and the
/// corners of its elements, whose linear fields take the smooth part of an error. On the mesh
/// Chebyshev's polynomial with the blocks of the coordinates smooths for the upper nine tenths of
/// the spectrum, the same before and after, so that the cycle is symmetric and positive. The matrix
/// of the corners, P^T A P, has a Cholesky factor where that is small, else multigrid. All of it is
/// in single precision, for up to sixteen vectors at once; columns are brought to one size before,
/// so that none is too large or too small for that. Proved by CornersOnRanks.*
class TwoLevels : public BlockPreconditioner {
 public:
  /// Collective. Nothing is kept of A.
  /// @param A  of type AIJ, block size 3     @param P  from the corners' coordinates, AIJ
  /// @param rigid [rows of the corners x 6] the rigid motions in the corners' coordinates
  TwoLevels(::Mat A, ::Mat P, const MultiVector& rigid);

  MultiVector apply(const MultiVector& r) const override;

 private:
  void solve_coarse(int width, Eigen::Index n) const;
  void cycle(int width, Eigen::Index n) const;
  void smooth(int width, bool starts_from_zero) const;
  void correct(int width, float share_of_old, float share_of_new, bool is_first) const;
  template <int W>
  void correct_rows(float share_of_old, float share_of_new, bool is_first) const;
  void invert_blocks(::Mat A);
  void set_up_coarse(::Mat A, ::Mat P, const MultiVector& rigid);

  MPI_Comm comm_;
  BlockRows mesh_, interpolation_, restriction_;
  std::vector<float> inverses_;  // nine per block of coordinates
  double largest_eigenvalue_;    // of D^-1 A, estimated
  int n_smoothing_steps_;

  base::Mat coarse_;                                // of the two factors
  std::unique_ptr<solvers::RefinedFactor> single_;  // one of these three
  std::unique_ptr<solvers::SymmetricFactor> factor_;
  std::unique_ptr<Multigrid> multigrid_;

  // [width x 3 x blocks with ghosts] of the mesh: solution, residual, right-hand side and direction
  // of smoothing; of the corners: solution and right-hand side.
  mutable std::vector<float> x_, r_, b_, d_, coarse_x_, coarse_b_;
};

}  // namespace solidyn::reduction
