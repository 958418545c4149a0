#include <fmt/format.h>

#include "model/forces/force_places.h"
#include "model/forces/over_sensors.h"
#include "solidyn/base/error.h"
#include "solidyn/forces/tabulated_force.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;
using forces::TabulatedForce;

/// A force or a torque by a table over a sensor.
struct TabulatedEntry final : BetweenPlaces, ForceEntryOf<TabulatedEntry> {
  std::optional<Vector3d> at_first, at_second;  ///< world, t = 0, m
  std::optional<TableOverSensor> table;         ///< SI; empty after a complaint
  std::string of;                               ///< the sensor's column
  std::optional<Vector3d> direction;            ///< unit, world, t = 0
  bool is_torque = false;
  TabulatedForce::Axes axes = TabulatedForce::Axes::world;
  TabulatedForce::Beyond beyond = TabulatedForce::Beyond::refuse;

  static const Fields<TabulatedEntry>& fields();
  void check(const TableView& view, const Scope& scope);
  std::string acts_on() const override { return text() + ", by " + of; }
  std::vector<PlaceDescription> places() const override { return {between.begin(), between.end()}; }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

Field<TabulatedEntry> table_over_sensor(const Key& key) {
  return read_elsewhere<TabulatedEntry>(key);
}

const Fields<TabulatedEntry>& TabulatedEntry::fields() {
  using Self = TabulatedEntry;
  using Axes = TabulatedForce::Axes;
  using Beyond = TabulatedForce::Beyond;
  static const Choice<Axes> all_axes = {
      {"world", Axes::world}, {"first", Axes::first}, {"second", Axes::second}};
  static const Choice<Beyond> ways = {
      {"refuse", Beyond::refuse}, {"hold", Beyond::hold}, {"linear", Beyond::linear}};
  static const Fields<Self> list = {
      read_by<Self>(Key("between", Form::references, "the two places; the first takes the reaction",
                        "[ground, piston]")
                        .sized(2)
                        .needed(),
                    [](Self& entry, const TableView& view, const Scope& scope) {
                      entry.BetweenPlaces::read(view, view.has("torque") ? Turns::yes : Turns::no,
                                                scope);
                    }),
      field(
          Key("at_first", Form::vector,
              "of a force along the line between two points: that on the first place, world at t = 0; by default the place's origin",
              "[0, 0, 0.5]")
              .in(kLength),
          &Self::at_first),
      field(
          Key("at_second", Form::vector,
              "where the force acts on the second place, world at t = 0; by default the place's origin",
              "[0, 0, 0.1]")
              .in(kLength),
          &Self::at_second),
      table_over_sensor(
          Key("force", Form::table,
              "force by points over a sensor: {table: [...], of: tip.x}; it pushes the two points apart, or the second place along `direction`",
              "{table: [[0, 0], [0.1, 40]], of: lift}")
              .in(kForce)
              .holds(time_table())),
      table_over_sensor(Key("torque", Form::table,
                            "in place of `force`: torque about `direction` on the second place",
                            "{table: [[0, 5], [100, 0]], of: speed}")
                            .in(kTorque)
                            .holds(time_table())
                            .with("direction")),
      field(Key("direction", Form::direction,
                "world at t = 0; a force without it is along the line between the two points",
                "[1, 0, 0]"),
            &Self::direction),
      field(Key("axes", Form::word,
                "what the direction turns with: the `world`, the `first` or the `second` place",
                "second")
                .or_default()
                .with("direction"),
            all_axes, &Self::axes),
      field(
          Key("beyond", Form::word,
              "where the sensor leaves the table: an error (`refuse`), the value at its end (`hold`) or the slope there (`linear`), whatever the interpolation",
              "hold")
              .or_default(),
          ways, &Self::beyond)};
  return list;
}

void TabulatedEntry::check(const TableView& view, const Scope& scope) {
  is_torque = view.has("torque");
  const char* key = is_torque ? "torque" : "force";
  if (view.has("force") == is_torque)
    return view.report().error(
        view.where(key),
        is_torque ? fmt::format("{} is given beside `force`", view.path("torque"))
                  : fmt::format("{} has neither `force` nor `torque`", view.path()),
        "give one of them, for example  force: {table: [[0, 0], [0.1, 40]], of: lift}");
  if (!view.is_good(key)) return;
  if (!is_over_sensor(view, key))
    return view.report().error(view.where(key),
                               fmt::format("{} is missing", view.table(key).path("of")),
                               "name the sensor that the table is over, as in history.csv");
  of = view.table(key).text("of");
  table = read_over_sensor(view, key, scope.model.sensors);
  if (direction && view.has("at_first"))
    view.report().error(view.where("at_first"),
                        fmt::format("{} is given beside `direction`", view.path("at_first")),
                        "remove it: the reaction acts at the point of the second place");
  for (int i = 0; i < 2; ++i) {
    const char* end = i == 0 ? "at_first" : "at_second";
    const bool has_point = view.has(end) || (i == 0 && direction);
    if (view.is_good("between") && between[i].kind == PlaceDescription::Kind::ground && !has_point)
      view.report().error(view.where(), fmt::format("{} is missing", view.path(end)),
                          "give the point on the ground in world coordinates, for example  " +
                              std::string(end) + ": [0, 0, 1]");
  }
}

std::unique_ptr<forces::Force> TabulatedEntry::build(const Builder& builder) const {
  const Vector3d second = at_second.value_or(builder.places.position(between[1]));
  const Vector3d first =
      direction ? second : at_first.value_or(builder.places.position(between[0]));
  if (!direction && (second - first).norm() == 0.0)
    throw base::InputError(
        fmt::format(
            "forces.{}: its two points meet at ({:g}, {:g}, {:g}) m, so that its force has no direction",
            name, first.x(), first.y(), first.z()),
        "give the `direction`, or move an end by `at_first` or `at_second`", where);
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  const bodies::FrameIndex A = add_force_frame(*this, between[0], 0, first, I, builder);
  const bodies::FrameIndex B = add_force_frame(*this, between[1], 1, second, I, builder);
  refuse_force_within(*this, A, B, builder);
  TabulatedForce::Options options{table->curve, make_measure(table->over, builder), of, beyond, {},
                                  axes};
  if (direction) {
    options.direction = forces::Vector6::Zero();
    options.direction->segment<3>(is_torque ? 3 : 0) = *direction;
  }
  return std::make_unique<TabulatedForce>(name, builder.built.system.link(A, B), std::move(options),
                                          layout_of(builder.built.system));
}

}  // namespace

ForceType tabulated_row() { return TabulatedEntry::row("tabulated", "by a table over a sensor"); }

}  // namespace solidyn::model
