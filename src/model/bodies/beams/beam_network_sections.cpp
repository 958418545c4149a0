#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/beams/beam_network_maker.h"
#include "model/bodies/import/foreign_body.h"
#include "model/language/spelling.h"

// Where sensors of sections are on the lines of a network.
namespace solidyn::model {
namespace {

using LineEnd = BeamNetworkMaker::LineEnd;

bool is_stress(const SensorDescription& sensor) {
  return std::any_of(sensor.components.begin(), sensor.components.end(), [](Component c) {
    return c == Component::stress_max || c == Component::stress_min;
  });
}

// The line that goes on where another ends.
const LineEnd* find_next(const std::vector<LineEnd>& ends) {
  if (ends.size() != 2 || ends[0].is_second == ends[1].is_second) return nullptr;
  return ends[0].is_second ? &ends[1] : &ends[0];
}

}  // namespace

void BeamNetworkMaker::add_sections() {
  for (const SensorDescription& sensor : model_.sensors) {
    const bool is_of_section =
        sensor.type == SensorType::section_force || sensor.type == SensorType::section_strain;
    if (!is_of_section || sensor.body != body_.name) continue;
    sensor.point.empty() ? add_section_along(sensor) : add_section_at(sensor);
  }
}

bool BeamNetworkMaker::is_in_group(std::size_t line, const std::string& group) const {
  for (const auto& [name, members] : file_.lines.groups)
    if (name_in_model(name) == group &&
        std::find(members.begin(), members.end(), line) != members.end())
      return true;
  return false;
}

std::vector<LineEnd> BeamNetworkMaker::lines_at(const SensorDescription& sensor,
                                                std::int64_t tag) const {
  std::vector<LineEnd> ends;
  for (std::size_t e = 0; e < lines_.size(); ++e) {
    const imported::LineElement& line = *lines_[e].line;
    if (sensor.line && line.tag != *sensor.line) continue;
    if (!sensor.group.empty() && !is_in_group(e, sensor.group)) continue;
    for (const bool is_second : {false, true})
      if (line.nodes[is_second] == tag && sensor.is_before.value_or(is_second) == is_second)
        ends.push_back({e, is_second});
  }
  return ends;
}

void BeamNetworkMaker::add_section_at(const SensorDescription& sensor) {
  const auto place = tags_of_places_.find(sensor.point);
  if (place == tags_of_places_.end()) {
    std::vector<std::string> known;
    for (const auto& entry : tags_of_places_) known.push_back(entry.first);
    return error(fmt::format("sensors.{}.point: the beam `{}` has no place `{}`", sensor.name,
                             body_.name, sensor.point),
                 known.empty() ? fmt::format("name nodes under  bodies.{}.places", body_.name)
                               : suggestion(sensor.point, known, "there are"),
                 sensor.where);
  }
  const std::vector<LineEnd> ends = lines_at(sensor, place->second);
  const LineEnd* next = find_next(ends);
  if (ends.size() == 1 || next) {
    const LineEnd& end = next ? *next : ends[0];
    return add_section(sensor, end.line, end.is_second ? 1.0 : 0.0);
  }
  std::vector<std::string> names;
  for (const LineEnd& end : ends) names.push_back(lines_[end.line].line->name);
  const std::string asked =
      (sensor.line ? fmt::format(" with the number {}", *sensor.line) : std::string()) +
      (sensor.group.empty() ? "" : fmt::format(" of the group `{}`", sensor.group)) +
      (sensor.is_before ? *sensor.is_before ? " that ends there" : " that begins there" : "");
  error(fmt::format("sensors.{}: at `{}` the beam `{}` has {}{}", sensor.name, sensor.point,
                    body_.name, ends.empty() ? "no line" : fmt::format("{} lines", ends.size()),
                    ends.empty() ? asked : ": " + listed(names, "and")),
        ends.empty()
            ? "name a place and a line that meet"
            : fmt::format("say which one, for example  line: {}", lines_[ends[0].line].line->tag),
        sensor.where);
}

// Lines with one number are halves of an element with a node in its middle.
void BeamNetworkMaker::add_section_along(const SensorDescription& sensor) {
  std::vector<std::size_t> halves;
  double whole = 0.0;
  for (std::size_t e = 0; e < lines_.size(); ++e) {
    if (lines_[e].line->tag != sensor.line) continue;
    halves.push_back(e);
    whole += lines_[e].length;
  }
  if (halves.empty())
    return error(fmt::format("sensors.{}.line: {} has no line with the number {}", sensor.name,
                             file_.source, sensor.line.value_or(0)),
                 fmt::format("its first is {}, its last {}", lines_.front().line->name,
                             lines_.back().line->name),
                 sensor.where);
  double left = sensor.fraction * whole;
  std::size_t k = 0;
  for (; k + 1 < halves.size() && left > lines_[halves[k]].length; ++k)
    left -= lines_[halves[k]].length;
  add_section(sensor, halves[k], left / lines_[halves[k]].length);
}

void BeamNetworkMaker::add_section(const SensorDescription& sensor, std::size_t line,
                                   double fraction) {
  if (is_stress(sensor) && lines_[line].properties.section.outer_y == 0.0)
    return error(fmt::format("sensors.{}.component: nobody knows the outermost fibres of the "
                             "section of {}, which numbers give",
                             sensor.name, lines_[line].line->name),
                 "record the forces, component: all, or give the section by its shape",
                 sensor.where);
  const int n = body_.beam.n_elements;
  const double along = fraction * n;
  const int e = std::min(static_cast<int>(along), n - 1);
  network_.sections.push_back({sensor.name, static_cast<int>(line) * n + e, along - e});
}

}  // namespace solidyn::model
