#include "model/sensors/read_motion_sensor.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

enum class Need { origin, axes };

/// Nodes in absolute coordinates do not turn: their axes would stay as they are placed.
void require_axes(const TableView& view, const std::string& key, const PlaceDescription& place,
                  const ModelDescription& model) {
  const BodyDescription* body = model.find_body(place.body);
  if (place.kind != PlaceDescription::Kind::point || !body) return;
  if (body->type != BodyType::corotational && body->type != BodyType::inertial) return;
  view.report().error(
      view.where(key),
      fmt::format(
          "{}: `{}.{}` is a point of a body of type {}, which has no axes that turn with it",
          view.path(key), place.body, place.name, name(body->type)),
      fmt::format("declare an interface there, under bodies.{}.interfaces", place.body));
}

std::optional<PlaceDescription> read_frame(const TableView& view, const std::string& key, Need need,
                                           const ModelDescription& model, const Names& names) {
  if (!view.is_good(key)) return {};
  const PlaceDescription place = read_place(view.text(key), view.path(key), view.where(key), model,
                                            names, key != "of", view.report());
  if (need == Need::axes) require_axes(view, key, place, model);
  return place;
}

std::vector<Component> components_of(OrientationForm form) {
  switch (form) {
    case OrientationForm::rotation_vector:
      return {Component::x, Component::y, Component::z, Component::magnitude};
    case OrientationForm::quaternion:
      return {Component::w, Component::x, Component::y, Component::z};
    case OrientationForm::angles:
      break;
  }
  return {Component::angle_1, Component::angle_2, Component::angle_3};
}

void read_orientation(const TableView& view, SensorDescription& sensor) {
  const std::string as = view.text("as"), word = view.text("component");
  if (as == "quaternion") sensor.form = OrientationForm::quaternion;
  if (as.size() == sensor.sequence.size()) {
    sensor.form = OrientationForm::angles;
    std::transform(as.begin(), as.end(), sensor.sequence.begin(), [](char c) { return c - 'x'; });
  }
  const std::vector<Component> possible = components_of(sensor.form);
  std::vector<std::string> words;
  for (Component component : possible) {
    words.emplace_back(name(component));
    const bool is_in_all = component != Component::magnitude;
    if (word == words.back() || (word == "all" && is_in_all))
      sensor.components.push_back(component);
  }
  if (sensor.components.empty())
    view.report().error(
        view.where("component"),
        fmt::format("{} is {}, which `as: {}` does not have", view.path("component"), word, as),
        fmt::format("write all, {}", listed(words)));
}

}  // namespace

void read_motion_sensor(const TableView& view, SensorDescription& sensor,
                        const ModelDescription& model, const Names& names) {
  const bool turns = sensor.type == SensorType::orientation ||
                     sensor.type == SensorType::angular_velocity ||
                     sensor.type == SensorType::angular_acceleration;
  const Need need = turns ? Need::axes : Need::origin;
  sensor.of = read_frame(view, "of", need, model, names).value_or(PlaceDescription{});
  sensor.relative_to = read_frame(view, "relative_to", need, model, names);
  if (sensor.type == SensorType::orientation) return read_orientation(view, sensor);
  sensor.axes_of = read_frame(view, "axes_of", Need::axes, model, names);
}

}  // namespace solidyn::model
