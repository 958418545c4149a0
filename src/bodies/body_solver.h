#pragma once
#include <Eigen/Dense>
#include <string>

#include "solidyn/base/petsc.h"

namespace solidyn::bodies {

/// Solves with one symmetric positive definite matrix of a full-mesh body, block size 3. All calls
/// are collective.
///
/// Default: Cholesky, CHOLMOD on one rank with the node graph ordered by METIS, MUMPS on several;
/// conjugate gradients with GAMG on the rigid motions when the factor would not fit into the
/// machine's memory. PETSc options with the prefix `body_<name>_` (where there are any; else
/// `body_`) override every choice.
class BodySolver {
 public:
  BodySolver(MPI_Comm comm, std::string name, double n_nodes);

  bool is_iterative() const { return is_iterative_; }
  /// What the solver reads without conversion: whole rows, or the upper triangle (MUMPS, at half
  /// the memory).
  MatType matrix_type() const { return wants_rows_ ? MATAIJ : MATSBAIJ; }

  /// Factorises A, or sets up the preconditioner. @param what names A in the error
  /// @param x [3 x n_owned] node positions, of which multigrid makes the rigid motions
  void set_matrix(Mat A, const std::string& what, const Eigen::Ref<const Eigen::Matrix3Xd>& x);
  void solve(::Vec b, ::Vec x);
  /// Iterative solves end at this relative residual, for an iteration that goes on from there.
  void solve_roughly(::Vec b, ::Vec x, double tolerance);
  Eigen::MatrixXd solve_roughly(const Eigen::MatrixXd& B, double tolerance);
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B);

  int iterations() const { return iterations_; }  ///< of all solves so far

 private:
  template <class Solve>
  auto with_tolerance(double tolerance, Solve&& solve);
  void set_tolerance(double relative);
  void check();

  MPI_Comm comm_;
  std::string name_;
  base::Ksp ksp_;
  bool is_iterative_ = false, wants_rows_ = true;
  int iterations_ = 0;
};

}  // namespace solidyn::bodies
