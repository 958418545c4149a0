#pragma once
#include <optional>
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
  bool is_in_use = false;  ///< a process writes into it
};

/// As others will see the folder: its own name, whatever path leads there.
std::string folder_name(const std::string& path);

/// Names that tell the folders from each other: their own, behind their parents' where these are
/// equal.
/// @throws base::InputError when one is given twice
std::vector<std::string> names_of_folders(const std::vector<std::string>& paths);

/// @throws base::InputError when the folder is none of a run
RunFolder read_run_folder(const std::string& path);

/// Rows of events.csv, null without one. `notes` gets a sentence on those that are left out.
Json read_events(const RunFolder& run, std::vector<std::string>& notes);

/// Rows of statics.csv: the equilibria that a motion began from.
std::optional<Table> table_of_statics(const RunFolder& run, std::vector<std::string>& notes);

/// Energy, constraint violations, time and memory: what summary.json has, for people.
std::vector<Table> tables_of_summary(const Json& summary);

}  // namespace solidyn::report
