#include "report/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "report/csv_table.h"
#include "solidyn/base/error.h"

namespace solidyn::report {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostRuns = 12, kMostNamed = 10;

Json columns_of(const CsvTable& table, int status) {
  Json parameters = Json::array(), columns = Json::array();
  for (int i = 1; i < status; ++i) parameters.push_back(table.names[i]);
  for (std::size_t i = 0; i < table.names.size(); ++i) {
    Json values = Json::array();
    for (const std::vector<std::string>& row : table.rows) values.push_back(cell_value(row[i]));
    columns.push_back(
        {{"name", table.names[i]}, {"unit", table.units[i]}, {"values", std::move(values)}});
  }
  return {{"parameters", std::move(parameters)}, {"columns", std::move(columns)}};
}

// Names of runs whose status is one of these.
std::vector<std::string> runs_with(const CsvTable& table, int status, const std::string& word) {
  std::vector<std::string> names;
  for (const std::vector<std::string>& row : table.rows)
    if (row[status] == word) names.push_back(row[0]);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(kMostNamed, names.size()); ++i)
    text += (i ? ", " : "") + names[i];
  return names.size() > kMostNamed ? text + ", ..." : text;
}

// Folders of runs, those that are not in the table too.
std::vector<std::string> folders_of_runs(const std::string& folder) {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().rfind("run_", 0) == 0 &&
        fs::exists(entry.path() / "summary.json"))
      found.push_back(entry.path().string());
  std::sort(found.begin(), found.end());
  return found;
}

void judge(SweepFolder& sweep, const CsvTable& table, int status) {
  const std::vector<std::string> failed = runs_with(table, status, "failed"),
                                 doubtful = runs_with(table, status, "doubtful");
  sweep.status = "completed";
  const auto tell = [&](const std::vector<std::string>& names, const char* word) {
    if (names.empty()) return;
    if (sweep.status == "completed") sweep.status = word;
    if (!sweep.message.empty()) sweep.message += " ";
    sweep.message += fmt::format("{} of {} runs {}: {}.", names.size(), table.rows.size(),
                                 word[0] == 'f' ? "failed" : "are doubtful", listed(names));
  };
  tell(failed, "failed");
  tell(doubtful, "doubtful");
}

}  // namespace

bool is_sweep(const std::string& folder) {
  std::error_code error;  // a path that cannot be is no folder of a sweep
  return !fs::exists(folder + "/summary.json", error) && fs::exists(folder + "/sweep.csv", error);
}

SweepFolder read_sweep_folder(const std::string& folder) {
  SweepFolder sweep;
  const CsvTable table = read_csv(folder + "/sweep.csv").value_or(CsvTable{});
  const auto found = std::find(table.names.begin(), table.names.end(), "status");
  if (found == table.names.end() || table.names.front() != "run")
    throw base::InputError(
        fmt::format("{}/sweep.csv is damaged: it has no columns `run` and `status`", folder),
        "carry out the sweep again");
  const auto status = static_cast<int>(found - table.names.begin());
  sweep.table = columns_of(table, status);
  judge(sweep, table, status);
  sweep.runs = folders_of_runs(folder);
  if (sweep.runs.size() > kMostRuns) {
    sweep.notes.push_back(fmt::format(
        "{}: the first {} of {} runs can be opened; `solidyn report` of their folders shows others.",
        folder_name(folder), kMostRuns, sweep.runs.size()));
    sweep.runs.resize(kMostRuns);
  }
  for (const std::vector<std::string>& row : table.rows) {
    const auto at = std::find_if(sweep.runs.begin(), sweep.runs.end(), [&](const std::string& run) {
      return folder_name(run) == row[0];
    });
    sweep.run_of_row.push_back(at == sweep.runs.end() ? -1
                                                      : static_cast<int>(at - sweep.runs.begin()));
  }
  return sweep;
}

}  // namespace solidyn::report
