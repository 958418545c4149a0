#include "model/bodies/flexible_entry.h"

namespace solidyn::model {
namespace {

using reduction::StressInPictures;
using reduction::StressOptions;

// What a body with the table has by default, which no other has.
struct WantedStress {
  StressOptions options = {{}, StressInPictures::on_surface};
};

void read_stress_places(WantedStress& stress, const TableView& view, const Scope&) {
  for (const auto& [name, nodes] : view.tables("places"))
    stress.options.places.push_back({name, read_nodes(nodes)});
}

const Fields<WantedStress>& wanted_stress_fields() {
  static const Choice<StressInPictures> pictures = {{"surface", StressInPictures::on_surface},
                                                    {"none", StressInPictures::none}};
  static const Fields<WantedStress> list = {
      read_by<WantedStress>(
          Key("places", Form::named_tables,
              "named places for sensors; `near` without a radius takes the nearest node",
              "{fillet: {near: [0.1, 0, 0]}}")
              .holds(nodes_table()),
          read_stress_places),
      field(
          Key("pictures", Form::word,
              "field output contains the stress tensor and von Mises stress on the surface, or not",
              "none")
              .or_default(),
          pictures, &WantedStress::options, &StressOptions::pictures)};
  return list;
}

void read_wanted_stress(FlexibleDescription& body, const TableView& view, const Scope& scope) {
  if (!view.has("stress")) return;
  WantedStress stress;
  read_fields(wanted_stress_fields(), view.table("stress"), scope, stress);
  body.stress = stress.options;
}

}  // namespace

const TableSpec& stress_table() {
  static const TableSpec table{"stress", "Where the stress of a flexible body is recovered.",
                               keys_of(wanted_stress_fields())};
  return table;
}

Field<FlexibleDescription> FlexibleDescription::stress_field() {
  return read_by<FlexibleDescription>(
      Key("stress", Form::table, "where stress is recovered; by default nowhere",
          "{places: {fillet: {near: [0.1, 0, 0]}}}")
          .holds(stress_table()),
      read_wanted_stress);
}

}  // namespace solidyn::model
