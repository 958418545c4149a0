#include "model/language/key.h"

namespace solidyn::model {
namespace {

const Words kSpring = {"spring_damper"};
const Words kTorsion = {"torsional_spring_damper"};
const Words kBushing = {"bushing"};
const Words kDrag = {"drag"};
const Words kExpression = {"expression"};
const Words kPlugin = {"plugin"};
const Words kAtPlace = {"drag", "expression"};
const Words kPlaced = {"torsional_spring_damper", "bushing"};

std::vector<KeySpec> spring_keys() {
  return {
      Key("between", Form::references, "the two places", "[chassis.top, wheel.hub]")
          .sized(2)
          .needed()
          .of(kSpring),
      Key("at_first", Form::vector,
          "the end on the first place, world at t = 0; by default the place's origin",
          "[0, 0, 0.5]")
          .in(kLength)
          .of(kSpring),
      Key("at_second", Form::vector, "the end on the second place", "[0, 0, 0.1]")
          .in(kLength)
          .of(kSpring),
      Key("stiffness", Form::number, "force per extension", "2e4").in(kStiffness).of(kSpring),
      Key("damping", Form::number, "force per rate of extension", "1500")
          .in(kViscosity)
          .within(kNotNegative)
          .of(kSpring),
      Key("free_length", Form::number,
          "length without force of the spring; by default the length at t = 0 (as drawn)", "0.35")
          .in(kLength)
          .within(kNotNegative)
          .of(kSpring),
      Key("preload", Form::number, "tension at the free length", "-200").in(kForce).of(kSpring),
      Key("force_by_extension", Form::table, "tension by the extension from the free length",
          "{table: [[-0.1, -900], [0, 0], [0.1, 300]]}")
          .holds(curve_table())
          .of(kSpring),
      Key("force_by_rate", Form::table, "tension by the rate of extension",
          "{table: [[-1, -600], [0, 0], [1, 1500]]}")
          .holds(curve_table())
          .of(kSpring),
      Key("force", Form::text,
          "tension as an expression of the extension `x`, its rate `v` and `t`, in the file's "
          "units",
          "\"1e4*x + 1e6*x^3 + 50*v\"")
          .of(kSpring),
      Key("actuator", Form::time_function, "force that pushes the two ends apart", "\"100*sin(t)\"")
          .in(kForce)
          .of(kSpring)};
}

std::vector<KeySpec> torsion_keys() {
  return {
      Key("between", Form::references,
          "the two places; the torque is about the axis that turns with the first",
          "[ground, rotor]")
          .sized(2)
          .of(kTorsion),
      Key("joint", Form::reference,
          "the revolute or cylindrical joint to act on, instead of `between` and `axis`", "hinge")
          .of(kTorsion),
      Key("axis", Form::direction, "world: the axis", "[0, 0, 1]").of(kTorsion),
      Key("stiffness", Form::number, "torque per angle", "50").in(kTorsionalStiffness).of(kTorsion),
      Key("damping", Form::number, "torque per angular velocity", "0.2")
          .in(kTorsionalViscosity)
          .within(kNotNegative)
          .of(kTorsion),
      Key("free_angle", Form::number,
          "angle of the second place relative to the first without torque of the spring; the angle "
          "is zero at t = 0 and counts whole turns",
          "1.57")
          .in(kAngle)
          .or_else("0")
          .of(kTorsion),
      Key("preload", Form::number, "resisting torque at the free angle", "5")
          .in(kTorque)
          .of(kTorsion),
      Key("torque_by_angle", Form::table, "resisting torque by the angle from the free one",
          "{table: [[-1, -40], [0, 0], [1, 90]]}")
          .holds(curve_table())
          .of(kTorsion),
      Key("torque_by_rate", Form::table, "resisting torque by the angular velocity",
          "{table: [[-10, -3], [0, 0], [10, 5]]}")
          .holds(curve_table())
          .of(kTorsion),
      Key("torque", Form::text,
          "resisting torque as an expression of the angle from the free one `x`, its rate `v` and "
          "`t`, in the file's units",
          "\"20*sin(x) + 0.1*v\"")
          .of(kTorsion),
      Key("actuator", Form::time_function,
          "torque on the second place, right-handed about the axis, and back on the first",
          "\"5*t\"")
          .in(kTorque)
          .of(kTorsion)};
}

std::vector<KeySpec> bushing_keys() {
  return {
      Key("between", Form::references, "the two places", "[subframe, engine.mount]")
          .sized(2)
          .needed()
          .of(kBushing),
      Key("axis", Form::direction, "world: the bushing's z axis; by default the world's",
          "[0, 1, 0]")
          .of(kBushing),
      Key("stiffness", Form::matrix,
          "against displacements along x, y, z and rotations about them: six numbers, the "
          "diagonal, or six rows of six, symmetric; N/m, N/rad = N m/m and N m/rad in the file's "
          "units. About an axis without stiffness the second place turns freely, also many turns",
          "[1e6, 1e6, 3e5, 200, 200, 20]")
          .sized(6)
          .needed()
          .of(kBushing),
      Key("damping", Form::matrix, "the same for rates: N s/m ..., N m s/rad",
          "[300, 300, 100, 0.1, 0.1, 0.02]")
          .sized(6)
          .of(kBushing),
      Key("preload", Form::vector,
          "forces and moments against displacements at none: three forces and three moments",
          "[0, 0, -500, 0, 0, 0]")
          .sized(6)
          .of(kBushing)};
}

std::vector<KeySpec> drag_keys() {
  return {

      Key("viscous", Form::number, "force per velocity", "0.2")
          .in(kViscosity)
          .within(kNotNegative)
          .or_else("0")
          .of(kDrag),
      Key("viscous_rotational", Form::number, "torque per angular velocity", "0.001")
          .in(kTorsionalViscosity)
          .within(kNotNegative)
          .or_else("0")
          .of(kDrag),
      Key("drag_coefficient", Form::number,
          "Cd of the force 1/2 density Cd area |v| v against the velocity v in the medium", "0.47")
          .within(kNotNegative)
          .with("area")
          .of(kDrag),
      Key("area", Form::number, "reference area of the drag coefficient", "0.0314")
          .in(kArea)
          .within(kNotNegative)
          .with("density")
          .of(kDrag),
      Key("density", Form::number, "of the medium", "1.2")
          .in(kDensity)
          .within(kNotNegative)
          .with("drag_coefficient")
          .of(kDrag),
      Key("medium_velocity", Form::time_vector, "velocity of the medium, world axes",
          "[\"5*sin(t)\", 0, 0]")
          .in(kVelocity)
          .or_else("[0, 0, 0]")
          .of(kDrag)};
}

std::vector<KeySpec> expression_keys() {
  return {
      Key("reaction_on", Form::reference,
          "the place whose body takes the opposite force, at the same point of space; by default "
          "the ground",
          "cart")
          .of(kExpression),
      Key("force", Form::expressions,
          "components of the force: expressions of `t` and of sensors of the motion by their names "
          "in history.csv (`tip.x`), in the file's units, or tables: {table: [...], of: tip.x}",
          "[0, 0, \"-2e4*tip.z - 30*tip_rate.z\"]")
          .of(kExpression),
      Key("torque", Form::expressions, "components of the torque", "[0, \"-5*hinge_angle\", 0]")
          .of(kExpression),
      Key("axes", Form::word,
          "axes of the components: of the `world`, or of the place, which they follow (`body`)",
          "body")
          .among({"world", "body"})
          .or_else("world")
          .of(kExpression)};
}

std::vector<KeySpec> plugin_keys() {
  return {
      Key("between", Form::references, "the two places", "[ground, box.top]")
          .sized(2)
          .needed()
          .of(kPlugin),
      Key("library", Form::path, "shared library (include/solidyn/plugin/force.h)", "libgrip.so")
          .needed()
          .of(kPlugin),
      Key("parameters", Form::named_numbers,
          "numbers that the library asks for, as they stand here; what passes between the program "
          "and the library is SI",
          "{stiffness: 1e4}")
          .of(kPlugin)};
}

std::vector<KeySpec> force_keys() {
  std::vector<KeySpec> keys = {
      Key("type", Form::word,
          "`spring_damper` (along the line between two points), `torsional_spring_damper` (about "
          "an axis), `bushing` (all six directions), `drag` (of a medium), `expression` (formulas "
          "of "
          "sensors), `plugin` (a shared library)",
          "spring_damper")
          .among({"spring_damper", "torsional_spring_damper", "bushing", "drag", "expression",
                  "plugin"})
          .needed(),
      Key("at", Form::reference,
          "the place: `body` (its origin; rigid bodies), `body.frame`, `body.interface` or "
          "`body.point`",
          "ball")
          .needed()
          .of(kAtPlace),
      Key("at", Form::vector,
          "the point, world at t = 0; by default the origin of the interface or frame that "
          "`between` names",
          "[0, 0, 0]")
          .in(kLength)
          .of(kPlaced),
      Key("reference", Form::direction, "world: a second direction, towards x", "[1, 0, 0]")
          .of(kPlaced)};
  for (const auto& more : {spring_keys(), torsion_keys(), bushing_keys(), drag_keys(),
                           expression_keys(), plugin_keys()})
    keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

}  // namespace

const TableSpec& curve_table() {
  static const TableSpec table{
      "curve",
      "A force by points, of which there are two or more.",
      table_keys(Key("table", Form::points, "the points [x, force], with increasing x",
                     "[[-0.1, -900], [0, 0], [0.1, 300]]"),
                 "linear"),
      "",
      false,
      {"table", "file"}};
  return table;
}

const TableSpec& force_table() {
  static const TableSpec table{
      "force",
      "A force that depends on the motion, between two places of any bodies: `ground`, `body` "
      "(rigid bodies), `body.frame`, `body.interface` or `body.point`. doc/forces.md has the "
      "formulas. Forces that are given functions of time are `loads`.",
      force_keys(), "type"};
  return table;
}

}  // namespace solidyn::model
