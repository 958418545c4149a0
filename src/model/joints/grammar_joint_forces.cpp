#include "model/language/key.h"

namespace solidyn::model {
namespace {

const Words kPlanes = {"planar", "point_on_plane", "in_plane"};

/// How the two kinds of coordinates differ in words and units.
struct Kind {
  const char *name, *effort, *coordinate, *rate;
  const char *free, *by_extension, *by_rate, *formula;
  Quantity x, force, stiffness, damping, per_rate;
  Words joints;
};

const Kind& slides() {
  static const Kind kind{"slide",
                         "force",
                         "position",
                         "velocity",
                         "free_position",
                         "force_by_extension",
                         "force_by_rate",
                         "force",
                         kLength,
                         kForce,
                         kStiffness,
                         kViscosity,
                         {"s/m", -1, 0, 1, 0, 0},
                         {"prismatic", "point_on_line", "in_line"}};
  return kind;
}

const Kind& turns() {
  static const Kind kind{"turn",
                         "torque",
                         "angle",
                         "angular velocity",
                         "free_angle",
                         "torque_by_angle",
                         "torque_by_rate",
                         "torque",
                         kAngle,
                         kTorque,
                         kTorsionalStiffness,
                         kTorsionalViscosity,
                         {"s/rad", 0, 0, 1, -1, 0},
                         {"revolute"}};
  return kind;
}

TableSpec spring_table(const Kind& k) {
  const std::string effort = k.effort, coordinate = k.coordinate;
  return {std::string(k.name) + " spring",
          "A spring in a joint: a " + effort + " against its " + coordinate + ".",
          {Key("stiffness", Form::number, effort + " per " + coordinate, "50").in(k.stiffness),
           Key(k.free, Form::number,
               coordinate + " without " + effort + " of the spring; it is zero at t = 0", "0.2")
               .in(k.x)
               .or_else("0"),
           Key("preload", Form::number, "resisting " + effort + " there", "5").in(k.force),
           Key(k.by_extension, Form::table, "resisting " + effort + " by points",
               "{table: [[-1, -40], [0, 0], [1, 90]]}")
               .holds(curve_table()),
           Key(k.formula, Form::text,
               "resisting " + effort + " as an expression of the " + coordinate +
                   " from the free one `x`, its rate `v` and `t`, in the file's units",
               "\"20*x + 5*x^3\"")}};
}

TableSpec damper_table(const Kind& k) {
  const std::string effort = k.effort, rate = k.rate;
  return {std::string(k.name) + " damper",
          "A damper in a joint: a " + effort + " against its " + rate + ".",
          {Key("damping", Form::number, effort + " per " + rate, "0.2")
               .in(k.damping)
               .within(kNotNegative),
           Key(k.by_rate, Form::table, "resisting " + effort + " by points",
               "{table: [[-10, -3], [0, 0], [10, 5]]}")
               .holds(curve_table())}};
}

TableSpec limits_table(const Kind& k) {
  const std::string effort = k.effort, coordinate = k.coordinate;
  return {std::string(k.name) + " limits",
          "Stops of a joint. Beyond one by p > 0 they push back with stiffness p (1 + damping "
          "dp/dt), and never pull.",
          {Key("lower", Form::number, "smallest " + coordinate + "; it is zero at t = 0", "-0.1")
               .in(k.x),
           Key("upper", Form::number, "largest " + coordinate, "0.1").in(k.x),
           Key("stiffness", Form::number, effort + " per " + coordinate + " beyond", "1e5")
               .in(k.stiffness)
               .within(kPositive)
               .needed(),
           Key("damping", Form::number, "by how much the " + effort + " grows with the " + k.rate,
               "0.5")
               .in(k.per_rate)
               .within(kNotNegative)
               .or_else("0")}};
}

/// spring, damper, actuator and limits, for these joints (empty: for all that have the table).
std::vector<KeySpec> coordinate_keys(const Kind& k, const TableSpec& spring,
                                     const TableSpec& damper, const TableSpec& limits,
                                     const Words& joints) {
  const std::string effort = k.effort;
  return {
      Key("spring", Form::table, "a spring in the joint", "{stiffness: 50}")
          .holds(spring)
          .of(joints),
      Key("damper", Form::table, "a damper in the joint", "{damping: 0.2}")
          .holds(damper)
          .of(joints),
      Key("actuator", Form::time_function,
          effort + " on the second place along its " + k.coordinate + ", and back on the first",
          "\"5*t\"")
          .in(k.force)
          .of(joints),
      Key("limits", Form::table, "stops of the joint", "{lower: -0.1, upper: 0.1, stiffness: 1e5}")
          .holds(limits)
          .of(joints)};
}

std::vector<KeySpec> slide_keys(const Words& joints) {
  return coordinate_keys(slides(), slide_spring_table(), slide_damper_table(), slide_limits_table(),
                         joints);
}

std::vector<KeySpec> turn_keys(const Words& joints) {
  return coordinate_keys(turns(), turn_spring_table(), turn_damper_table(), turn_limits_table(),
                         joints);
}

}  // namespace

const TableSpec& slide_spring_table() {
  static const TableSpec table = spring_table(slides());
  return table;
}
const TableSpec& turn_spring_table() {
  static const TableSpec table = spring_table(turns());
  return table;
}
const TableSpec& slide_damper_table() {
  static const TableSpec table = damper_table(slides());
  return table;
}
const TableSpec& turn_damper_table() {
  static const TableSpec table = damper_table(turns());
  return table;
}
const TableSpec& slide_limits_table() {
  static const TableSpec table = limits_table(slides());
  return table;
}
const TableSpec& turn_limits_table() {
  static const TableSpec table = limits_table(turns());
  return table;
}

const TableSpec& slide_table() {
  static const TableSpec table{"translation", "What acts along one of a joint's directions.",
                               slide_keys({})};
  return table;
}

const TableSpec& turn_table() {
  static const TableSpec table{"turning", "What acts about one of a joint's axes.", turn_keys({})};
  return table;
}

const TableSpec& friction_table() {
  static const TableSpec table{
      "friction",
      "Dry friction in a joint, by the forces that it transmits: Coulomb friction with a Stribeck "
      "curve, regularised: sticking is a slow creep.",
      {Key("static", Form::number, "coefficient near standstill", "0.2")
           .within(kNotNegative)
           .needed(),
       Key("dynamic", Form::number,
           "coefficient of fast sliding, not above `static`; by default that of standstill", "0.15")
           .within(kNotNegative)
           .with("stribeck_speed"),
       Key("stribeck_speed", Form::number,
           "slip over which the coefficient falls: mu = dynamic + (static - dynamic) "
           "exp(-(v/stribeck_speed)^2)",
           "0.01")
           .in(kVelocity)
           .within(kPositive)
           .with("dynamic"),
       Key("transition_speed", Form::number,
           "slip over which friction builds up: v / sqrt(v^2 + transition_speed^2) of it acts",
           "1e-3")
           .in(kVelocity)
           .within(kPositive)
           .or_else("1e-3"),
       Key("radius", Form::number,
           "of the pin, of the thread, of the ball, of a cross's pins, or mean radius of the face "
           "of a "
           "planar joint; slip is its "
           "product with the angular velocity",
           "0.01")
           .in(kLength)
           .within(kPositive),
       Key("moment_arm", Form::number,
           "length over which the joint carries moments across its axis, a prismatic one about it, "
           "and "
           "a pin of a universal joint that of the shafts: they press with moment / arm; by "
           "default moments do not press",
           "0.05")
           .in(kLength)
           .within(kPositive),
       Key("thrust_radius", Form::number,
           "of a revolute joint: mean radius of the face that carries forces along the axis; by "
           "default these do not rub",
           "0.015")
           .in(kLength)
           .within(kPositive),
       Key("preload", Form::number, "normal force that is always there", "20")
           .in(kForce)
           .within(kNotNegative)
           .or_else("0")}};
  return table;
}

TableSpec with_joint_forces(TableSpec joint) {
  const auto add = [&](const std::vector<KeySpec>& keys) {
    joint.keys.insert(joint.keys.end(), keys.begin(), keys.end());
  };
  add(slide_keys(slides().joints));
  add(turn_keys(turns().joints));
  const auto along = [](const char* key, const char* where, const TableSpec& table, Words joints) {
    return Key(key, Form::table, std::string("what acts ") + where, "{spring: {stiffness: 1e4}}")
        .holds(table)
        .of(std::move(joints));
  };
  add({along("translation", "along the joint's axis", slide_table(), {"cylindrical", "screw"}),
       along("rotation", "about the joint's axis", turn_table(),
             {"cylindrical", "screw", "planar"}),
       along("translation_x", "along x of the first place's frame of the joint", slide_table(),
             kPlanes),
       along("translation_y", "along y of the first place's frame of the joint", slide_table(),
             kPlanes),
       along("first_arm", "about the arm of the cross on the first place", turn_table(),
             {"universal"}),
       along("second_arm", "about the arm of the cross on the second place", turn_table(),
             {"universal"}),
       Key("friction", Form::table, "dry friction",
           "{static: 0.2, transition_speed: 1e-3, radius: 0.01}")
           .holds(friction_table())
           .of({"revolute", "prismatic", "cylindrical", "screw", "planar", "universal",
                "spherical"})});
  return joint;
}

}  // namespace solidyn::model
