#include "model/contacts/contact_grammar.h"

namespace solidyn::model {
namespace {

const Words kRound = {"sphere", "hollow_sphere", "cylinder", "hollow_cylinder", "capsule"};
const Words kAlongAxis = {"plane", "cylinder", "hollow_cylinder", "capsule"};
const Words kDissipative = {"lankarani_nikravesh", "hunt_crossley", "flores", "exact_restitution"};
const Words kWithClearance = {"revolute", "cylindrical", "spherical"};
const Words kClearanceWithAxis = {"revolute", "cylindrical"};
const Quantity kDamping{"N s/m", -1, 0, 1, 0, 1};
/// Newtons per a power of length that `exponent` says: read_contact_law.cpp divides by it.
const Quantity kContactStiffness{"N/m^exponent", 0, 0, 0, 0, 1};

}  // namespace

const TableSpec& contact_shape_table() {
  static const TableSpec table{
      "contact shape",
      "A shape that stands on a place and moves with it.",
      {Key("shape", Form::word,
           "`sphere`, `capsule` (a cylinder with half-spheres at its ends), `cylinder`, `box`; "
           "`plane` (material below, open above along `axis`); `hollow_sphere`, "
           "`hollow_cylinder` (touched from inside); `points` (all named `points` of a flexible "
           "body), `nodes` (some of the nodes of its mesh)",
           "sphere")
           .among({"sphere", "hollow_sphere", "plane", "cylinder", "hollow_cylinder", "capsule",
                   "box", "points", "nodes"})
           .needed(),
       Key("nodes", Form::table, "which nodes of the body's mesh touch", "{in_set: sole}")
           .holds(nodes_table())
           .needed()
           .of({"nodes"}),
       Key("radius", Form::number, "radius", "0.02")
           .in(kLength)
           .within(kPositive)
           .needed()
           .of(kRound),
       Key("length", Form::number,
           "length along the axis, about `at`; of a capsule between the centres of its ends", "0.1")
           .in(kLength)
           .within(kPositive)
           .needed()
           .of({"cylinder", "hollow_cylinder", "capsule"}),
       Key("size", Form::vector, "edges of the box along its axes", "[0.1, 0.2, 0.1]")
           .in(kLength)
           .needed()
           .of({"box"}),
       Key("at", Form::vector,
           "the shape's centre, or a point of the plane, in the world at t = 0; by default the "
           "place's origin",
           "[0, 0, 0]")
           .in(kLength)
           .of({"sphere", "hollow_sphere", "plane", "cylinder", "hollow_cylinder", "capsule",
                "box"}),
       Key("axis", Form::direction,
           "world at t = 0: the plane's normal, or the axis of the round shape", "[0, 0, 1]")
           .needed()
           .of(kAlongAxis),
       Key("axis", Form::direction,
           "world at t = 0: z of the box; by default the box has the place's axes", "[0, 0, 1]")
           .of({"box"}),
       Key("reference", Form::direction,
           "world at t = 0: the direction near which the box has its x", "[1, 0, 0]")
           .of({"box"})
           .with("axis")},
      "shape"};
  return table;
}

const TableSpec& contact_law_table() {
  static const TableSpec table{
      "contact law",
      "The normal force F between two surfaces that overlap by d; it never pulls "
      "(doc/theory/contact.md).",
      {Key("type", Form::word,
           "`hertz` (F = K d^n), `lankarani_nikravesh`, `hunt_crossley`, `flores`, "
           "`exact_restitution` (F = K d^n (1 + alpha d'/v), v the speed of impact, alpha from "
           "`restitution` by the formula of that name), `kelvin_voigt` (F = K d^n + damping d')",
           "exact_restitution")
           .among({"hertz", "lankarani_nikravesh", "hunt_crossley", "flores", "exact_restitution",
                   "kelvin_voigt"})
           .needed(),
       Key("stiffness", Form::number, "K, force per length to the power of `exponent`", "1e9")
           .in(kContactStiffness)
           .within(kPositive),
       Key("materials", Form::references,
           "instead of `stiffness`: the materials of the two places, from which and from the "
           "shapes' radii Hertz' theory gives K",
           "[steel, steel]")
           .sized(2),
       Key("exponent", Form::number, "n", "1.5")
           .within({1.0, 4.0, true, true})
           .or_else("1.5")
           .of({"hertz", "lankarani_nikravesh", "hunt_crossley", "flores", "exact_restitution"}),
       Key("exponent", Form::number, "n", "1")
           .within({1.0, 4.0, true, true})
           .or_else("1")
           .of({"kelvin_voigt"}),
       Key("restitution", Form::number,
           "speed after a free impact over speed before it, as the law's authors meant it", "0.8")
           .within({0.0, 1.0, true, true})
           .needed()
           .of({"lankarani_nikravesh", "hunt_crossley"}),
       Key("restitution", Form::number, "speed after a free impact over speed before it", "0.8")
           .within({0.0, 1.0, false, true})
           .needed()
           .of({"flores", "exact_restitution"}),
       Key("slow_speed", Form::number,
           "slower impacts are damped as those of this speed; also the speed relative to which "
           "`resolution` counts in lasting contact",
           "1e-3")
           .in(kVelocity)
           .within(kPositive)
           .or_else("1e-3"),
       Key("damping", Form::number, "force per speed of approach", "1e3")
           .in(kDamping)
           .within(kNotNegative)
           .needed()
           .of({"kelvin_voigt"}),
       Key("damping_depth", Form::number,
           "the damping grows smoothly from 0 at first touch to `damping` at this overlap", "1e-5")
           .in(kLength)
           .within(kPositive)
           .needed()
           .of({"kelvin_voigt"})},
      "type",
      false,
      {"stiffness", "materials"}};
  return table;
}

const TableSpec& contact_friction_table() {
  static const TableSpec table{
      "contact friction",
      "Coulomb friction with a Stribeck curve, regularised: sticking is a slow creep.",
      {Key("static", Form::number, "coefficient near standstill", "0.3")
           .within(kNotNegative)
           .needed(),
       Key("dynamic", Form::number, "coefficient of fast sliding; by default that of standstill",
           "0.2")
           .within(kNotNegative)
           .with("stribeck_speed"),
       Key("stribeck_speed", Form::number,
           "slip over which the coefficient falls: mu = dynamic + (static - dynamic) "
           "exp(-(v/stribeck_speed)^2)",
           "0.1")
           .in(kVelocity)
           .within(kPositive)
           .with("dynamic"),
       Key("transition_speed", Form::number,
           "slip over which friction builds up: v / sqrt(v^2 + transition_speed^2) of it acts",
           "1e-3")
           .in(kVelocity)
           .within(kPositive)
           .or_else("1e-3")}};
  return table;
}

const TableSpec& contact_table() {
  static const TableSpec table{
      "contact",
      "Contact between two places by penalty: of two shapes, or a joint with clearance, made of a "
      "bush or socket on the first place and a pin or ball on the second.",
      {Key("type", Form::word,
           "`shapes` (those of `first` and `second`); with clearance: `revolute` (pin in bush, "
           "held along its axis by two collars), `cylindrical` (pin in bush), `spherical` (ball in "
           "socket)",
           "shapes")
           .among({"shapes", "revolute", "cylindrical", "spherical"})
           .or_else("shapes"),
       Key("between", Form::references,
           "the two places: `ground`, `body` (rigid bodies), `body.frame`, `body.interface` or "
           "`body.point`; `body` alone for a shape of `points` or `nodes`",
           "[ground, ball]")
           .sized(2)
           .needed(),
       Key("first", Form::table, "the shape on the first place", "{shape: plane, axis: [0, 0, 1]}")
           .holds(contact_shape_table())
           .needed()
           .of({"shapes"}),
       Key("second", Form::table, "the shape on the second place", "{shape: sphere, radius: 0.02}")
           .holds(contact_shape_table())
           .needed()
           .of({"shapes"}),
       Key("at", Form::vector,
           "the middle of bush and pin, or the centre of the ball, in the world at t = 0",
           "[0, 0, 0]")
           .in(kLength)
           .needed()
           .of(kWithClearance),
       Key("axis", Form::direction, "world at t = 0: the axis of bush and pin", "[0, 0, 1]")
           .needed()
           .of(kClearanceWithAxis),
       Key("radius", Form::number, "of pin or ball", "0.01")
           .in(kLength)
           .within(kPositive)
           .needed()
           .of(kWithClearance),
       Key("clearance", Form::number, "radius of bush or socket less that of pin or ball", "1e-4")
           .in(kLength)
           .within(kPositive)
           .needed()
           .of(kWithClearance),
       Key("length", Form::number, "of the bush; the pin touches at its ends", "0.02")
           .in(kLength)
           .within(kPositive)
           .needed()
           .of(kClearanceWithAxis),
       Key("axial_clearance", Form::number,
           "how far the pin can slide to either side; by default as far as `clearance`", "1e-4")
           .in(kLength)
           .within(kPositive)
           .of({"revolute"}),
       Key("law", Form::table, "the normal force", "{type: hertz, stiffness: 1e9}")
           .holds(contact_law_table())
           .needed(),
       Key("friction", Form::table, "friction; by default none", "{static: 0.3}")
           .holds(contact_friction_table()),
       Key("resolution", Form::number,
           "a step over which the speed of approach changes by more than this fraction of the "
           "speed of impact, or an impact's energy by more than 0.03 times this fraction, is taken "
           "again in shorter ones",
           "0.1")
           .within({0.0, 10.0, false, true})
           .or_else("0.1")},
      "type"};
  return table;
}

std::vector<KeySpec> contact_sensor_keys() {
  return {Key("contact", Form::reference, "one of `contacts`", "floor").needed().of({"contact"}),
          Key("component", Form::word,
              "`in_contact` is 1 or 0; forces of the first place on the second, world axes; `all`: "
              "the first six",
              "normal_force")
              .among({"gap", "penetration", "normal_force", "friction_force", "slip_speed",
                      "in_contact", "force_x", "force_y", "force_z", "all"})
              .or_else("all")
              .of({"contact"})};
}

}  // namespace solidyn::model
