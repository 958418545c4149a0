#include "report/curves.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <optional>

#include "solidyn/results/read_history.h"

namespace solidyn::report {
namespace {

constexpr Eigen::Index kMostRows = 200'000, kBuckets = 20'000;

std::vector<double> list_of(const Eigen::VectorXd& v) { return {v.data(), v.data() + v.size()}; }

// [2 x buckets] smallest and largest of each; NaN where there is no number.
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

std::vector<double> middles(const Eigen::VectorXd& times) {
  std::vector<double> middles;
  for (Eigen::Index b = 0; b < kBuckets; ++b)
    middles.push_back(times[(2 * b + 1) * times.size() / (2 * kBuckets)]);
  return middles;
}

// What the curves of one file stand over.
struct Abscissa {
  bool is_reduced = false;
  int array = -1;
};

bool rises(const Eigen::VectorXd& times) {
  for (Eigen::Index i = 1; i < times.size(); ++i)
    if (!(times[i] >= times[i - 1])) return false;
  return true;
}

// Along a path of equilibria the load parameter falls too: it becomes a column.
results::History over_rows(const results::History& history) {
  results::History rows;
  const Eigen::Index n = history.time.size();
  rows.columns = history.columns;
  rows.columns.insert(rows.columns.begin(), {"load parameter", ""});
  rows.values.resize(n, history.values.cols() + 1);
  rows.values << history.time, history.values;
  rows.time = Eigen::VectorXd::LinSpaced(n, 0.0, static_cast<double>(n - 1));
  return rows;
}

Abscissa pack_times(const results::History& history, Blob& blob) {
  const bool is_reduced = history.time.size() > kMostRows;
  return {is_reduced, blob.add_times(is_reduced ? middles(history.time) : list_of(history.time))};
}

Json pack_columns(const results::History& history, const Abscissa& x, Blob& blob) {
  Json columns = Json::array();
  for (std::size_t i = 0; i < history.columns.size(); ++i) {
    const Eigen::VectorXd values = history.values.col(static_cast<Eigen::Index>(i));
    columns.push_back({{"name", history.columns[i].name},
                       {"unit", history.columns[i].unit},
                       {"array", x.is_reduced ? blob.add_floats(extremes(values))
                                              : blob.add_floats(list_of(values))},
                       {"buckets", x.array}});
  }
  return columns;
}

}  // namespace

Json pack_curves(const RunFolder& run, bool is_by_step, Blob& blob,
                 std::vector<std::string>& notes) {
  Json packed;
  for (const char* file : {"history.csv", "drives.csv"}) {
    const std::string path = run.path + "/" + file;
    if (!std::filesystem::exists(path)) continue;
    results::History history = results::read_history(path);
    if (is_by_step || !rises(history.time)) history = over_rows(history);
    const Abscissa x = pack_times(history, blob);
    if (packed.is_null())
      packed = {{"x", x.array},
                {"columns", Json::array()},
                {"reduced", false},
                {"rows", history.time.size()}};
    for (Json& column : pack_columns(history, x, blob))
      packed["columns"].push_back(std::move(column));
    if (!x.is_reduced) continue;
    packed["reduced"] = true;
    notes.push_back(fmt::format(
        "{}: {} has {} rows; curves show the smallest and largest values of {} intervals.",
        run.name, file, history.time.size(), kBuckets));
  }
  return packed;
}

}  // namespace solidyn::report
