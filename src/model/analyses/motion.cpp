#include <fmt/format.h>

#include <algorithm>

#include "model/analyses/analysis_type.h"
#include "model/language/spelling.h"

// What dynamics and kinematics have in common.
namespace solidyn::model {
namespace {

using Kind = integrators::ContactEvent::Kind;

const Choice<Kind>& kinds() {
  static const Choice<Kind> choice = {{"impact", Kind::impact},
                                      {"impact_without_collision", Kind::impact_without_collision},
                                      {"opens", Kind::opens},
                                      {"sticks", Kind::sticks},
                                      {"slips", Kind::slips}};
  return choice;
}

Words words_of(const Choice<Kind>& choice) {
  Words words;
  for (const auto& [word, kind] : choice) words.emplace_back(word);
  return words;
}

StopCondition::Event read_event(const TableView& table) {
  StopCondition::Event event;
  read_choice(table, "event", kinds(), event.kind);
  if (table.has("contact")) event.contact = table.text("contact");
  event.count = table.integer("count");
  return event;
}

void check_sensor(const TableView& table, const std::string& column, const Scope& scope) {
  const std::vector<std::string> known = scope.model.sensor_names();
  const std::string sensor = column.substr(0, column.find('.'));
  if (table.is_good("sensor") && std::find(known.begin(), known.end(), sensor) == known.end())
    table.report().error(
        table.where("sensor"),
        fmt::format("{}: there is no sensor `{}`", table.path("sensor"), sensor),
        known.empty() ? "define it under `sensors:`" : suggestion(sensor, known, "there are"));
}

}  // namespace

const TableSpec& stop_table() {
  static const TableSpec table{
      "stop condition",
      "Ends the analysis after the step in which a column of the history crosses a value, or in which something happens to a set-valued contact; the run is then complete, and `summary.json` states which condition stopped it.",
      {Key("sensor", Form::reference, "the sensor, or `sensor.component` if it has several",
           "bob.x")
           .needed()
           .unless("event"),
       Key("above", Form::number, "stop when it rises above this value, in SI units", "0.5"),
       Key("below", Form::number, "stop when it falls below this value, in SI units", "0"),
       Key("event", Form::word,
           "stop when this happens to a set-valued contact, as `events.csv` records it; events at the start are counted, but do not end the analysis",
           "impact")
           .among(words_of(kinds())),
       Key("contact", Form::reference,
           "the contact, or what else `events.csv` names, such as `hinge.limits.upper`; by default any",
           "floor")
           .with("event"),
       Key("count", Form::integer, "how often it happens before the analysis ends", "3")
           .within(kOneOrMore)
           .or_else("1")
           .with("event")},
      "",
      false,
      {"above", "below", "event"}};
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
    if (table.has("event")) {
      if (table.is_good("event")) condition.event = read_event(table);
      if (table.has("sensor"))
        view.report().error(
            table.where("sensor"),
            fmt::format("{} and {} are given", table.path("event"), table.path("sensor")),
            "keep one of them; each condition is an item of the list");
    } else {
      condition.column = table.text("sensor");
      condition.is_above = table.has("above");
      condition.value = table.number(condition.is_above ? "above" : "below");
      check_sensor(table, condition.column, scope);
    }
    conditions.push_back(std::move(condition));
  }
}

Fields<DynamicsDescription> driven_motion_fields(const char* step) {
  using Self = DynamicsDescription;
  using Options = analyses::DynamicsOptions;
  return {field(Key("duration", Form::number, "duration of the motion", "1")
                    .in(kTime)
                    .within(kPositive)
                    .needed(),
                &Self::options, &Options::duration),
          field(Key("step", Form::number, step, "0.01").in(kTime).within(kPositive).needed(),
                &Self::options, &Options::step),
          {stop_key(), [](Self& motion, const TableView& view, const Scope& scope) {
             read_stop_conditions(view, scope, motion.stop_when);
           }}};
}

void check_step(const TableView& view, const analyses::DynamicsOptions& options) {
  if (view.is_good("step") && view.is_good("duration") && options.step > options.duration)
    view.report().error(view.where("step"),
                        fmt::format("{} is {:g} s, longer than the duration {:g} s",
                                    view.path("step"), options.step, options.duration),
                        "use a step that is a small fraction of the duration");
}

}  // namespace solidyn::model
