#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/beams/beam_network_maker.h"
#include "model/bodies/import/imported_body.h"
#include "model/language/spelling.h"
#include "model/sensors/section_point.h"
#include "model/sensors/sensor_entry.h"

// Where sensors of sections are on the lines of a network.
namespace solidyn::model {
namespace {

using LineEnd = BeamNetworkMaker::LineEnd;

// The line that goes on where another ends.
const LineEnd* find_next(const std::vector<LineEnd>& ends) {
  if (ends.size() != 2 || ends[0].is_second == ends[1].is_second) return nullptr;
  return ends[0].is_second ? &ends[1] : &ends[0];
}

}  // namespace

void BeamNetworkMaker::add_sections() {
  for (const auto& sensor : model_.sensors) {
    const SectionPoint* at = sensor->section();
    if (!at || at->body != body_.name) continue;
    at->point.empty() ? add_section_along(*sensor, *at) : add_section_at(*sensor, *at);
  }
}

bool BeamNetworkMaker::is_in_group(std::size_t line, const std::string& group) const {
  for (const auto& [name, members] : file_.lines.groups)
    if (name_in_model(name) == group &&
        std::find(members.begin(), members.end(), line) != members.end())
      return true;
  return false;
}

std::vector<LineEnd> BeamNetworkMaker::lines_at(const SectionPoint& at, std::int64_t tag) const {
  std::vector<LineEnd> ends;
  for (std::size_t e = 0; e < lines_.size(); ++e) {
    const imported::LineElement& line = *lines_[e].line;
    if (at.line && line.tag != *at.line) continue;
    if (!at.group.empty() && !is_in_group(e, at.group)) continue;
    for (const bool is_second : {false, true})
      if (line.nodes[is_second] == tag && at.is_before.value_or(is_second) == is_second)
        ends.push_back({e, is_second});
  }
  return ends;
}

void BeamNetworkMaker::add_section_at(const SensorEntry& sensor, const SectionPoint& at) {
  const auto place = tags_of_places_.find(at.point);
  if (place == tags_of_places_.end()) {
    std::vector<std::string> known;
    for (const auto& entry : tags_of_places_) known.push_back(entry.first);
    return error(fmt::format("sensors.{}.point: the beam `{}` has no place `{}`", sensor.name,
                             body_.name, at.point),
                 known.empty() ? fmt::format("define nodes under  bodies.{}.places", body_.name)
                               : suggestion(at.point, known, "there are"),
                 sensor.where);
  }
  const std::vector<LineEnd> ends = lines_at(at, place->second);
  const LineEnd* next = find_next(ends);
  if (ends.size() == 1 || next) {
    const LineEnd& end = next ? *next : ends[0];
    return add_section(sensor, end.line, end.is_second ? 1.0 : 0.0);
  }
  std::vector<std::string> names;
  for (const LineEnd& end : ends) names.push_back(lines_[end.line].line->name);
  const std::string asked =
      (at.line ? fmt::format(" with the number {}", *at.line) : std::string()) +
      (at.group.empty() ? "" : fmt::format(" of the group `{}`", at.group)) +
      (at.is_before ? *at.is_before ? " that ends there" : " that begins there" : "");
  error(fmt::format("sensors.{}: at `{}` the beam `{}` has {}{}", sensor.name, at.point, body_.name,
                    ends.empty() ? "no line" : fmt::format("{} lines", ends.size()),
                    ends.empty() ? asked : ": " + listed(names, "and")),
        ends.empty()
            ? "give a place and a line that ends there"
            : fmt::format("choose one, for example  line: {}", lines_[ends[0].line].line->tag),
        sensor.where);
}

// Lines with one number are halves of an element with a node in its middle.
void BeamNetworkMaker::add_section_along(const SensorEntry& sensor, const SectionPoint& at) {
  std::vector<std::size_t> halves;
  double whole = 0.0;
  for (std::size_t e = 0; e < lines_.size(); ++e) {
    if (lines_[e].line->tag != at.line) continue;
    halves.push_back(e);
    whole += lines_[e].length;
  }
  if (halves.empty())
    return error(fmt::format("sensors.{}.line: {} has no line with the number {}", sensor.name,
                             file_.source, at.line.value_or(0)),
                 fmt::format("its first is {}, its last {}", lines_.front().line->name,
                             lines_.back().line->name),
                 sensor.where);
  double left = at.fraction * whole;
  std::size_t k = 0;
  for (; k + 1 < halves.size() && left > lines_[halves[k]].length; ++k)
    left -= lines_[halves[k]].length;
  add_section(sensor, halves[k], left / lines_[halves[k]].length);
}

void BeamNetworkMaker::add_section(const SensorEntry& sensor, std::size_t line, double fraction) {
  if (sensor.section()->needs_fibres && lines_[line].properties.section.outer_y == 0.0)
    return error(
        fmt::format(
            "sensors.{}.component: the outermost fibres of the section of {} are unknown: it is given by its properties",
            sensor.name, lines_[line].line->name),
        "record the forces, component: all, or define the section by its shape", sensor.where);
  const int n = body_.n_elements;
  const double along = fraction * n;
  const int e = std::min(static_cast<int>(along), n - 1);
  network_.sections.push_back({sensor.name, static_cast<int>(line) * n + e, along - e});
}

}  // namespace solidyn::model
