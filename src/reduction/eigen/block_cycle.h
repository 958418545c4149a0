#pragma once
#include <vector>

#include "reduction/eigen/multivector.h"

namespace solidyn::reduction {

/// The part of the spectrum that smoothing is for, over the estimate of its end, as PETSc chooses
/// it: estimates of ten steps are a little low, and what is below the tenth is for the coarser
/// levels.
constexpr double kSmoothedFrom = 0.1, kSmoothedTo = 1.1;

/// One level of multigrid. The coarsest has neither prolongation nor smoother.
struct MultigridLevel {
  Mat A = nullptr;             ///< AIJ; not owned
  Mat prolongation = nullptr;  ///< from the next coarser level; not owned
  Eigen::VectorXd inverse_diagonal;
  double largest_eigenvalue = 0.0;  ///< of D^-1 A, estimated
  int n_smoothing_steps = 2;
};

/// Collective. The levels of a PCMG that is set up, coarsest first.
std::vector<MultigridLevel> take_levels(::PC pc);

/// Collective. Of D^-1 A, D what the preconditioner `type` solves with, by ten steps of conjugate
/// gradients from a rough field: a little too small.
double estimate_largest_eigenvalue(Mat A, PCType type);

/// A V-cycle for a number of vectors at once, whose components lie side by side (PETSc's MAIJ):
/// each matrix is read once for all. Smoothing is Chebyshev's iteration on D^-1 A for the upper
/// nine tenths of the spectrum, the same before and after, so that the cycle is symmetric.
class BlockCycle {
 public:
  /// Collective. @param levels and @param coarse must outlive this object
  BlockCycle(const std::vector<MultigridLevel>& levels, ::KSP coarse, int width);

  /// Collective. z = about A^-1 r for up to `width` columns.
  void apply(const Eigen::Ref<const MultiVector>& r, Eigen::Ref<MultiVector> z);

 private:
  struct Work {
    base::Mat A, prolongation;
    base::Vec right, solution, residual, direction;
  };
  void solve(std::size_t level);
  void solve_coarsest();
  void smooth(std::size_t level, bool starts_from_zero);
  void correct(std::size_t level, double share_of_old, double share_of_new, bool is_first);

  const std::vector<MultigridLevel>& levels_;
  ::KSP coarse_;
  int width_;
  std::vector<Work> work_;
  base::Vec coarse_right_, coarse_solution_;
};

}  // namespace solidyn::reduction
