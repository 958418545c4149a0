#include <fmt/format.h>

#include <algorithm>

#include "model/analyses/analysis_type.h"
#include "model/language/spelling.h"

// What dynamics and kinematics have in common.
namespace solidyn::model {

const TableSpec& stop_table() {
  static const TableSpec table{
      "stop condition",
      "Ends the analysis after the step in which a column of the history crosses a value; the run is then complete, and `summary.json` states which condition stopped it.",
      {Key("sensor", Form::reference, "the sensor, or `sensor.component` if it has several",
           "bob.x")
           .needed(),
       Key("above", Form::number, "stop when it rises above this value, in SI units", "0.5"),
       Key("below", Form::number, "stop when it falls below this value, in SI units", "0")},
      "",
      false,
      {"above", "below"}};
  return table;
}

KeySpec stop_key() {
  return Key("stop_when", Form::list, "conditions, each of which ends the analysis",
             "[{sensor: height, below: 0}]")
      .holds(stop_table());
}

void read_stop_conditions(const TableView& view, const Scope& scope,
                          std::vector<StopCondition>& conditions) {
  for (const auto& [number, table] : view.tables("stop_when")) {
    StopCondition condition;
    condition.where = table.where();
    condition.column = table.text("sensor");
    condition.is_above = table.has("above");
    condition.value = table.number(condition.is_above ? "above" : "below");
    const std::vector<std::string> known = scope.model.sensor_names();
    const std::string sensor = condition.column.substr(0, condition.column.find('.'));
    if (table.is_good("sensor") && std::find(known.begin(), known.end(), sensor) == known.end())
      view.report().error(
          table.where("sensor"),
          fmt::format("{}: there is no sensor `{}`", table.path("sensor"), sensor),
          known.empty() ? "define it under `sensors:`" : suggestion(sensor, known, "there are"));
    conditions.push_back(std::move(condition));
  }
}

void check_step(const TableView& view, const analyses::DynamicsOptions& options) {
  if (view.is_good("step") && view.is_good("duration") && options.step > options.duration)
    view.report().error(view.where("step"),
                        fmt::format("{} is {:g} s, longer than the duration {:g} s",
                                    view.path("step"), options.step, options.duration),
                        "use a step that is a small fraction of the duration");
}

}  // namespace solidyn::model
