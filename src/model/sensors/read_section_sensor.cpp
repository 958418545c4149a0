#include "model/sensors/read_section_sensor.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

std::vector<Component> section_components(SensorType type, const std::string& word) {
  const bool is_force = type == SensorType::section_force;
  std::vector<Component> all =
      is_force
          ? std::vector<Component>{Component::axial,   Component::shear_y,   Component::shear_z,
                                   Component::torsion, Component::bending_y, Component::bending_z}
          : std::vector<Component>{Component::stretch,     Component::shear_y,
                                   Component::shear_z,     Component::twist,
                                   Component::curvature_y, Component::curvature_z};
  if (word == "all") return all;
  for (Component component : all)
    if (word == name(component)) return {component};
  for (Component component : {Component::stress_max, Component::stress_min})
    if (word == name(component)) return {component};
  return {};
}

void check_side(const TableView& view, const SensorDescription& sensor, bool is_first,
                bool is_last) {
  if (!view.is_good("side") || !(*sensor.is_before ? is_first : is_last)) return;
  view.report().error(view.where("side"),
                      fmt::format("{}: the beam {} there", view.path("side"),
                                  *sensor.is_before ? "begins" : "ends"),
                      "leave it out");
}

void read_point(const TableView& view, SensorDescription& sensor, const BodyDescription& body) {
  std::vector<std::string> known;
  for (const BeamPoint& point : body.beam.points) known.push_back(point.name);
  sensor.point = view.text("point");
  if (std::find(known.begin(), known.end(), sensor.point) == known.end())
    return view.report().error(view.where("point"),
                               fmt::format("{}: the beam `{}` has no point `{}`",
                                           view.path("point"), body.name, sensor.point),
                               suggestion(sensor.point, known, "there are"));
  const bool is_first = sensor.point == known.front(), is_last = sensor.point == known.back();
  check_side(view, sensor, is_first, is_last);
  if (!view.has("side")) sensor.is_before = is_last;
}

void read_fraction(const TableView& view, SensorDescription& sensor) {
  sensor.fraction = view.number("fraction");
  check_side(view, sensor, sensor.fraction == 0.0, sensor.fraction == 1.0);
  if (!view.has("side")) sensor.is_before = sensor.fraction == 1.0;
}

void refuse_lines(const TableView& view, const BodyDescription& body) {
  for (const char* key : {"line", "group"})
    if (view.has(key))
      view.report().error(view.where(key),
                          fmt::format("{}: `{}` is a beam by points, without lines of a mesh",
                                      view.path(key), body.name),
                          "leave it out");
}

// Which line it is the mesh file tells, later.
void read_place_on_lines(const TableView& view, SensorDescription& sensor) {
  if (view.is_good("line")) sensor.line = view.integer("line");
  sensor.group = view.text("group");
  sensor.point = view.text("point");
  sensor.fraction = view.number("fraction");
  const auto refuse = [&](const char* key, const char* what, const char* remedy) {
    view.report().error(view.where(key), fmt::format("{} {}", view.path(key), what), remedy);
  };
  if (view.has("fraction") && !view.has("line"))
    refuse("fraction", "is that of one line of the mesh: of which one is not said",
           "give the number that the line has in the file, for example  line: 12");
  if (view.has("group") && view.has("line"))
    refuse("group", "is not needed beside `line`, which is one line", "leave one of the two out");
  else if (view.has("group") && !view.has("point"))
    refuse("group", "chooses among the lines at a `point`, and there is none", "give the point");
  if (view.has("side") && view.has("line"))
    refuse("side", "is not needed beside `line`, which is on one side", "leave one of the two out");
}

void check_stress(const TableView& view, const SensorDescription& sensor,
                  const BodyDescription& body) {
  const bool is_stress = sensor.components == std::vector{Component::stress_max} ||
                         sensor.components == std::vector{Component::stress_min};
  if (is_stress && body.beam.section.shape == SectionDescription::Shape::general)
    view.report().error(
        view.where("component"),
        fmt::format("{}: the section of `{}` is of type {}, whose outermost fibres nobody knows",
                    view.path("component"), body.name,
                    body.beam.section.rigidity ? "stiffness" : "general"),
        "record the forces, component: all, or give the section by its shape");
}

}  // namespace

void read_section_sensor(const TableView& view, SensorDescription& sensor,
                         const ModelDescription& model, const Names& names) {
  sensor.components = section_components(sensor.type, view.text("component"));
  if (view.is_good("side")) sensor.is_before = view.text("side") == "before";
  if (view.has("point") == view.has("fraction"))
    view.report().error(
        view.where(),
        fmt::format("{} needs a `point` of the beam or a `fraction` of its length, one of the two",
                    view.path()),
        "write for example  fraction: 0.25");
  const BodyDescription* body = find_referred_body(view, "body", model);
  if (!body) return;
  sensor.body = body->name;
  if (body->type == BodyType::beam && body->flexible.brings_interfaces)
    return read_place_on_lines(view, sensor);
  if (names.open_bodies.count(body->name)) return;
  if (body->type != BodyType::beam)
    return view.report().error(view.where("body"),
                               fmt::format("{}: `{}` is of type {}, and has no sections",
                                           view.path("body"), body->name, name(body->type)),
                               "name a body of type beam");
  refuse_lines(view, *body);
  if (view.is_good("point")) read_point(view, sensor, *body);
  if (view.is_good("fraction") && !view.has("point")) read_fraction(view, sensor);
  check_stress(view, sensor, *body);
}

}  // namespace solidyn::model
