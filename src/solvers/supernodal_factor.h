#pragma once
#include <Eigen/Dense>
#include <cstddef>
#include <memory>
#include <string>

namespace solidyn::solvers {

/// Of the numbers of a factor; matrices and vectors are in double precision.
enum class Precision { single, full };

/// A sparse symmetric matrix of one rank by columns, or what is the same by rows. Borrowed.
struct SymmetricColumns {
  int n = 0;
  const int* starts = nullptr;     ///< [n + 1]
  const int* rows = nullptr;       ///< of column j from starts[j] to before starts[j + 1]
  const double* values = nullptr;  ///< with the rows; those above the diagonal are not read
  int block = 1;                   ///< rows that follow each other and have the same pattern
};

/// L L^T of a symmetric positive definite matrix on one rank, with the graph of its blocks ordered
/// by METIS: factorised by CHOLMOD in double precision, kept in single or double precision as
/// SupernodalPanels, with which substitutions run at the memory's speed. Rows of L are scaled to
/// the norm one before they are rounded, so that matrices may be as large or small as they are.
/// While the factor is rounded there is little more than that in double precision in memory.
/// Local. Proved by SupernodalFactorIn.*
class SupernodalFactor {
 public:
  enum class Outcome { done, not_positive_definite, out_of_memory };

  explicit SupernodalFactor(Precision kept);
  ~SupernodalFactor();
  SupernodalFactor(const SupernodalFactor&) = delete;
  SupernodalFactor& operator=(const SupernodalFactor&) = delete;

  /// The analysis is kept as long as the pattern stays. After another outcome than `done` there is
  /// no factor.
  /// @param n_last  rows at the end that are eliminated last, as they follow each other
  /// @throws base::ComputationError when CHOLMOD fails in another way
  Outcome factorise(const SymmetricColumns& A, int n_last = 0);

  /// x = A^-1 b, as exact as the factor. @pre factorise() is done, as for all that follows
  /// @param b, x [n x n_columns], columns follow each other; they may be the same
  void solve(const double* b, double* x, int n_columns);
  Eigen::MatrixXd solve(const Eigen::MatrixXd& B);

  /// Solutions in two halves, between which the last rows are solved for by somebody else. Of A
  /// with the rows (i, s), s the last ones:
  ///   eliminate:        X_s := X_s - A_si A_ii^-1 X_i, and X_i becomes what the second half needs;
  ///   back_substitute:  X_i := A_ii^-1 (b_i - A_is X_s), where X_s is the solution there.
  /// @param X [n x n_columns] in the rows of A
  void eliminate(Eigen::Ref<Eigen::MatrixXd> X);
  void back_substitute(Eigen::Ref<Eigen::MatrixXd> X);
  /// The lower factor of A_ss - A_si A_ii^-1 A_is [n_last x n_last], in double precision always.
  const Eigen::MatrixXd& last_block() const;

  double bytes() const;  ///< of the factor's numbers as they are kept
  /// What failed last, as text.
  const std::string& error() const { return error_; }

 private:
  struct Analysis;
  struct Kept;
  template <class Real>
  struct KeptIn;
  std::unique_ptr<Analysis> analysis_;
  std::unique_ptr<Kept> kept_;
  Precision precision_;
  std::string error_;
};

}  // namespace solidyn::solvers
