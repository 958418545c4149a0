#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace solidyn::report {

struct ReportOptions {
  /// Output folders of runs, which may be going on or have failed, and of sweeps.
  std::vector<std::string> folders;
  std::string output;      ///< the HTML file
  double tolerance = 0.0;  ///< of positions, m; 0: 1/2000 of the mechanism's size
};

/// @throws base::InputError when this program was built without the page's script
void require_viewer();

/// What was written, for a line in the log.
struct WrittenReport {
  std::int64_t n_bytes = 0;
  double tolerance =
      0.0;             ///< the bound of positions that the page states, m; the largest of the runs
  int n_pictures = 0;  ///< of the run with most
};

/// Writes one HTML file that shows what the runs in these folders did (doc/report.md): the motion
/// in 3D, curves, tables. The file needs nothing beside it and asks for nothing over a network. The
/// same folders give the same bytes. Local.
/// @throws base::InputError, and writes no file: a folder without a run, a damaged or foreign file
/// in it, an output that exists and is no report, a program built without the page's script, a full
/// disk Proved by Report.* and tests/programs/report.py.
WrittenReport write_report(const ReportOptions& options);

}  // namespace solidyn::report
