#include "model/joints/joint_forces.h"

#include <fmt/format.h>

#include "model/contacts/impact_law.h"
#include "model/forces/over_sensors.h"
#include "model/forces/springs.h"
#include "model/joints/joint_coordinates.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

using Spring = forces::SpringDamper::Options;
using Limits = forces::Stops::Options;

void report_no_force(const TableView& view, const std::string& keys) {
  view.report().error(view.where(), fmt::format("{} has no force", view.path()), "give " + keys);
}

Field<Spring> curve_field(const Key& key, const Quantity& x, const Quantity& effort,
                          std::optional<math::Curve> Spring::*curve) {
  return read_by<Spring>(
      key, [=, word = KeySpec(key).key](Spring& law, const TableView& view, const Scope&) {
        law.*curve = read_curve(view, word, x, effort);
      });
}

Fields<Spring> spring_fields(const CoordinateKind& k) {
  const std::string effort = k.effort, coordinate = k.coordinate;
  return {
      field(Key("stiffness", Form::number, effort + " per " + coordinate, "50").in(k.stiffness),
            &Spring::stiffness),
      field(Key(k.keys.free, Form::number,
                coordinate + " without " + effort + " of the spring; it is zero at t = 0", "0.2")
                .in(k.keys.x)
                .or_default(),
            &Spring::free),
      field(Key("preload", Form::number, "resisting " + effort + " there", "5").in(k.keys.effort),
            &Spring::preload),
      curve_field(Key(k.keys.by_extension, Form::table, "resisting " + effort + " as a table",
                      "{table: [[-1, -40], [0, 0], [1, 90]]}")
                      .holds(curve_table()),
                  k.keys.x, k.keys.effort, &Spring::by_extension),
      read_by<Spring>(
          Key(k.keys.formula, Form::text,
              "resisting " + effort + " as an expression of the " + coordinate +
                  " from the free one `x`, its rate `v` and `t`, in the units of the file",
              "\"20*x + 5*x^3\""),
          [&keys = k.keys](Spring& law, const TableView& view, const Scope&) {
            law.formula = read_spring_formula(view, keys.formula, keys.x, keys.effort);
          })};
}

Fields<Spring> damper_fields(const CoordinateKind& k) {
  const std::string effort = k.effort, rate = k.rate;
  return {field(Key("damping", Form::number, effort + " per " + rate, "0.2")
                    .in(k.damping)
                    .within(kNotNegative),
                &Spring::damping),
          curve_field(Key(k.keys.by_rate, Form::table, "resisting " + effort + " as a table",
                          "{table: [[-10, -3], [0, 0], [10, 5]]}")
                          .holds(curve_table()),
                      k.keys.rate, k.keys.effort, &Spring::by_rate)};
}

Fields<Limits> limits_fields(const CoordinateKind& k) {
  const std::string effort = k.effort, coordinate = k.coordinate;
  return {
      field(Key("lower", Form::number, "smallest " + coordinate + "; it is zero at t = 0", "-0.1")
                .in(k.keys.x),
            &Limits::lower),
      field(Key("upper", Form::number, "largest " + coordinate, "0.1").in(k.keys.x),
            &Limits::upper),
      field(Key("stiffness", Form::number, effort + " per " + coordinate + " beyond", "1e5")
                .in(k.stiffness)
                .within(kPositive),
            &Limits::stiffness),
      field(Key("damping", Form::number, "by how much the " + effort + " grows with the " + k.rate,
                "0.5")
                .in(k.per_rate)
                .within(kNotNegative)
                .with("stiffness")
                .or_default(),
            &Limits::damping),
      read_elsewhere<Limits>(
          Key("law", Form::table,
              "instead of `stiffness`: set-valued stops, which the joint never passes (doc/nonsmooth.md)",
              "{type: impact, restitution: 0.3}")
              .holds(k.stop_law()))};
}

// Of stops that are never passed.
Fields<forces::SetValuedLaw> stop_law_fields(const CoordinateKind& k) {
  using Law = forces::SetValuedLaw;
  return {read_elsewhere<Law>(Key("type", Form::word,
                                  "`impact`: no overtravel, and a rate that jumps at the stop",
                                  "impact")
                                  .among({"impact"})
                                  .needed()),
          field(Key("restitution", Form::number,
                    std::string(k.rate) + " after an impact over that before it", "0.3")
                    .within({0.0, 1.0, true, true})
                    .or_default(),
                &Law::restitution),
          field(Key("slow_speed", Form::number,
                    "slower impacts have no restitution, so that bouncing comes to an end", "1e-3")
                    .in(k.keys.rate)
                    .within(kNotNegative)
                    .or_default(),
                &Law::slow_speed),
          field(impact_law_key(), impact_laws(), &Law::impact_law)};
}

void check_limits(const TableView& view, const Limits& limits) {
  if (!view.has_any({"lower", "upper"}))
    view.report().error(view.where(), fmt::format("{} has no limits", view.path()),
                        "give `lower`, `upper` or both");
  if (limits.lower && limits.upper && *limits.lower >= *limits.upper)
    view.report().error(view.where("upper"),
                        fmt::format("{} is not above `lower`", view.path("upper")),
                        "exchange the two");
}

Spring& law_of(CoordinateForces& forces) {
  return forces.spring ? *forces.spring : forces.spring.emplace();
}

void read_spring(CoordinateForces& forces, const TableView& view, const Scope& scope,
                 const CoordinateKind& kind) {
  if (!view.has("spring")) return;
  const TableView spring = view.table("spring");
  read_fields(spring_fields(kind), spring, scope, law_of(forces));
  if (!spring.has_any({"stiffness", "preload", kind.keys.by_extension, kind.keys.formula}))
    report_no_force(spring, fmt::format("`stiffness`, `preload`, `{}` or `{}`",
                                        kind.keys.by_extension, kind.keys.formula));
}

void read_damper(CoordinateForces& forces, const TableView& view, const Scope& scope,
                 const CoordinateKind& kind) {
  if (!view.has("damper")) return;
  const TableView damper = view.table("damper");
  read_fields(damper_fields(kind), damper, scope, law_of(forces));
  if (!damper.has_any({"damping", kind.keys.by_rate}))
    report_no_force(damper, fmt::format("`damping` or `{}`", kind.keys.by_rate));
}

// A table over a sensor is read when sensors have been.
void read_actuator(CoordinateForces& forces, const TableView& view, const Scope&) {
  if (!view.has("actuator")) return;
  Spring& law = law_of(forces);
  if (!is_over_sensor(view, "actuator")) law.actuator = read_time_function(view, "actuator");
}

void read_limits(CoordinateForces& forces, const TableView& view, const Scope& scope,
                 const CoordinateKind& kind) {
  if (!view.has("limits")) return;
  const TableView limits = view.table("limits");
  read_fields(limits_fields(kind), limits, scope, forces.limits.emplace());
  check_limits(limits, *forces.limits);
  if (!limits.has("law")) return;
  forces::SetValuedLaw& law = forces.stop.emplace();
  law.kind = forces::SetValuedLaw::Kind::stop;
  if (limits.is_good("law")) read_fields(stop_law_fields(kind), limits.table("law"), scope, law);
}

const Choice<CoordinateForces::Clutch>& ways() {
  static const Choice<CoordinateForces::Clutch> words = {
      {"positive", CoordinateForces::Clutch::positive},
      {"negative", CoordinateForces::Clutch::negative}};
  return words;
}

const CoordinateKind& kind_of(JointFreedom freedom) {
  return is_rotation(freedom) ? turns() : slides();
}

/// Where a table's forces act, for its meaning.
const char* where_along(JointFreedom freedom) {
  switch (freedom) {
    case JointFreedom::translation:
      return "along the joint's axis";
    case JointFreedom::rotation:
      return "about the joint's axis";
    case JointFreedom::translation_x:
      return "along x of the first place's frame of the joint";
    case JointFreedom::translation_y:
      return "along y of the first place's frame of the joint";
    case JointFreedom::first_arm:
      return "about the arm of the cross on the first place";
    case JointFreedom::second_arm:
      return "about the arm of the cross on the second place";
  }
  return "";
}

/// The keys of the only freedom of a joint, in the joint itself.
Fields<JointEntry> direct_fields(JointFreedom freedom) {
  Fields<JointEntry> fields;
  for (const Field<CoordinateForces>& along : fields_along(kind_of(freedom)))
    fields.push_back(
        {along.spec,
         [freedom, along](JointEntry& joint, const TableView& view, const Scope& scope) {
           if (view.has(along.spec.key)) along.read(joint.forces.along[freedom], view, scope);
         },
         {}});
  return fields;
}

Field<JointEntry> freedom_field(JointFreedom freedom) {
  return read_by<JointEntry>(
      Key(name(freedom), Form::table,
          std::string("spring, damper, actuator, limits and clutch ") + where_along(freedom),
          "{spring: {stiffness: 1e4}}")
          .holds(is_rotation(freedom) ? turn_table() : slide_table()),
      [freedom](JointEntry& joint, const TableView& view, const Scope& scope) {
        if (!view.is_good(name(freedom))) return;
        const TableView table = view.table(name(freedom));
        if (!table.has_any({"spring", "damper", "actuator", "limits", "one_way"}))
          return report_no_force(table, "`spring`, `damper`, `actuator`, `limits` or `one_way`");
        read_fields(fields_along(kind_of(freedom)), table, scope, joint.forces.along[freedom]);
      });
}

TableSpec table_along(const char* name, const char* meaning, const CoordinateKind& kind) {
  return {name, meaning, keys_of(fields_along(kind))};
}

TableSpec table_within(const CoordinateKind& kind, const char* what, const std::string& meaning,
                       std::vector<KeySpec> keys) {
  return {fmt::format("{} {}", kind.name, what), meaning, std::move(keys)};
}

TableSpec spring_table_of(const CoordinateKind& k) {
  return table_within(
      k, "spring", fmt::format("A spring in a joint: a {} against its {}.", k.effort, k.coordinate),
      keys_of(spring_fields(k)));
}

TableSpec damper_table_of(const CoordinateKind& k) {
  return table_within(k, "damper",
                      fmt::format("A damper in a joint: a {} against its {}.", k.effort, k.rate),
                      keys_of(damper_fields(k)));
}

TableSpec limits_table_of(const CoordinateKind& k) {
  TableSpec table = table_within(
      k, "limits",
      "Stops of a joint. At an overtravel p > 0 they act with the force stiffness p (1 + damping dp/dt), and are never tensile; or they are set-valued, by `law`.",
      keys_of(limits_fields(k)));
  table.exactly_one_of = {"stiffness", "law"};
  return table;
}

TableSpec stop_law_table_of(const CoordinateKind& k) {
  return table_within(k, "stop law", "The law of set-valued stops (doc/nonsmooth.md).",
                      keys_of(stop_law_fields(k)));
}

}  // namespace

const CoordinateKind& slides() {
  static const CoordinateKind kind{"slide",
                                   "force",
                                   "position",
                                   "velocity",
                                   along_a_slide(),
                                   kStiffness,
                                   kViscosity,
                                   {"s/m", -1, 0, 1, 0, 0},
                                   slide_stop_law_table};
  return kind;
}

const CoordinateKind& turns() {
  static const CoordinateKind kind{"turn",
                                   "torque",
                                   "angle",
                                   "angular velocity",
                                   about_an_axis(),
                                   kTorsionalStiffness,
                                   kTorsionalViscosity,
                                   {"s/rad", 0, 0, 1, -1, 0},
                                   turn_stop_law_table};
  return kind;
}

Fields<CoordinateForces> fields_along(const CoordinateKind& kind) {
  using Forces = CoordinateForces;
  const bool slide = &kind == &slides();
  const auto with_kind = [&kind](auto read) {
    return [&kind, read](Forces& forces, const TableView& view, const Scope& scope) {
      read(forces, view, scope, kind);
    };
  };
  return {read_by<Forces>(Key("spring", Form::table, "a spring in the joint", "{stiffness: 50}")
                              .holds(slide ? slide_spring_table() : turn_spring_table()),
                          with_kind(read_spring)),
          read_by<Forces>(Key("damper", Form::table, "a damper in the joint", "{damping: 0.2}")
                              .holds(slide ? slide_damper_table() : turn_damper_table()),
                          with_kind(read_damper)),
          read_by<Forces>(
              Key("actuator", Form::time_function,
                  fmt::format("{} on the second place along its {}; the first takes the reaction",
                              kind.effort, kind.coordinate),
                  "\"5*t\"")
                  .in(kind.keys.effort),
              read_actuator),
          read_by<Forces>(Key("limits", Form::table, "stops of the joint",
                              "{lower: -0.1, upper: 0.1, stiffness: 1e5}")
                              .holds(slide ? slide_limits_table() : turn_limits_table()),
                          with_kind(read_limits)),
          field(Key("one_way", Form::word,
                    fmt::format("a clutch: the only direction in which the {} may change; it holds "
                                "against the other one, set-valued (doc/nonsmooth.md)",
                                kind.coordinate),
                    "positive"),
                ways(), &Forces::clutch)};
}

TableView table_of_freedom(const TableView& joint, const JointTraits& traits,
                           JointFreedom freedom) {
  return traits.coordinates.size() == 1 ? joint : joint.table(name(freedom));
}

Fields<JointEntry> fields_of_joint_forces(const JointTraits& traits) {
  Fields<JointEntry> fields;
  if (traits.family == JointFamily::joint && traits.coordinates.size() == 1)
    fields = direct_fields(traits.coordinates[0]);
  else if (traits.family == JointFamily::joint)
    for (JointFreedom freedom : traits.coordinates) fields.push_back(freedom_field(freedom));
  return fields;
}

const TableSpec& slide_spring_table() {
  static const TableSpec table = spring_table_of(slides());
  return table;
}
const TableSpec& turn_spring_table() {
  static const TableSpec table = spring_table_of(turns());
  return table;
}
const TableSpec& slide_damper_table() {
  static const TableSpec table = damper_table_of(slides());
  return table;
}
const TableSpec& turn_damper_table() {
  static const TableSpec table = damper_table_of(turns());
  return table;
}
const TableSpec& slide_limits_table() {
  static const TableSpec table = limits_table_of(slides());
  return table;
}
const TableSpec& turn_limits_table() {
  static const TableSpec table = limits_table_of(turns());
  return table;
}

const TableSpec& slide_stop_law_table() {
  static const TableSpec table = stop_law_table_of(slides());
  return table;
}
const TableSpec& turn_stop_law_table() {
  static const TableSpec table = stop_law_table_of(turns());
  return table;
}

const TableSpec& slide_table() {
  static const TableSpec table =
      table_along("translation", "Forces along one direction of a joint.", slides());
  return table;
}

const TableSpec& turn_table() {
  static const TableSpec table =
      table_along("turning", "Torques about one axis of a joint.", turns());
  return table;
}

}  // namespace solidyn::model
