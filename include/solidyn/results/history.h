#pragma once
#include <mpi.h>

#include <Eigen/Dense>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/results/row_file.h"

namespace solidyn::results {

/// A column of history.csv; the unit as it is printed ("m", "rad/s", "1" for a pure number).
struct HistoryColumn {
  std::string name;
  std::string unit;
};

/// Writes history.csv: line 1 `# units: s,m,...`, line 2 `time,<name>,...`, then one row per call
/// with as many digits as it takes to read the same doubles again. Rank 0 writes; the others' calls
/// return.
///
/// Rows go out as RowFile says: a process that is killed loses those of half a second at most.
/// Proved by tests/unit/results/history_test.cpp and tests/robustness/results.
class HistoryWriter {
 public:
  /// Collective. Creates `path`, or, with `resume_at`, continues after the last row whose time is
  /// not later (rows after it, and a half-written last line, are cut off). Throws InputError if the
  /// file has other columns or cannot be written; a missing file is begun anew with a warning.
  HistoryWriter(MPI_Comm comm, std::string path, const std::vector<HistoryColumn>& columns,
                std::optional<double> resume_at = std::nullopt);

  /// Local. @param values [n columns] in the order of the columns, on rank 0.
  /// A failure to write (disk full) is kept for flush(), since no rank may throw alone.
  void write(double time, const Eigen::Ref<const Eigen::VectorXd>& values);

  /// Collective. Puts all rows on the disk; throws on all ranks if a row could not be written.
  /// Called at checkpoints and at the end of a run.
  void flush();

 private:
  std::ptrdiff_t n_columns_;
  RowFile file_;
};

}  // namespace solidyn::results
