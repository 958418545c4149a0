#include "model/sensors/seen_place.h"

#include <fmt/format.h>

#include <set>

#include "model/bodies/body_entry.h"
#include "model/bodies/build_superelements.h"

namespace solidyn::model {
namespace {

/// Nodes in absolute coordinates do not turn: their axes would stay as they are placed.
void require_axes(const TableView& view, const std::string& key, const PlaceDescription& place,
                  const ModelDescription& model) {
  const BodyEntry* body = model.find_body(place.body);
  if (place.kind != PlaceDescription::Kind::point || !body) return;
  if (!body->traits().has_absolute_nodes) return;
  view.report().error(
      view.where(key),
      fmt::format("{}: `{}.{}` is a point of a body of type {}, where points have no axes",
                  view.path(key), place.body, place.name, body->type),
      fmt::format("define an interface there, under bodies.{}.interfaces", place.body));
}

}  // namespace

std::optional<PlaceDescription> read_seen_place(const TableView& view, const std::string& key,
                                                PlaceNeed need, const Scope& scope) {
  if (!view.is_good(key)) return {};
  const PlaceDescription place = read_place(view.text(key), view.path(key), view.where(key),
                                            scope.model, scope.names, key != "of", view.report());
  if (need == PlaceNeed::axes) require_axes(view, key, place, scope.model);
  return place;
}

std::vector<PlaceDescription> read_seen_places(const TableView& view, const std::string& key,
                                               PlaceNeed need, const Scope& scope) {
  std::vector<PlaceDescription> places;
  std::set<std::string> given;
  for (const std::string& text : view.texts(key)) {
    if (!given.insert(text).second) {
      view.report().error(view.where(key), fmt::format("{}: duplicate `{}`", view.path(key), text),
                          "remove one of them");
      continue;
    }
    places.push_back(read_place(text, view.path(key), view.where(key), scope.model, scope.names,
                                false, view.report()));
    if (need == PlaceNeed::axes) require_axes(view, key, places.back(), scope.model);
  }
  return places;
}

Fields<SeenPlace> SeenPlace::fields() {
  return {
      read_by<SeenPlace>(
          Key("of", Form::reference,
              "the place: `body`, `body.frame`, `body.interface` or `body.point`", "rod.big_end")
              .needed(),
          [](SeenPlace& seen, const TableView& view, const Scope& scope) {
            seen.of = read_seen_place(view, "of", seen.need, scope).value_or(PlaceDescription());
          }),
      read_by<SeenPlace>(
          Key("relative_to", Form::reference,
              "the reference place, whose axes are used; by default the world", "crank"),
          [](SeenPlace& seen, const TableView& view, const Scope& scope) {
            seen.relative_to = read_seen_place(view, "relative_to", seen.need, scope);
          })};
}

bodies::FrameIndex add_place_frame(const PlaceDescription& place, const Builder& builder) {
  return builder.built.system.add_frame(builder.places.own_frame(place));
}

bodies::FrameIndex add_place_frame(const std::optional<PlaceDescription>& place,
                                   const Builder& builder) {
  return place ? add_place_frame(*place, builder) : analyses::kWorld;
}

bodies::FrameIndex add_measured_frame(const PlaceDescription& place, const Builder& builder) {
  bodies::Frame frame = builder.places.own_frame(place);
  refuse_point_of_superelement(builder.built, frame, place);
  return builder.built.system.add_frame(std::move(frame));
}

bodies::FrameIndex add_measured_frame(const std::optional<PlaceDescription>& place,
                                      const Builder& builder) {
  return place ? add_measured_frame(*place, builder) : analyses::kWorld;
}

}  // namespace solidyn::model
