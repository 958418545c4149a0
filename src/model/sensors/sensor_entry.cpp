#include "model/sensors/sensor_entry.h"

#include <fmt/format.h>

#include <stdexcept>

#include "model/language/spelling.h"
#include "model/sensors/catalogue.h"
#include "model/sensors/components.h"

namespace solidyn::model {

std::vector<SensorColumn> SensorEntry::columns() const {
  std::vector<SensorColumn> columns;
  for (const Recorded& thing : recorded())
    columns.push_back({name + "." + thing.word, thing.quantity});
  if (columns.empty()) columns.push_back({name, kNumber});  // after a complaint
  if (columns.size() == 1) columns[0].name = name;
  return columns;
}

// A force depends on positions and velocities, of which the tangent needs the derivatives.
std::optional<Rejection> SensorEntry::force_rejection(const std::string& column) const {
  if (is_measurable()) return {};
  std::vector<std::string> others;
  for (const SensorType& other : sensor_catalogue())
    if (other.is_measurable) others.push_back(other.word);
  return Rejection{
      fmt::format("`{}` is a sensor of type {}, on which a force cannot depend", column, type),
      "use sensors of type " + listed(others)};
}

std::unique_ptr<forces::Measure> SensorEntry::measure(int, const Builder&) const {
  throw std::logic_error(
      "internal error: a force depends on a sensor that does not measure motion");
}

void report_unknown_component(const TableView& view, const std::string& owner, const Words& words) {
  view.report().error(view.where("component"),
                      fmt::format("{} is {}, which {} does not have", view.path("component"),
                                  view.text("component"), owner),
                      "write " + listed(words));
}

}  // namespace solidyn::model
