#pragma once
#include <memory>
#include <string>

#include "solvers/symmetric_factor.h"

namespace solidyn::solvers {

/// What SymmetricFactor factorises and solves with. All calls are collective.
struct SymmetricFactor::Backend {
  virtual ~Backend() = default;
  /// @return what the library says, and in `error` as text
  virtual Outcome factorise(::Mat A, std::string& error) = 0;
  /// @param B, X [rows of this rank x n_columns]
  virtual void solve(const double* B, double* X, int n_columns) = 0;
  virtual int n_negative() const = 0;
  virtual int n_zero() const = 0;
  virtual double bytes() const = 0;

  static std::unique_ptr<Backend> make_mumps(MPI_Comm comm, Kind kind, Precision precision);
  /// Of positive definite matrices on several ranks: a SeparatedFactor where that gains, else
  /// MUMPS'.
  static std::unique_ptr<Backend> make_separated(MPI_Comm comm, Precision precision);
  /// Of positive definite matrices on one rank.
  static std::unique_ptr<Backend> make_supernodal(Precision precision);
};

}  // namespace solidyn::solvers
