#pragma once
#include <memory>

#include "solidyn/base/error.h"
#include "solidyn/solvers/block_matrix.h"
#include "solidyn/solvers/preset.h"

namespace solidyn::solvers {

/// An iteration that options have chosen in place of a factor did not come to its end.
class NotConverged : public base::ComputationError {
 public:
  using base::ComputationError::ComputationError;
};

/// What a factorisation takes: products, and entries of the factors, each of which a solution takes
/// one product with.
struct FactorSize {
  double products = 0.0, entries = 0.0;
};

/// An assembled matrix that can be factorised; replicated on every rank.
class LinearSolver : public BlockMatrix {
 public:
  /// Factorises the assembled matrix. @throws base::ComputationError when it is singular
  virtual void factor() = 0;
  /// x := A^-1 b. @pre factor() @throws NotConverged, base::ComputationError when it is singular
  virtual void solve(const Eigen::VectorXd& b, Eigen::VectorXd& x) = 0;
  virtual const char* name() const = 0;
  /// Of the last factor(), the same on all ranks. Zeros of Preset::direct, whose library does not
  /// say.
  virtual FactorSize factor_size() const { return {}; }
  /// Of many right-hand sides at once.
  virtual Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& B);

  /// From now on, and until the pattern is set anew, a factorisation may wait until a right-hand
  /// side asks for it, and be of those unknowns alone that one has asked for: an unknown that hangs
  /// together with no entry of the right-hand side but zeros is zero. factor() then throws later.
  /// @return whether the solver can
  virtual bool factor_as_needed() { return false; }
  /// Whether a solution for b, or for one before it, needs unknowns that are left out of the matrix
  /// (add_part()). @pre factor_as_needed(), factor()
  virtual bool lacks(const Eigen::VectorXd& /*b*/) { return false; }

 protected:
  using BlockMatrix::BlockMatrix;
  [[noreturn]] void throw_singular() const;
};

/// The solver that doc/solvers.md's measurements recommend: dense LU up to kDenseUpTo unknowns,
/// then KLU with refactorisation; with Preset::direct PETSc's KSP on MUMPS, whose options all have
/// the prefix -system_.
std::unique_ptr<LinearSolver> make_linear_solver(Preset preset, int n_unknowns);
constexpr int kDenseUpTo = 40;

}  // namespace solidyn::solvers
