#pragma once
#include <Eigen/Dense>
#include <string>
#include <utility>

#include "solidyn/base/petsc.h"
#include "solvers/symmetric_factor.h"

namespace solidyn::solvers {

/// Solves with a symmetric positive definite matrix by a factor in single precision, at half of the
/// memory, and makes solutions as good as they are asked to be by residuals in double precision.
/// All calls are collective. Proved by
/// SymmetricFactorOf.RefinedSolutionsAreAsGoodAsTheyAreAskedToBe and
/// SymmetricFactorOf.SaysWhatIllConditioningLeavesOfAnError
class RefinedFactor {
 public:
  using Outcome = SymmetricFactor::Outcome;
  using Aim = SymmetricFactor::Aim;
  explicit RefinedFactor(MPI_Comm comm, Aim aim = Aim::speed);

  /// @param A  as in SymmetricFactor; it must stay as it is until the next call
  Outcome factorise(::Mat A);
  /// What a solution by the factor alone leaves of an error, relative: about the condition number
  /// times the round-off of single precision, measured with a field that A has made rough, then
  /// with the error of that; of a later matrix of that size with what was left of the last error.
  /// @pre factorise() is done, as for all that follows
  double rate() const { return rate_; }
  /// Of the factor, on all ranks together.
  double bytes() const { return factor_.bytes(); }
  const std::string& error() const { return factor_.error(); }
  /// Makes a preconditioner that solves with the factor, as it is and without refinement. This
  /// object must outlive it.
  void act_as(::PC pc) { factor_.act_as(pc); }
  /// For another solver. No solution is to be had afterwards.
  base::Mat release_matrix() { return std::move(A_); }

  /// @param tolerance  of the error of x, relative
  /// @return false where refinement stalls before that
  bool solve(::Vec b, ::Vec x, double tolerance);
  /// @param B [rows of this rank x n]
  bool solve(const Eigen::MatrixXd& B, Eigen::MatrixXd& X, double tolerance);

 private:
  void measure();
  Eigen::MatrixXd multiply(const Eigen::MatrixXd& X);
  Eigen::VectorXd norms(const Eigen::MatrixXd& X) const;

  MPI_Comm comm_;
  SymmetricFactor factor_;
  base::Mat A_;
  base::Vec from_, to_;   // columns of a product
  Eigen::VectorXd soft_;  // error that a solution has left
  double rate_ = 0.0;
};

}  // namespace solidyn::solvers
