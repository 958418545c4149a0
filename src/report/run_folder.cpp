#include "report/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "report/csv_table.h"
#include "solidyn/base/error.h"
#include "solidyn/results/folder_lock.h"

namespace solidyn::report {
namespace {

namespace fs = std::filesystem;
using base::InputError;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Json read_summary(const std::string& path) {
  Json summary = Json::parse(text_of(path), nullptr, false);
  return summary.is_object() && summary.contains("solidyn") ? summary : Json();
}

std::string status_of(const RunFolder& run) {
  const std::string status = run.summary.value("status", "");
  if (status == "done") return "completed";
  return status == "running" && !run.is_in_use ? "stopped" : status;
}

std::string shown(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number()) return fmt::format("{:.6g}", value.get<double>());
  return value.is_null() ? "" : value.dump();
}

Table table_of(const Json& summary, const std::string& title,
               const std::vector<std::array<std::string, 3>>& rows) {
  Table table{title, {"quantity", "value", "unit"}, {}};
  for (const auto& [key, words, unit] : rows) {
    const Json::json_pointer at("/" + key);
    if (summary.contains(at)) table.rows.push_back({words, shown(summary.at(at)), unit});
  }
  return table;
}

}  // namespace

std::vector<std::string> names_of_folders(const std::vector<std::string>& paths) {
  // Of each, as many of its last parts as it takes.
  const auto name = [](const std::string& path, int n_parts) {
    fs::path absolute = fs::absolute(path).lexically_normal(), name;
    if (absolute.filename().empty()) absolute = absolute.parent_path();
    for (; n_parts > 0 && absolute.has_relative_path();
         --n_parts, absolute = absolute.parent_path())
      name = name.empty() ? absolute.filename() : absolute.filename() / name;
    return name.string();
  };
  std::vector<int> n_parts(paths.size(), 1);
  std::vector<std::string> names(paths.size());
  for (bool is_done = false; !is_done;) {
    is_done = true;
    std::map<std::string, int> n_of_name;
    for (std::size_t i = 0; i < paths.size(); ++i)
      ++n_of_name[names[i] = name(paths[i], n_parts[i])];
    for (std::size_t i = 0; i < paths.size(); ++i) {
      if (n_of_name[names[i]] < 2) continue;
      if (name(paths[i], n_parts[i] + 1) == names[i])
        throw InputError(fmt::format("{} is given twice", paths[i]), "give each folder once");
      ++n_parts[i];
      is_done = false;
    }
  }
  return names;
}

std::string folder_name(const std::string& path) {
  fs::path absolute = fs::absolute(path).lexically_normal();
  if (absolute.filename().empty()) absolute = absolute.parent_path();
  return absolute.filename().string();
}

RunFolder read_run_folder(const std::string& path) {
  const auto no_run = [&](const std::string& why) {
    return InputError(fmt::format("{} is not the folder of a run: {}", path, why),
                      "give the folder that `solidyn run -o FOLDER` wrote");
  };
  std::error_code error;
  if (!fs::is_directory(path, error))
    throw no_run(fs::exists(path, error) ? "it is a file"
                 : error                 ? error.message()
                                         : "it does not exist");
  const std::string summary = path + "/summary.json";
  if (!fs::exists(summary)) throw no_run("it contains no summary.json");
  RunFolder run;
  run.path = path;
  run.name = folder_name(path);
  // A run that ends meanwhile has written its summary before it gives the folder up.
  run.is_in_use = results::is_folder_in_use(path);
  run.summary = read_summary(summary);
  if (run.summary.is_null())
    throw no_run("its summary.json was not written by Solidyn, or is damaged");
  run.status = status_of(run);
  if (const auto failure = run.summary.find("failure"); failure != run.summary.end())
    run.message = failure->value("message", "");
  run.log = text_of(path + "/log.txt");
  for (const char* key : {"doubts", "warnings"})
    if (const auto found = run.summary.find(key); found != run.summary.end() && found->is_array())
      for (const Json& warning : *found) run.warnings.push_back(shown(warning));
  return run;
}

Json read_events(const RunFolder& run, std::vector<std::string>& notes) {
  constexpr std::size_t kMostEvents = 20'000;
  const std::optional<CsvTable> events = read_csv(run.path + "/events.csv");
  if (!events) return nullptr;
  if (events->rows.size() > kMostEvents)
    notes.push_back(fmt::format("{}: the first {} of {} events are listed; events.csv has all.",
                                run.name, kMostEvents, events->rows.size()));
  return rows_as_objects(*events, kMostEvents);
}

std::optional<Table> table_of_statics(const RunFolder& run, std::vector<std::string>& notes) {
  constexpr std::size_t kMostEquilibria = 2'000;
  const std::optional<CsvTable> statics = read_csv(run.path + "/statics.csv");
  if (!statics) return {};
  Table table{"Equilibria before the motion", {}, {}};
  for (std::size_t i = 0; i < statics->names.size(); ++i)
    table.columns.push_back(statics->units[i].empty() || statics->units[i] == "1"
                                ? statics->names[i]
                                : fmt::format("{} [{}]", statics->names[i], statics->units[i]));
  const std::size_t n = std::min(kMostEquilibria, statics->rows.size());
  for (std::size_t r = 0; r < n; ++r) {
    std::vector<std::string>& row = table.rows.emplace_back();
    for (const std::string& cell : statics->rows[r]) row.push_back(shown(cell_value(cell)));
  }
  if (n < statics->rows.size())
    notes.push_back(
        fmt::format("{}: the first {} of {} equilibria are listed; statics.csv has all.", run.name,
                    n, statics->rows.size()));
  return table;
}

std::vector<Table> tables_of_summary(const Json& summary) {
  std::vector<Table> tables;
  tables.push_back(table_of(summary, "Run",
                            {{"integrator", "integrator", ""},
                             {"formulation", "formulation", ""},
                             {"steps", "steps", ""},
                             {"newton_iterations", "Newton iterations", ""},
                             {"dofs", "velocity unknowns", ""},
                             {"constraints", "independent constraints", ""},
                             {"time", "reached time", "s"}}));
  tables.push_back(table_of(summary, "Energy",
                            {{"energy/kinetic", "kinetic energy", "J"},
                             {"energy/strain", "strain energy", "J"},
                             {"energy/potential", "potential energy of gravity", "J"},
                             {"energy/work", "work of loads, drives and dampers", "J"},
                             {"energy/relative_drift", "relative drift", ""},
                             {"energy/exchanged", "exchanged energy", "J"},
                             {"energy/imbalance", "imbalance", "J"}}));
  tables.push_back(table_of(summary, "Largest violation of constraints",
                            {{"max_constraint_violation/position", "position", ""},
                             {"max_constraint_violation/velocity", "velocity", ""},
                             {"max_constraint_violation/acceleration", "acceleration", ""}}));
  tables.push_back(table_of(summary, "Time and memory",
                            {{"ranks", "MPI ranks", ""},
                             {"seconds/total", "wall-clock time", "s"},
                             {"seconds/setup", "of which set-up", "s"},
                             {"seconds/assembly", "of which assembly", "s"},
                             {"seconds/solve", "of which solution of linear equations", "s"},
                             {"seconds/output", "of which output", "s"},
                             {"peak_rss_mb", "peak memory of a rank", "MB"}}));
  tables.erase(std::remove_if(tables.begin(), tables.end(),
                              [](const Table& table) { return table.rows.empty(); }),
               tables.end());
  return tables;
}

}  // namespace solidyn::report
