#include "model/language/positions_file.h"

#include <fmt/format.h>

#include "model/language/key.h"
#include "model/language/point_file.h"
#include "solidyn/base/error.h"

namespace solidyn::model {

using Eigen::Vector3d;

std::vector<Vector3d> read_positions_file(const TableView& view, const std::string& key) {
  const std::string name = view.text(key);
  const std::filesystem::path file = (view.context().directory / name).lexically_normal();
  view.context().data_files[view.path(key)] = file;
  const PointFile content = read_point_file(file);
  if (content.columns.size() != 3)
    throw base::InputError(
        fmt::format("`{}` has {} columns", name, content.columns.size()),
        "write x, y and z of a point in each line, also where the curve is plane");
  const bool is_si = content.units == std::vector<std::string>(3, "m");
  if (!content.units.empty() && !is_si)
    throw base::InputError(fmt::format("`{}` is not in m by its line `# units:`", name),
                           "remove the line: then the units are those of the model file");
  const double unit = is_si ? 1.0 : view.context().units.scale(kLength);
  std::vector<Vector3d> points;
  for (std::size_t i = 0; i < content.columns[0].size(); ++i)
    points.emplace_back(content.columns[0][i] * unit, content.columns[1][i] * unit,
                        content.columns[2][i] * unit);
  return points;
}

std::string key_of_positions(const TableView& view, const std::string& owner) {
  const bool has_both = view.has("points") && view.has("file");
  if (has_both || !view.has_any({"points", "file"})) {
    view.report().error(has_both ? view.where("file") : view.where(),
                        has_both ? fmt::format("{} is given beside `points`", view.path("file"))
                                 : fmt::format("{} is missing", view.path("points")),
                        fmt::format("give {} by `points` or by a `file`", owner));
    return "";
  }
  const std::string key = view.has("file") ? "file" : "points";
  return view.is_good(key) ? key : "";
}

}  // namespace solidyn::model
