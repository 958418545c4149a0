#pragma once
#include <string>
#include <vector>

#include "report/blob.h"

namespace solidyn::report {

/// A table as the page shows it; cells are text.
struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// What a run folder says beside its motion.
struct RunFolder {
  std::string path, name;
  Json summary;
  std::string status;   ///< "completed", "doubtful", "failed", "stopped" or "running"
  std::string message;  ///< why it failed
  std::string log;
  std::vector<std::string> warnings;
};

/// As others will see the folder: its own name, whatever path leads there.
std::string folder_name(const std::string& path);

/// @throws base::InputError when the folder is none of a run
RunFolder read_run_folder(const std::string& path);

/// Columns of history.csv (or of statics.csv), null without one; those with many rows as minima and
/// maxima of buckets.
Json pack_history(const RunFolder& run, Blob& blob);

/// Rows of events.csv, null without one.
Json read_events(const RunFolder& run);

/// Energy, constraint violations, time and memory: what summary.json has, for people.
std::vector<Table> tables_of_summary(const Json& summary);

}  // namespace solidyn::report
