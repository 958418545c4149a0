#pragma once
#include <mpi.h>

#include <cstdint>
#include <functional>
#include <vector>

namespace solidyn::results {

/// Numbers distinct tags 0, 1, 2, ... in ascending order over all ranks, whoever holds them. Nodes
/// are written in this order, so that a file does not depend on how many ranks wrote it. No rank
/// holds all tags.
class RowNumbering {
 public:
  /// Collective. A tag may appear several times, on several ranks.
  RowNumbering(MPI_Comm comm, const std::vector<std::int64_t>& tags);
  std::int64_t n_rows() const { return n_rows_; }
  /// Collective. The row of each tag, -1 for a tag that is not numbered.
  std::vector<std::int64_t> rows_of(const std::vector<std::int64_t>& tags) const;

 private:
  int keeper_of(std::int64_t tag) const;
  std::int64_t row_of(std::int64_t tag) const;  // of a tag that this rank keeps

  MPI_Comm comm_;
  std::int64_t lowest_ = 0, highest_ = -1, tags_per_rank_ = 1;
  std::vector<std::int64_t> kept_;  // sorted; those between this rank's limits
  std::int64_t first_row_ = 0, n_rows_ = 0;
};

/// Moves columns of numbers between the ranks that own them and the contiguous blocks of rows that
/// the ranks write and read: rank r has the rows [n r / P, n (r+1) / P) of n on P ranks.
class RowExchange {
 public:
  /// Collective. @param rows  [n_owned] the row of each own column, -1 if it is not in the file
  RowExchange(MPI_Comm comm, const std::vector<std::int64_t>& rows, std::int64_t n_rows);
  std::int64_t first() const { return first_; }
  std::int64_t n() const { return n_; }
  /// Collective. Does exactly one rank own each row?
  bool covers_all_rows() const;
  /// Collective. The block [n_components x n()]; `fill` gives the numbers of own column `i`.
  using Fill = std::function<void(std::int32_t i, double* column)>;
  std::vector<double> to_block(int n_components, const Fill& fill) const;
  /// Collective. The same from [n_components x n_owned], and back.
  std::vector<double> to_block(const double* columns, int n_components) const;
  void from_block(const std::vector<double>& block, int n_components, double* columns) const;

 private:
  MPI_Comm comm_;
  std::int64_t first_ = 0, n_ = 0;
  std::vector<std::int32_t> sent_;        // own columns in the order of sending
  std::vector<std::int32_t> landing_;     // where in the block each received column goes
  std::vector<int> n_sent_, n_received_;  // per rank
};

}  // namespace solidyn::results
