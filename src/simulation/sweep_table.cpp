#include "simulation/sweep_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "solidyn/base/gather.h"
#include "solidyn/base/mpi.h"

namespace solidyn::simulation {
namespace {

// Between parts of a row, and between rows, on their way to rank 0: in no name and no value.
constexpr char kPart = '\x1f', kRow = '\x1e';

std::string packed(const SweepRow& row) {
  std::string text = row.run;
  const auto add = [&](const std::string& part) { text += kPart + part; };
  for (const std::string& value : row.values) add(value);
  add(row.status);
  add(fmt::format("{:.6g}", row.seconds));
  for (const NamedNumber& number : row.numbers) {
    add(number.name);
    add(number.unit);
    add(std::isnan(number.value) ? "nan" : fmt::format("{}", number.value));
  }
  return text + kRow;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// The parts of each packed row, sorted by run; run names have leading zeros.
std::vector<std::vector<std::string>> unpacked(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& row : split(text, kRow))
    if (!row.empty()) rows.push_back(split(row, kPart));
  std::sort(rows.begin(), rows.end());
  return rows;
}

struct Columns {
  std::vector<std::string> names, units;
  std::map<std::string, std::size_t> index;

  void add(const std::string& name, const std::string& unit) {
    const auto [found, is_new] = index.emplace(name, names.size());
    if (!is_new && units[found->second] != unit) units[found->second] = "of the run";
    if (!is_new) return;
    names.push_back(name);
    units.push_back(unit);
  }
};

}  // namespace

void RunNumbers::add(const std::vector<results::HistoryColumn>& columns, double time,
                     const Eigen::VectorXd& row) {
  columns_ = columns;
  const bool counts = time >= from_ * (1.0 - 1e-12);
  if (counts && least_.size() == 0) {
    least_ = largest_ = row;
    sum_ = square_ = duration_ = Eigen::VectorXd::Zero(row.size());
  } else if (counts) {
    add_span(time - last_time_, row);
  }
  last_ = row;
  last_time_ = time;
  if (!counts) return;
  // Of what is a number: a sensor may have nothing to say at first.
  least_ = least_.binaryExpr(row, [](double a, double b) { return std::fmin(a, b); });
  largest_ = largest_.binaryExpr(row, [](double a, double b) { return std::fmax(a, b); });
}

// From the last row to this one.
void RunNumbers::add_span(double duration, const Eigen::VectorXd& row) {
  for (Eigen::Index i = 0; i < row.size(); ++i) {
    const double a = last_[i], b = row[i];
    if (std::isnan(a) || std::isnan(b)) continue;
    sum_[i] += duration * 0.5 * (a + b);
    square_[i] += duration * (a * a + a * b + b * b) / 3.0;
    duration_[i] += duration;
  }
}

void RunNumbers::add(const std::vector<NamedNumber>& numbers) { numbers_ = numbers; }

std::vector<NamedNumber> RunNumbers::all() const {
  std::vector<NamedNumber> numbers;
  const auto add = [&](const char* of, const Eigen::VectorXd& values) {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      numbers.push_back({fmt::format("{}.{}", columns_[i].name, of), columns_[i].unit,
                         values.size() > 0 ? values[static_cast<Eigen::Index>(i)]
                                           : std::numeric_limits<double>::quiet_NaN()});
  };
  add("last", last_);
  add("least", least_);
  add("largest", largest_);
  add("mean", sum_.cwiseQuotient(duration_));
  add("rms", square_.cwiseQuotient(duration_).cwiseSqrt());
  add("amplitude", 0.5 * (largest_ - least_));
  numbers.insert(numbers.end(), numbers_.begin(), numbers_.end());
  return numbers;
}

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + "\"";
}

std::string gathered(MPI_Comm comm, const std::string& text) {
  const std::vector<char> mine(text.begin(), text.end());
  const std::vector<char> all = base::gather_on_first(comm, mine, MPI_CHAR);
  return {all.begin(), all.end()};
}

std::string sweep_table(MPI_Comm comm, const std::vector<SweepParameter>& parameters,
                        const std::vector<SweepRow>& rows) {
  std::string text;
  for (const SweepRow& row : rows) text += packed(row);
  const std::vector<std::vector<std::string>> all = unpacked(gathered(comm, text));

  std::string units = kSweepTableStart, names = "run";
  for (const SweepParameter& parameter : parameters) {
    if (&parameter != &parameters.front()) units += ",of the model file";
    names += "," + csv_cell(parameter.path);
  }
  units += ",1,s";
  names += ",status,seconds";
  const std::size_t n_first = 3 + parameters.size();
  Columns columns;
  for (const auto& row : all)
    for (std::size_t i = n_first; i + 2 < row.size(); i += 3) columns.add(row[i], row[i + 1]);
  for (std::size_t i = 0; i < columns.names.size(); ++i) {
    units += "," + csv_cell(columns.units[i]);
    names += "," + csv_cell(columns.names[i]);
  }
  std::string table = units + "\n" + names + "\n";
  for (const auto& row : all) {
    std::vector<std::string> cells(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n_first));
    cells.resize(n_first + columns.names.size(), "nan");
    for (std::size_t i = n_first; i + 2 < row.size(); i += 3)
      cells[n_first + columns.index.at(row[i])] = row[i + 2];
    for (std::size_t i = 0; i < cells.size(); ++i) table += (i ? "," : "") + csv_cell(cells[i]);
    table += "\n";
  }
  return table;
}

}  // namespace solidyn::simulation
