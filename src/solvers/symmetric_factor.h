#pragma once
#include <Eigen/Dense>
#include <memory>
#include <string>

#include "solidyn/base/petsc.h"

namespace solidyn::solvers {

/// L L^T or L D L^T of a sparse symmetric matrix that ranks hold by rows, by MUMPS, with the graph
/// of its blocks ordered by METIS. PETSc hands MUMPS no ordering of a matrix on several ranks, and
/// MUMPS as Debian builds it has only its own ones, with which factors of solid meshes are several
/// times larger (benchmarks/RESULTS.md). All calls are collective. Proved by SymmetricFactor.*
class SymmetricFactor {
 public:
  enum class Kind {
    positive_definite,  ///< no pivoting
    indefinite          ///< with pivoting; null pivots are counted
  };
  /// Of the numbers of the factor; matrices and vectors are in double precision.
  enum class Precision { single, full };
  enum class Outcome { done, not_positive_definite, singular, out_of_memory };

  SymmetricFactor(MPI_Comm comm, Kind kind, Precision precision = Precision::full);
  ~SymmetricFactor();
  SymmetricFactor(const SymmetricFactor&) = delete;
  SymmetricFactor& operator=(const SymmetricFactor&) = delete;

  /// The ordering is kept as long as the pattern stays. After another outcome than `done` there is
  /// no factor.
  /// @param A  whole rows (aij), or the upper triangle (sbaij); its block size is that of the graph
  /// @throws base::ComputationError when MUMPS fails in another way
  Outcome factorise(::Mat A);

  /// @param B [rows of this rank x n]  @pre factorise() is done
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B);
  void solve(::Vec b, ::Vec x);

  /// Makes a preconditioner that solves with this factor, which must outlive it.
  void act_as(::PC pc);

  int n_negative() const;  ///< eigenvalues of an indefinite matrix. @pre factorise() is done
  int n_zero() const;      ///< null pivots
  double bytes() const;    ///< of the factor's numbers, on all ranks together
  /// What failed last, in MUMPS' numbers.
  const std::string& error() const { return error_; }

 private:
  struct Mumps;
  template <class Real>
  struct MumpsOf;
  std::unique_ptr<Mumps> mumps_;
  std::string error_;
};

}  // namespace solidyn::solvers
