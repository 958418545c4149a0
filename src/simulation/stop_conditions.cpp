#include "simulation/stop_conditions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::simulation {
namespace {

std::string columns_of(const analyses::Sensor& sensor) {
  std::string text;
  for (const analyses::Sensor::Column& column : sensor.columns)
    text += (text.empty() ? "" : ", ") + column.name;
  return text;
}

// The sensor of this name has several columns, of which one must be named.
[[noreturn]] void refuse(const model::StopCondition& condition, const model::BuiltModel& built) {
  const std::string sensor = condition.column.substr(0, condition.column.find('.'));
  std::string known;
  for (const analyses::Sensor& s : built.sensors)
    if (s.columns.front().name.substr(0, s.columns.front().name.find('.')) == sensor)
      known = columns_of(s);
  throw base::InputError(fmt::format("stop_when: the history has no column `{}`", condition.column),
                         known.empty() ? "give a sensor" : fmt::format("expected one of {}", known),
                         condition.where);
}

}  // namespace

StopConditions::StopConditions(const std::vector<model::StopCondition>& conditions,
                               const model::BuiltModel& built) {
  for (const model::StopCondition& condition : conditions) {
    if (condition.event) {
      events_.push_back({*condition.event, {}});
      continue;
    }
    const std::size_t before = watches_.size();
    for (std::size_t s = 0; s < built.sensors.size(); ++s)
      for (std::size_t c = 0; c < built.sensors[s].columns.size(); ++c)
        if (built.sensors[s].columns[c].name == condition.column)
          watches_.push_back({condition, s, c, {}});
    if (watches_.size() == before) refuse(condition, built);
  }
}

std::int64_t StopConditions::EventWatch::count(const analyses::ContactTotals& contacts) const {
  std::int64_t n = 0;
  for (const auto& [name, of_kinds] : contacts.events)
    if (event.contact.empty() || event.contact == name)
      n += of_kinds[static_cast<std::size_t>(event.kind)];
  return n;
}

void StopConditions::look_at_events(double t, const analyses::ContactTotals& contacts) {
  for (EventWatch& watch : events_) {
    const std::int64_t now = watch.count(contacts);
    const bool is_new = watch.before && now > *watch.before;
    if (reason_.empty() && is_new && now >= watch.event.count)
      reason_ = fmt::format(
          "{}: {} in the step to t = {:.6g} s{}",
          watch.event.contact.empty() ? std::string("set-valued contacts") : watch.event.contact,
          name(watch.event.kind), t,
          watch.event.count > 1 ? fmt::format(", {} so far", now) : std::string());
    watch.before = now;
  }
}

bool StopConditions::is_met(model::BuiltModel& built, const system::State& state,
                            const analyses::ContactTotals& contacts) {
  look_at_events(state.t, contacts);
  std::vector<double> values;
  for (Watch& watch : watches_) {
    const analyses::Sensor& sensor = built.sensors[watch.sensor];
    if (sensor.needs_accelerations) built.system.update_accelerations();
    values.resize(sensor.columns.size());
    sensor.read({built.system, state}, values.data());
    const double now = values[watch.column], limit = watch.condition.value;
    if (reason_.empty() && watch.before && !watch.holds(*watch.before) && watch.holds(now)) {
      double part = (limit - *watch.before) / (now - *watch.before);
      if (!std::isfinite(part)) part = 1.0;  // before, there was no number
      reason_ = fmt::format("{} {} {:g} at about t = {:.6g} s", watch.condition.column,
                            watch.condition.is_above ? "rose above" : "fell below", limit,
                            time_before_ + part * (state.t - time_before_));
    }
    watch.before = now;
  }
  time_before_ = state.t;
  return !reason_.empty();
}

bool StopConditions::read_reactions(const model::BuiltModel& built) const {
  return std::any_of(watches_.begin(), watches_.end(), [&](const Watch& watch) {
    return built.sensors[watch.sensor].reads_reactions;
  });
}

std::string StopConditions::holding() const {
  std::string text;
  for (const Watch& watch : watches_)
    if (watch.before && watch.holds(*watch.before))
      text +=
          fmt::format("{}{} is already {} {:g}", text.empty() ? "" : ", ", watch.condition.column,
                      watch.condition.is_above ? "above" : "below", watch.condition.value);
  return text;
}

}  // namespace solidyn::simulation
