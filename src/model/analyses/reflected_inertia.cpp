#include "model/analyses/reflected_inertia.h"

#include <fmt/format.h>

#include "model/analyses/linear.h"
#include "model/bodies/body_entry.h"
#include "model/sensors/seen_place.h"

namespace solidyn::model {
namespace {

using system::TwistAxes;

const Fields<ReflectedInertiaDescription>& reflected_fields() {
  using Self = ReflectedInertiaDescription;
  static const Choice<TwistAxes> axes = {{"world", TwistAxes::world}, {"place", TwistAxes::own}};
  static const Fields<Self> own = {
      read_by<Self>(
          Key("at", Form::references,
              "the places: `body`, `body.frame`, `body.interface` or `body.point`", "[arm.hand]")
              .sized(kAnySize)
              .needed(),
          [](Self& entry, const TableView& view, const Scope& scope) {
            entry.places = read_seen_places(view, "at", PlaceNeed::axes, scope);
          }),
      field(Key("axes", Form::word,
                "axes of forces, torques and accelerations: those of the world, or of each place",
                "place")
                .or_default(),
            axes, &Self::along)};
  static const Fields<LinearDescription> times = {times_field()};
  static const Fields<Self> fields = joined_fields(own, times);
  return fields;
}

AnalysisDescription read_reflected(const TableView& view, const Scope& scope) {
  ReflectedInertiaDescription inertia;
  inertia.where = view.where();
  for (const auto& body : scope.model.bodies)
    if (body->traits().keeps_all_nodes)
      view.report().error(
          view.where(),
          fmt::format(
              "{}: body `{}` is of type {}, whose nodal coordinates are too many for the inertia at places",
              view.path(), body->name, body->type),
          "write  type: modal  or  type: superelement  there");
  read_fields(reflected_fields(), view, scope, inertia);
  return inertia;
}

}  // namespace

const TableSpec& reflected_inertia_table() {
  static const TableSpec table{
      "reflected inertia",
      "The inertia that forces feel at places of the mechanism, in `summary.json`: mobility (accelerations by forces and torques there), its inverse, effective and principal masses and moments of inertia. Joints and drives hold, elastic coordinates are free; springs, dampers, contacts and friction have no part in it.",
      keys_of(reflected_fields())};
  return table;
}

AnalysisType reflected_inertia_row() {
  return {"reflected_inertia", "inertia that forces feel at places", "{at: [arm.hand]}",
          &reflected_inertia_table(), read_reflected};
}

void add_analysed_places(const Builder& builder) {
  for (std::size_t i = 0; i < builder.model.analyses.size(); ++i) {
    const auto* analysis = std::get_if<ReflectedInertiaDescription>(&builder.model.analyses[i]);
    if (!analysis) continue;
    std::vector<bodies::FrameIndex>& frames = builder.built.analysed_places[i];
    frames.reserve(analysis->places.size());
    for (const PlaceDescription& place : analysis->places)
      frames.push_back(add_measured_frame(place, builder));
  }
}

}  // namespace solidyn::model
