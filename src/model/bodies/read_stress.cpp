#include "model/bodies/read_stress.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

void require_place(const TableView& view, const SensorDescription& sensor,
                   const BodyDescription& body) {
  std::vector<std::string> known;
  for (const StressPlaceDescription& place : body.flexible.stress.places)
    known.push_back(place.name);
  if (std::find(known.begin(), known.end(), sensor.place) != known.end()) return;
  view.report().error(
      view.where("place"),
      fmt::format("{}: the stress of body `{}` has no place `{}`", view.path("place"), body.name,
                  sensor.place),
      known.empty() ? fmt::format("declare it, for example  bodies.{}.stress.places: {{{}: {{near: "
                                  "[0, 0, 0]}}}}",
                                  body.name, sensor.place)
                    : suggestion(sensor.place, known, "there are"));
}

std::vector<Component> stress_components(const std::string& word) {
  std::vector<Component> all = {Component::xx, Component::yy, Component::zz,
                                Component::xy, Component::yz, Component::zx};
  if (word == "all") return all;
  for (Component component : {Component::von_mises, Component::principal_1, Component::principal_2,
                              Component::principal_3})
    all.push_back(component);
  for (Component component : all)
    if (word == name(component)) return {component};
  return {};
}

}  // namespace

StressDescription read_stress(const TableView& body) {
  StressDescription stress;
  if (!body.has("stress")) return stress;
  const TableView table = body.table("stress");
  stress.is_in_pictures = table.text("pictures") != "none";
  for (const auto& [name, nodes] : table.tables("places"))
    stress.places.push_back({name, read_nodes(nodes), nodes.where()});
  return stress;
}

void read_stress_sensor(const TableView& view, SensorDescription& sensor,
                        const ModelDescription& model, const Names& names) {
  sensor.components = stress_components(view.text("component"));
  sensor.is_in_world_axes = view.text("axes") == "world";
  if (view.is_good("place")) sensor.place = view.text("place");
  const BodyDescription* body = find_referred_body(view, "body", model);
  if (!body) return;
  sensor.body = body->name;
  if (names.open_bodies.count(body->name) > 0) return;
  if (body->type == BodyType::rigid)
    view.report().error(view.where("body"),
                        fmt::format("{}: `{}` is rigid", view.path("body"), body->name),
                        "name a flexible body");
  else if (view.is_good("place"))
    require_place(view, sensor, *body);
}

}  // namespace solidyn::model
