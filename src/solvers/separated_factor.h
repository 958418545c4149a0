#pragma once
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <memory>
#include <optional>
#include <vector>

#include "solvers/matrix_entries.h"
#include "solvers/supernodal_factor.h"
#include "solvers/symmetric_factor.h"

namespace solidyn::solvers {

/// L L^T of a sparse symmetric positive definite matrix that a few ranks hold by rows, by
/// substructuring: without the rows s of a separator, those of one rank have no entry with those of
/// another. Each rank factorises its other rows i, and all ranks the same dense Schur complement
///   S = A_ss - sum over ranks of A_si A_ii^-1 A_is.
/// A is positive definite where S and all A_ii are, and only there. What a rank factorises is
///   [ A_ii A_ib; A_bi A_bb ]   with the rows b of the separator that its rows i reach,
/// a part of A that is positive definite where A is; A_bb less the product of the factor's last
/// block is the rank's term of the sum, with the round-off that elimination in A has anyway. A
/// solution takes one sum over ranks, of the separator's right-hand sides. All calls are
/// collective. Proved by SeparatedFactorOf.*
class SeparatedFactor {
 public:
  using Outcome = SymmetricFactor::Outcome;

  /// @param precision  in which the ranks' own factors are kept; that of S is double
  SeparatedFactor(MPI_Comm comm, Precision precision);

  /// @param A  whole rows (aij), or the upper triangle (sbaij); its block size is that of the graph
  /// @return nothing where the separator is so large that a factor which all ranks share is better
  std::optional<Outcome> factorise(::Mat A);
  /// @param B, X [rows of this rank x n_columns]  @pre factorise() is done
  void solve(const double* B, double* X, int n_columns);

  int n_separator() const { return block_ * static_cast<int>(separator_.size()); }  ///< rows
  int n_rows() const { return starts_.back(); }  ///< of the matrix
  double bytes() const { return bytes_; }        ///< of all ranks together

 private:
  using Sparse = Eigen::SparseMatrix<double>;
  struct Between;  // entries of the separator's rows, of all ranks

  void find_separator_of(::Mat A, const Entries<double>& entries);
  void choose_separator(const std::vector<int>& cut, int n_blocks);
  void number_inner_blocks(const std::vector<int>& pairs, const std::vector<int>& cut);
  Sparse own_matrix(const Entries<double>& entries, const Between& between) const;
  double own_bytes() const { return own_ ? own_->bytes() : 0.0; }
  bool gains() const;
  Outcome factorise_own(const Sparse& matrix);
  template <class Work>
  Outcome together(const Work& work) const;
  Outcome factorise_separator(const Between& between);
  std::vector<double> term_of_own(const Between& between);
  void solve_separator(int n_columns);
  int owner(int row) const;
  int place_in_own(int row) const;  // of an inner row of this rank, or of a row of the border
  Eigen::Index row_of_border(Eigen::Index i) const {  // in S
    return block_ * border_[i / block_] + i % block_;
  }

  MPI_Comm comm_;
  Precision precision_;
  std::unique_ptr<SupernodalFactor> own_;  // of the inner rows; empty where there are none
  std::size_t pattern_ = 0;
  bool is_analysed_ = false, suits_ = false;
  int block_ = 1;
  std::vector<int> starts_;               // [ranks + 1] first row of each
  std::vector<int> separator_;            // blocks, ascending
  std::vector<int> in_separator_;         // of all blocks: where in separator_, or -1
  std::vector<int> inner_;                // of this rank's blocks: where in own_, or -1
  std::vector<int> border_;               // numbers in separator_ of what own_ has last
  std::vector<int> in_border_;            // of those in separator_: where in border_, or -1
  int n_inner_ = 0;                       // rows
  Eigen::MatrixXd S_;                     // factor, lower triangle
  Eigen::MatrixXd own_columns_, shared_;  // of solutions
  double bytes_ = 0.0;
};

}  // namespace solidyn::solvers
