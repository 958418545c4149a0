#pragma once
#include <string>
#include <vector>

#include "report/run_folder.h"

namespace solidyn::report {

/// Whether the folder is that of a sweep, and not of a run.
bool is_sweep(const std::string& folder);

/// What the folder of a sweep holds.
struct SweepFolder {
  std::string status;             ///< "completed", "doubtful" or "failed"
  std::string message;            ///< which runs failed or are doubtful
  Json table;                     ///< parameters and columns of sweep.csv (doc/report.md)
  std::vector<std::string> runs;  ///< folders of those that are shown
  std::vector<int> run_of_row;    ///< [rows of the table] index into `runs`, -1: not shown
  std::vector<std::string> notes;
};

/// The table of a sweep and the first of its runs. @throws base::InputError when sweep.csv is
/// damaged
SweepFolder read_sweep_folder(const std::string& folder);

}  // namespace solidyn::report
