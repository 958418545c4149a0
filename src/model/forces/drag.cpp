#include "solidyn/forces/drag.h"

#include <fmt/format.h>

#include "model/forces/force_places.h"

namespace solidyn::model {
namespace {

using Options = forces::Drag::Options;

/// The resistance of a medium to a place's motion.
struct DragEntry final : ForceEntryOf<DragEntry> {
  PlaceDescription at;
  Options options;

  static const Fields<DragEntry>& fields();
  void check(const TableView& view, const Scope&) const;
  std::string acts_on() const override { return "on " + at.text(); }
  std::vector<PlaceDescription> places() const override { return {at}; }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override {
    return std::make_unique<forces::Drag>(
        name, add_own_frames(*this, {PlaceDescription(), at}, builder), options);
  }
};

void read_at(DragEntry& entry, const TableView& view, const Scope& scope) {
  const Turns turns = view.has("viscous_rotational") ? Turns::yes : Turns::no;
  read_force_place(view, "at", false, turns, scope, entry.at);
}

void read_quadratic(DragEntry& entry, const TableView& view, const Scope&) {
  entry.options.quadratic =
      0.5 * view.number("density") * view.number("drag_coefficient") * view.number("area");
}

const Fields<DragEntry>& DragEntry::fields() {
  using Self = DragEntry;
  static const Fields<Self> list = {
      read_by<Self>(
          Key("at", Form::reference,
              "the place: `body` (its origin; rigid bodies), `body.frame`, `body.interface` or `body.point`",
              "ball")
              .needed(),
          read_at),
      field(Key("viscous", Form::number, "force per velocity", "0.2")
                .in(kViscosity)
                .within(kNotNegative)
                .or_default(),
            &Self::options, &Options::viscous),
      field(Key("viscous_rotational", Form::number, "torque per angular velocity", "0.001")
                .in(kTorsionalViscosity)
                .within(kNotNegative)
                .or_default(),
            &Self::options, &Options::rotational),
      read_by<Self>(
          Key("drag_coefficient", Form::number,
              "Cd of the force 1/2 density Cd area |v| v against the velocity v in the medium",
              "0.47")
              .within(kNotNegative)
              .with("area"),
          read_quadratic),
      read_elsewhere<Self>(
          Key("area", Form::number, "reference area of the drag coefficient", "0.0314")
              .in(kArea)
              .within(kNotNegative)
              .with("density")),
      read_elsewhere<Self>(Key("density", Form::number, "of the medium", "1.2")
                               .in(kDensity)
                               .within(kNotNegative)
                               .with("drag_coefficient")),
      field(Key("medium_velocity", Form::time_vector, "velocity of the medium, world axes",
                "[\"5*sin(t)\", 0, 0]")
                .in(kVelocity)
                .or_default(),
            &Self::options, &Options::medium)};
  return list;
}

void DragEntry::check(const TableView& view, const Scope&) const {
  if (view.has_any({"viscous", "viscous_rotational", "drag_coefficient", "area", "density"}))
    return;
  view.report().error(
      view.where(), fmt::format("{} has no drag", view.path()),
      "give `viscous`, `viscous_rotational`, or `drag_coefficient`, `area` and `density`");
}

}  // namespace

ForceType drag_row() { return DragEntry::row("drag", "of a medium"); }

}  // namespace solidyn::model
