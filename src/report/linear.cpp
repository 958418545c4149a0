#include "report/linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "report/csv_table.h"

namespace solidyn::report {
namespace {

constexpr std::size_t kMostModes = 100'000;

int column_of(const CsvTable& table, const char* name) {
  const auto found = std::find(table.names.begin(), table.names.end(), name);
  return found == table.names.end() ? -1 : static_cast<int>(found - table.names.begin());
}

// One curve for each input, output and time, in the order of their first rows.
Json responses(const CsvTable& table, Blob& blob) {
  const int time = column_of(table, "time"), input = column_of(table, "input"),
            output = column_of(table, "output"), frequency = column_of(table, "frequency"),
            real = column_of(table, "real"), imaginary = column_of(table, "imaginary");
  if (std::min({time, input, output, frequency, real, imaginary}) < 0) return Json::array();
  struct Curve {
    std::array<std::vector<double>, 3> numbers;
  };
  std::vector<std::array<std::string, 3>> keys;
  std::map<std::array<std::string, 3>, Curve> curves;
  for (const std::vector<std::string>& row : table.rows) {
    const std::array<std::string, 3> key = {row[time], row[input], row[output]};
    if (curves.count(key) == 0) keys.push_back(key);
    Curve& curve = curves[key];
    const int columns[] = {frequency, real, imaginary};
    for (int i = 0; i < 3; ++i)
      curve.numbers[i].push_back(std::strtod(row[columns[i]].c_str(), nullptr));
  }
  Json list = Json::array();
  for (const auto& key : keys) {
    const Curve& curve = curves[key];
    list.push_back({{"time", cell_value(key[0])},
                    {"input", key[1]},
                    {"output", key[2]},
                    {"unit", table.units[real]},
                    {"frequency", blob.add_floats(curve.numbers[0])},
                    {"real", blob.add_floats(curve.numbers[1])},
                    {"imaginary", blob.add_floats(curve.numbers[2])}});
  }
  return list;
}

}  // namespace

Json read_linear(const RunFolder& run, Blob& blob, std::vector<std::string>& notes) {
  const std::optional<CsvTable> modes = read_csv(run.path + "/modes.csv"),
                                response = read_csv(run.path + "/frequency_response.csv");
  if (!modes && !response) return nullptr;
  Json linear = Json::object();
  if (modes && modes->rows.size() > kMostModes)
    notes.push_back(fmt::format("{}: the first {} of {} modes are listed; modes.csv has all.",
                                run.name, kMostModes, modes->rows.size()));
  if (modes) linear["modes"] = rows_as_objects(*modes, kMostModes);
  if (response) linear["frequency_response"] = responses(*response, blob);
  return linear;
}

}  // namespace solidyn::report
