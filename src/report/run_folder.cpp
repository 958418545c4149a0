#include "report/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>

#include "report/csv_table.h"
#include "solidyn/base/error.h"
#include "solidyn/results/folder_lock.h"
#include "solidyn/results/read_history.h"

namespace solidyn::report {
namespace {

namespace fs = std::filesystem;
using base::InputError;

constexpr Eigen::Index kMostRows = 200'000, kBuckets = 20'000;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool is_in_use(const std::string& path) {
  try {
    results::refuse_folder_in_use(path);
    return false;
  } catch (const InputError&) {
    return true;
  }
}

std::string status_of(const RunFolder& run) {
  const std::string status = run.summary.value("status", "");
  if (status == "done") return "completed";
  if (status == "running") return is_in_use(run.path) ? "running" : "stopped";
  return status;
}

// [2 x buckets] smallest and largest of each, and the mean time of each.
Eigen::MatrixXd extremes(const Eigen::VectorXd& values) {
  Eigen::MatrixXd of_buckets(2, kBuckets);
  for (Eigen::Index b = 0; b < kBuckets; ++b) {
    const Eigen::Index first = b * values.size() / kBuckets,
                       last = (b + 1) * values.size() / kBuckets;
    double low = std::numeric_limits<double>::quiet_NaN(), high = low;
    for (Eigen::Index i = first; i < last; ++i) {
      if (!(low <= values[i])) low = values[i];
      if (!(high >= values[i])) high = values[i];
    }
    of_buckets.col(b) << low, high;
  }
  return of_buckets;
}

std::vector<double> list_of(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }

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
  if (!fs::is_directory(path))
    throw no_run(fs::exists(path) ? "it is a file" : "it does not exist");
  const std::string summary = path + "/summary.json";
  if (!fs::exists(summary)) throw no_run("it contains no summary.json");
  RunFolder run;
  run.path = path;
  run.name = folder_name(path);
  run.summary = Json::parse(text_of(summary), nullptr, false);
  if (!run.summary.is_object() || !run.summary.contains("solidyn"))
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

Json pack_history(const RunFolder& run, Blob& blob) {
  const std::string path = run.path + "/history.csv";
  if (!fs::exists(path)) return nullptr;
  const results::History history = results::read_history(path);
  const bool is_reduced = history.time.size() > kMostRows;
  Json columns = Json::array();
  int buckets = -1;
  if (is_reduced) {
    std::vector<double> middles;
    for (Eigen::Index b = 0; b < kBuckets; ++b)
      middles.push_back(history.time[(2 * b + 1) * history.time.size() / (2 * kBuckets)]);
    buckets = blob.add_floats(middles);
  }
  for (std::size_t i = 0; i < history.columns.size(); ++i) {
    const Eigen::VectorXd values = history.values.col(static_cast<Eigen::Index>(i));
    Json column = {{"name", history.columns[i].name}, {"unit", history.columns[i].unit}};
    if (is_reduced) {
      column["array"] = blob.add_floats(extremes(values));
      column["buckets"] = buckets;
    } else {
      column["array"] = blob.add_floats(list_of(values));
    }
    columns.push_back(std::move(column));
  }
  return {{"x", is_reduced ? buckets : blob.add_floats(list_of(history.time))},
          {"columns", std::move(columns)},
          {"reduced", is_reduced},
          {"rows", history.time.size()}};
}

Json read_events(const RunFolder& run) {
  constexpr std::size_t kMostEvents = 20'000;
  const std::optional<CsvTable> events = read_csv(run.path + "/events.csv");
  return events ? rows_as_objects(*events, kMostEvents) : Json();
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
