#pragma once
#include <Eigen/Dense>
#include <memory>
#include <string>

#include "solidyn/base/petsc.h"
#include "solvers/supernodal_factor.h"

namespace solidyn::solvers {

/// L L^T or L D L^T of a sparse symmetric matrix that ranks hold by rows, with the graph of its
/// blocks ordered by METIS: positive definite ones as SupernodalFactor, on several ranks as
/// SeparatedFactor where that gains; others by MUMPS, which PETSc hands no ordering on several
/// ranks, and whose own ones in Debian leave factors several times larger (benchmarks/RESULTS.md).
/// All calls are collective. Proved by SymmetricFactor.*
class SymmetricFactor {
 public:
  enum class Kind {
    positive_definite,  ///< no pivoting
    indefinite          ///< with pivoting; null pivots are counted
  };
  using Precision = solvers::Precision;
  enum class Outcome { done, not_positive_definite, singular, out_of_memory };

  /// Solutions are fastest, or while it is made in single precision there is no factor in double
  /// precision beside it, as there is without MUMPS.
  enum class Aim { speed, memory };

  SymmetricFactor(MPI_Comm comm, Kind kind, Precision precision = Precision::full,
                  Aim aim = Aim::speed);
  ~SymmetricFactor();
  SymmetricFactor(const SymmetricFactor&) = delete;
  SymmetricFactor& operator=(const SymmetricFactor&) = delete;

  /// The ordering is kept as long as the pattern stays. After another outcome than `done` there is
  /// no factor.
  /// @param A  whole rows (aij), or the upper triangle (sbaij); its block size is that of the graph
  /// @throws base::ComputationError when the library fails in another way
  Outcome factorise(::Mat A);

  /// @param B [rows of this rank x n]  @pre factorise() is done
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B);
  void solve(::Vec b, ::Vec x);

  /// Makes a preconditioner that solves with this factor, which must outlive it.
  void act_as(::PC pc);

  struct Backend;

  int n_negative() const;  ///< eigenvalues of an indefinite matrix. @pre factorise() is done
  int n_zero() const;      ///< null pivots
  double bytes() const;    ///< of the factor's numbers, on all ranks together
  /// What failed last, as the library says it.
  const std::string& error() const { return error_; }

 private:
  std::unique_ptr<Backend> backend_;
  std::string error_;
};

}  // namespace solidyn::solvers
