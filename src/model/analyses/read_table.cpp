#include "model/analyses/read_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/language/field.h"
#include "model/language/point_file.h"
#include "model/language/spelling.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

using base::InputError;
using Ends = math::TimeFunction::Ends;

std::size_t column_called(const PointFile& points, const std::string& name,
                          const std::string& file) {
  const auto found = std::find(points.names.begin(), points.names.end(), name);
  if (found != points.names.end()) return static_cast<std::size_t>(found - points.names.begin());
  throw InputError(fmt::format("`{}` has no column `{}`", file, name),
                   points.names.empty() ? "the first line must give the names of the columns"
                                        : suggestion(name, points.names, "its columns are"));
}

struct ChosenColumns {
  std::size_t x = 0, y = 1;
};

ChosenColumns choose_columns(const TableView& table, const PointFile& points) {
  const std::string file = table.text("file");
  ChosenColumns chosen;
  if (table.has("against")) chosen.x = column_called(points, table.text("against"), file);
  if (table.has("column")) {
    chosen.y = column_called(points, table.text("column"), file);
  } else if (points.columns.size() != 2) {
    throw InputError(
        fmt::format("`{}` has {} columns", file, points.columns.size()),
        points.names.empty()
            ? "give their names on the first line, and select one by  column: name"
            : "select one by  column: name;  available are " + listed(points.names, "and"));
  } else {
    chosen.y = 1 - chosen.x;
  }
  if (chosen.x == chosen.y)
    throw InputError(fmt::format("`{}`: column `{}` is given against itself", file,
                                 points.names.empty() ? "" : points.names[chosen.x]),
                     "give another column, or another one as `against`");
  return chosen;
}

/// SI per unit of a column: 1 where the file says that it is in the SI unit that is wanted.
double unit_of_column(const PointFile& points, std::size_t column, const std::string& si,
                      double unit, const std::string& file) {
  if (points.units.empty()) return unit;
  const std::string& given = points.units[column];
  if (si.empty() || given == si) return 1.0;
  throw InputError(
      fmt::format("column `{}` of `{}` is in {}, expected {}",
                  points.names.empty() ? std::to_string(column + 1) : points.names[column], file,
                  given, si),
      "use another column, or remove the line `# units:` from a copy of the file, which is then read in the units of the model");
}

void read_file(const TableView& table, const TableUnits& units, TableContent& content) {
  const std::string name = table.text("file");
  const std::filesystem::path file = (table.context().directory / name).lexically_normal();
  table.context().data_files[table.path("file")] = file;
  PointFile points = read_point_file(file);
  if (points.columns.empty())
    throw InputError(fmt::format("`{}` contains no numbers", name),
                     "write t and value on each line");
  const ChosenColumns chosen = choose_columns(table, points);
  const double x_unit = unit_of_column(points, chosen.x, units.x_si, units.x, name);
  const double y_unit = unit_of_column(points, chosen.y, units.y_si, units.y, name);
  content.x = std::move(points.columns[chosen.x]);
  content.y = std::move(points.columns[chosen.y]);
  for (double& x : content.x) x *= x_unit;
  for (double& y : content.y) y *= y_unit;
}

Ends read_ends(const TableView& table, const TableUnits& units) {
  using Kind = Ends::Kind;
  Ends ends;
  static const Choice<Kind> kinds = {{"natural", Kind::natural},
                                     {"clamped", Kind::clamped},
                                     {"not_a_knot", Kind::not_a_knot},
                                     {"periodic", Kind::periodic}};
  read_choice(table, "ends", kinds, ends.kind);
  if (table.has("ends") && ends.kind == Kind::natural && table.text("interpolation") != "cubic")
    throw InputError("`natural` ends apply to cubic splines only",
                     "write  interpolation: cubic,  or remove `ends`");
  if (!table.has("end_slopes")) return ends;
  if (ends.kind != Kind::clamped)
    throw InputError("end_slopes apply to splines with clamped ends only",
                     "write  ends: clamped,  or remove them");
  if (!table.is_good("end_slopes")) return ends;
  const std::vector<double> slopes = table.numbers("end_slopes");
  ends.first_slope = slopes[0] * units.y / units.x;
  ends.last_slope = slopes[1] * units.y / units.x;
  return ends;
}

}  // namespace

TableContent read_table(const TableView& table, const TableUnits& units) {
  using Interpolation = math::TimeFunction::Interpolation;
  TableContent content;
  static const Choice<Interpolation> interpolations = {{"cubic", Interpolation::cubic},
                                                       {"linear", Interpolation::linear},
                                                       {"akima", Interpolation::akima}};
  read_choice(table, "interpolation", interpolations, content.interpolation);
  if (table.has("file")) {
    read_file(table, units, content);
  } else {
    for (const Value& point : table.find("table")->items) {
      content.x.push_back(*as_number(point.items[0]) * units.x);
      content.y.push_back(*as_number(point.items[1]) * units.y);
    }
  }
  content.ends = read_ends(table, units);
  return content;
}

}  // namespace solidyn::model
