#pragma once
#include <mpi.h>

#include <Eigen/Dense>
#include <chrono>
#include <exception>
#include <optional>
#include <string>
#include <vector>

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
/// Rows are collected and handed to the system when half a second has passed since the last time,
/// at once if steps are slow, and at flush(). A process that is killed loses at most those rows.
/// Proved by tests/unit/results/history_test.cpp and tests/robustness/results.
class HistoryWriter {
 public:
  /// Collective. Creates `path`, or, with `resume_at`, continues after the last row whose time is
  /// not later (rows after it, and a half-written last line, are cut off). Throws InputError if the
  /// file has other columns or cannot be written; a missing file is begun anew with a warning.
  HistoryWriter(MPI_Comm comm, std::string path, const std::vector<HistoryColumn>& columns,
                std::optional<double> resume_at = std::nullopt);
  HistoryWriter(const HistoryWriter&) = delete;
  HistoryWriter& operator=(const HistoryWriter&) = delete;
  ~HistoryWriter();

  /// Local. @param values [n columns] in the order of the columns, on rank 0.
  /// A failure to write (disk full) is kept for flush(), since no rank may throw alone.
  void write(double time, const Eigen::Ref<const Eigen::VectorXd>& values);

  /// Collective. Puts all rows on the disk; throws on all ranks if a row could not be written.
  /// Called at checkpoints and at the end of a run.
  void flush();

 private:
  using Clock = std::chrono::steady_clock;
  void open(const std::string& header, std::optional<double> resume_at);
  void hand_over();

  MPI_Comm comm_;
  std::string path_;
  std::ptrdiff_t n_columns_;
  int file_ = -1;  ///< rank 0's descriptor
  std::string rows_;
  Clock::time_point handed_over_, last_row_;
  std::exception_ptr error_;
};

}  // namespace solidyn::results
