#include "report/linear.h"

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

Json read_linear(const RunFolder& run, Blob& blob) {
  const std::optional<CsvTable> modes = read_csv(run.path + "/modes.csv"),
                                response = read_csv(run.path + "/frequency_response.csv");
  if (!modes && !response) return nullptr;
  Json linear = Json::object();
  if (modes) linear["modes"] = rows_as_objects(*modes, kMostModes);
  if (response) linear["frequency_response"] = responses(*response, blob);
  return linear;
}

Json read_sweep(const std::string& folder) {
  const std::optional<CsvTable> table = read_csv(folder + "/sweep.csv");
  if (!table) return nullptr;
  const int status = column_of(*table, "status");
  Json parameters = Json::array(), columns = Json::array();
  for (int i = 1; i < status; ++i) parameters.push_back(table->names[i]);
  for (std::size_t i = 0; i < table->names.size(); ++i) {
    Json values = Json::array();
    for (const std::vector<std::string>& row : table->rows) values.push_back(cell_value(row[i]));
    columns.push_back(
        {{"name", table->names[i]}, {"unit", table->units[i]}, {"values", std::move(values)}});
  }
  return {{"parameters", std::move(parameters)}, {"columns", std::move(columns)}};
}

}  // namespace solidyn::report
