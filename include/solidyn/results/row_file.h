#pragma once
#include <mpi.h>

#include <chrono>
#include <exception>
#include <optional>
#include <string>

namespace solidyn::results {

/// A table that grows by rows of text, the first cell of each a time: history.csv, events.csv.
/// Rank 0 writes; the others' calls return.
///
/// Rows are collected and handed to the system when half a second has passed since the last time,
/// at once if rows are slow to come, and at flush(). A process that is killed loses at most those.
class RowFile {
 public:
  /// Collective. Creates `path` with the lines of `header`, or, with `resume_at`, continues after
  /// the last row whose time is not later (rows after it, and a half-written last line, are cut
  /// off). @throws base::InputError if the file has another header or cannot be written; a missing
  /// file is begun anew with a warning
  RowFile(MPI_Comm comm, std::string path, std::string header,
          std::optional<double> resume_at = std::nullopt);
  RowFile(const RowFile&) = delete;
  RowFile& operator=(const RowFile&) = delete;
  ~RowFile();

  bool is_open() const { return file_ >= 0; }  ///< on rank 0
  /// Local. What add_row() appends to; each row ends with a line break.
  std::string& rows() { return rows_; }
  /// Local, after a row: hands rows over when that is due. A failure (disk full) is kept for
  /// flush(), since no rank may throw alone.
  void row_is_added();

  /// Collective. Puts all rows on the disk; throws on all ranks if a row could not be written.
  void flush();

 private:
  using Clock = std::chrono::steady_clock;
  void open(const std::string& header, std::optional<double> resume_at);
  void hand_over();

  MPI_Comm comm_;
  std::string path_;
  int file_ = -1;  ///< rank 0's descriptor
  std::string rows_;
  Clock::time_point handed_over_, last_row_;
  std::exception_ptr error_;
};

/// Appends the shortest text that reads back as the same double.
void append_number(double value, std::string& text);

}  // namespace solidyn::results
