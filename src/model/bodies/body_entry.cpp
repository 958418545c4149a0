#include "model/bodies/body_entry.h"

#include "model/bodies/appearance.h"

namespace solidyn::model {

const Fields<BodyPlacement>& BodyPlacement::fields() {
  static const Fields<BodyPlacement> list = {
      table_field(Key("pose", Form::table, "pose of the body at t = 0", "{position: [0.15, 0, 0]}")
                      .holds(pose_table()),
                  PoseDescription::fields(), &BodyPlacement::pose),
      table_field(Key("velocity", Form::table, "estimate of its velocity at t = 0",
                      "{angular: [0, 0, 150]}")
                      .holds(velocity_table()),
                  VelocityDescription::fields(), &BodyPlacement::velocity),
      read_by<BodyPlacement>(
          Key("appearance", Form::table,
              "how it is drawn in a report; shapes only on bodies with axes of their own",
              "{shape: box, size: [0.15, 0.02, 0.02]}")
              .holds(appearance_table()),
          [](BodyPlacement& body, const TableView& view, const Scope& scope) {
            if (!view.has("appearance")) return;
            const TableView table = view.table("appearance");
            read_fields(appearance_fields(), table, scope, body.appearance);
            check_appearance(table, body.appearance);
          })};
  return list;
}

std::vector<std::string> BodyEntry::place_names(PlaceDescription::Kind kind) const {
  std::vector<std::string> names;
  for (const PlaceDescription& known : places())
    if (known.kind == kind) names.push_back(known.name);
  return names;
}

PlaceDescription BodyEntry::place(PlaceDescription::Kind kind, const std::string& of) const {
  PlaceDescription place;
  place.kind = kind;
  place.body = name;
  place.name = of;
  return place;
}

}  // namespace solidyn::model
