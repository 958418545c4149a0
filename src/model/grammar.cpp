#include "solidyn/model/grammar.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/contact_grammar.h"
#include "model/key.h"

namespace solidyn::model {
namespace {

const Words kFlexible = {"modal", "superelement", "floating_frame", "corotational", "inertial"};
const Words kReduced = {"modal", "superelement"};
const Words kFloating = {"modal", "floating_frame"};
const Words kMotion = {"position", "velocity", "acceleration", "orientation", "angular_velocity"};

const TableSpec& units_table() {
  static const TableSpec table{
      "units",
      "The units of every number in the file; `units: SI` is the default. Numbers are converted "
      "when "
      "they are read. A mesh file has its own length unit, `mesh_units`.",
      {Key("length", Form::word, "unit of length", "mm")
           .among({"m", "dm", "cm", "mm", "um", "in", "ft"})
           .or_else("m"),
       Key("mass", Form::word, "unit of mass (t is the tonne, 1000 kg)", "kg")
           .among({"kg", "t", "g", "lb"})
           .or_else("kg"),
       Key("time", Form::word, "unit of time", "s").among({"s", "ms"}).or_else("s"),
       Key("angle", Form::word, "unit of angle", "deg").among({"rad", "deg"}).or_else("rad"),
       Key("force", Form::word,
           "unit of force, for `youngs_modulus` (force per length squared); by default mass times "
           "length per time squared",
           "N")
           .among({"N", "kN", "MN", "lbf"})}};
  return table;
}

const TableSpec& material_table() {
  static const TableSpec table{"material",
                               "A linear elastic, isotropic material.",
                               {Key("youngs_modulus", Form::number, "Young's modulus E", "2.1e11")
                                    .in(kPressure)
                                    .within(kPositive)
                                    .needed(),
                                Key("poissons_ratio", Form::number, "Poisson's ratio nu", "0.3")
                                    .within({-1.0, 0.5, false, false})
                                    .needed(),
                                Key("density", Form::number, "mass per volume", "7850")
                                    .in(kDensity)
                                    .within(kPositive)
                                    .needed()}};
  return table;
}

const TableSpec& rotation_table() {
  static const TableSpec table{
      "rotation",
      "A rotation, in exactly one of four ways.",
      {Key("vector", Form::vector, "rotation vector: axis times angle", "[0, 0, 1.57]").in(kAngle),
       Key("axis", Form::direction, "axis of rotation; give `angle` too", "[0, 0, 1]")
           .with("angle"),
       Key("angle", Form::number, "angle about `axis`", "1.57").in(kAngle).with("axis"),
       Key("quaternion", Form::vector, "unit quaternion [w, x, y, z]; it is normalised",
           "[1, 0, 0, 0]")
           .sized(4),
       Key("euler_xyz", Form::vector,
           "angles about the axes x, then the turned y, then the turned z: R = Rx Ry Rz",
           "[0, 0, 1.57]")
           .in(kAngle)},
      "",
      false,
      {"vector", "axis", "quaternion", "euler_xyz"}};
  return table;
}

KeySpec rotation_key(const char* meaning) {
  return Key("rotation", Form::table, meaning, "{axis: [0, 0, 1], angle: 1.57}")
      .holds(rotation_table());
}

const TableSpec& pose_table() {
  static const TableSpec table{
      "pose",
      "Where a body (or its mesh) is in the world at t = 0.",
      {Key("position", Form::vector, "of the body's origin, world axes", "[0, 0, 0]")
           .in(kLength)
           .or_else("[0, 0, 0]"),
       rotation_key("that turns world axes into body axes")}};
  return table;
}

const TableSpec& frame_table() {
  static const TableSpec table{
      "frame",
      "A named frame on a rigid body, in body axes.",
      {Key("position", Form::vector, "of the frame's origin, body axes", "[0.1, 0, 0]")
           .in(kLength)
           .or_else("[0, 0, 0]"),
       rotation_key("that turns body axes into the frame's axes")}};
  return table;
}

const TableSpec& velocity_table() {
  static const TableSpec table{
      "velocity",
      "A guess of the velocity at t = 0; it is made consistent with the joints before the first "
      "step.",
      {Key("linear", Form::vector, "of the body's origin, world axes", "[0, 0, 0]")
           .in(kVelocity)
           .or_else("[0, 0, 0]"),
       Key("angular", Form::vector, "world axes", "[0, 0, 0]")
           .in(kAngularVelocity)
           .or_else("[0, 0, 0]")}};
  return table;
}

const TableSpec& interface_table() {
  static const TableSpec table{
      "interface",
      "A named place of a flexible body where joints attach.",
      {Key("nodes", Form::table, "which nodes", "{near: [0, 0, 0]}").holds(nodes_table()).needed(),
       Key("attach", Form::word,
           "how the interface's frame follows its nodes: `three_nodes` (the triad of three nodes), "
           "`rbe3` (average motion of the region), `rbe2` (the region is rigid), `virtual_body` (a "
           "massless body tied to three nodes), `node` (one node; turns with the elements around "
           "it)",
           "rbe3")
           .among({"three_nodes", "rbe3", "rbe2", "virtual_body", "node"})
           .or_else("rbe3")}};
  return table;
}

const TableSpec& rayleigh_table() {
  static const TableSpec table{
      "rayleigh",
      "Proportional damping D = mass M + stiffness K.",
      {Key("mass", Form::number, "factor of the mass matrix", "0")
           .in(kRate)
           .within(kNotNegative)
           .or_else("0"),
       Key("stiffness", Form::number, "factor of the stiffness matrix", "1e-6")
           .in(kTime)
           .within(kNotNegative)
           .or_else("0")}};
  return table;
}

const TableSpec& damping_table() {
  static const TableSpec table{
      "damping",
      "Damping of the deformation; none by default.",
      {Key("rayleigh", Form::table, "proportional damping", "{mass: 0, stiffness: 1e-6}")
           .holds(rayleigh_table()),
       Key("modal_ratio", Form::number,
           "fraction of critical damping of the elastic modes (`type: modal` and `superelement`)",
           "0.01")
           .within({0.0, 1.0, true, false})
           .or_else("0"),
       Key("modal_ratio_from", Form::number,
           "frequency in Hz from which modes get `modal_ratio`; lower ones stay undamped. Takes "
           "the "
           "ringing of static correction modes away",
           "4000")
           .within(kNotNegative)
           .or_else("0")}};
  return table;
}

const TableSpec& body_table() {
  static const TableSpec table{
      "body",
      "A body. Keys that belong to another type are ignored with a warning, so that `type` can be "
      "changed alone.",
      {Key("type", Form::word,
           "`rigid`; `modal` (floating frame, deformation by modes); `superelement` (deformation "
           "by "
           "the motion of its interfaces, which are nodes that bodies share); `floating_frame` "
           "(all "
           "nodal "
           "displacements kept); `corotational` (nodes in absolute coordinates, small strain in "
           "elements that turn), `inertial` (the same, large strain)",
           "rigid")
           .among({"rigid", "modal", "superelement", "floating_frame", "corotational", "inertial"})
           .later({"beam"})
           .needed(),
       Key("pose", Form::table, "where the body is at t = 0", "{position: [0.15, 0, 0]}")
           .holds(pose_table()),
       Key("velocity", Form::table, "guess of its velocity at t = 0", "{angular: [0, 0, 150]}")
           .holds(velocity_table()),
       Key("mass", Form::number, "mass", "0.1").in(kMass).within(kPositive).needed().of({"rigid"}),
       Key("center_of_mass", Form::vector, "in body axes", "[0.075, 0, 0]")
           .in(kLength)
           .or_else("[0, 0, 0]")
           .of({"rigid"}),
       Key("inertia", Form::inertia,
           "about the centre of mass, in body axes: [Ixx, Iyy, Izz], [Ixx, Iyy, Izz, Ixy, Ixz, "
           "Iyz] "
           "or the 3 x 3 matrix; Ixy, Ixz, Iyz are entries of that matrix (minus the integral of x "
           "y dm "
           "...). Zeros make a point mass",
           "[1e-6, 2e-4, 2e-4]")
           .in(kInertia)
           .or_else("[0, 0, 0]")
           .of({"rigid"}),
       Key("frames", Form::named_tables, "named frames for joints and sensors",
           "{pin: {position: [0.15, 0, 0]}}")
           .holds(frame_table())
           .of({"rigid"}),
       Key("mesh", Form::path,
           "file of solid elements: Gmsh (.msh), .smesh of `solidyn convert`, or of another "
           "program "
           "(.bdf, .inp; doc/meshes.md), whose materials, masses and rigid elements come "
           "along",
           "rod.msh")
           .of(kFlexible),
       Key("mesh_units", Form::word,
           "unit of length in the mesh file, or the set of units of one that brings its materials",
           "mm")
           .among({"m", "dm", "cm", "mm", "um", "in", "ft", "SI", "tonne-mm-s", "kg-mm-ms",
                   "kg-mm-s", "lbf-in-s"})
           .or_else("m")
           .of(kFlexible),
       Key("reduced_body", Form::path,
           "file that `solidyn reduce` wrote, instead of `mesh`: interfaces and points come from "
           "it",
           "rod.sbody")
           .of(kReduced),
       Key("import", Form::table,
           "modes or matrices of another program, instead of `mesh` and `material`",
           "{modes: rod.op2, mesh: rod.bdf}")
           .holds(import_table())
           .of(kReduced),
       Key("material", Form::reference,
           "one of `materials`; may be left out with a mesh file that has materials, of which "
           "those "
           "that `materials` names too are replaced",
           "steel")
           .of(kFlexible),
       Key("mass_matrix", Form::word,
           "mass matrix of the elements; default consistent for `modal` and `superelement`, "
           "lumped for the others",
           "lumped")
           .among({"lumped", "consistent"})
           .of(kFlexible),
       Key("hex8", Form::word,
           "stiffness of 8-node hexahedra: `incompatible_modes` (bends without locking), `b_bar` "
           "(mean volume change: for nearly incompressible materials), `standard` (trilinear: too "
           "stiff in bending; that of `inertial` bodies)",
           "b_bar")
           .among({"standard", "b_bar", "incompatible_modes"})
           .or_else("incompatible_modes")
           .of({"modal", "superelement", "floating_frame", "corotational"}),
       Key("hex20", Form::word,
           "stiffness of 20-node hexahedra: `full` (27 points) or `reduced` (8 points: softer, and "
           "less sensitive to distorted elements)",
           "reduced")
           .among({"full", "reduced"})
           .or_else("full")
           .of({"modal", "superelement", "floating_frame"}),
       Key("reference_conditions", Form::word, "how the body's frame follows the deforming body",
           "mean_axis")
           .among({"mean_axis", "principal_axis"})
           .later({"fixed_nodes"})
           .or_else("mean_axis")
           .of({"modal"}),
       Key("reference_conditions", Form::word, "how the body's frame follows the deforming body",
           "mean_axis")
           .among({"mean_axis"})
           .later({"principal_axis", "fixed_nodes"})
           .or_else("mean_axis")
           .of({"floating_frame"}),
       Key("enforced_by", Form::word,
           "`orthogonal_modes` (the modes satisfy mean_axis by construction; its default) or "
           "`multipliers` (constraints on all modes, rigid ones too; default of principal_axis)",
           "multipliers")
           .among({"orthogonal_modes", "multipliers"})
           .of({"modal"}),
       Key("mean_axis_level", Form::word, "level on which multipliers impose the mean axis",
           "position")
           .among({"position", "velocity"})
           .or_else("position")
           .of(kFloating),
       Key("geometric_stiffening", Form::word,
           "`second_order`: displacements are of second order in the modes, so that spin and loads "
           "at interfaces stiffen the body or make it buckle; `none`: linear modes",
           "second_order")
           .among({"none", "second_order"})
           .or_else("none")
           .of({"modal"}),
       Key("material_law", Form::word,
           "what large strains cost: St. Venant-Kirchhoff, linear in Green-Lagrange strain, or "
           "compressible neo-Hookean, which withstands compression",
           "neo_hookean")
           .among({"st_venant_kirchhoff", "neo_hookean"})
           .or_else("st_venant_kirchhoff")
           .of({"inertial"}),
       Key("modes", Form::table, "the modes; needed with `mesh`", "{free_free: 8}")
           .holds(modes_of_body_table())
           .of(kReduced),
       Key("internal_modes", Form::integer,
           "eigenmodes with all interfaces held, kept beside the motion of the interfaces", "2")
           .within(kNotNegative)
           .or_else("0")
           .of({"superelement"}),
       Key("damping", Form::table, "damping of the deformation", "{modal_ratio: 0.01}")
           .holds(damping_table())
           .of(kFlexible),
       Key("interfaces", Form::named_tables, "named places for joints and sensors",
           "{big_end: {nodes: {near: [0, 0, 0]}}}")
           .holds(interface_table())
           .of(kFlexible),
       Key("points", Form::named_vectors, "named points for sensors, in mesh axes",
           "{midpoint: [0.15, 0, 0]}")
           .in(kLength)
           .of(kFlexible),
       Key("stress", Form::table, "where stress is recovered; by default nowhere",
           "{places: {fillet: {near: [0.1, 0, 0]}}}")
           .holds(stress_table())
           .of(kFlexible)},
      "type",
      true};
  return table;
}

const TableSpec& load_table() {
  static const Words on_nodes = {"pressure", "traction", "nodal_force"};
  static const TableSpec table{
      "load",
      "A load: on a place of any body (`force`), or on nodes and outer faces of a body with all "
      "nodes in absolute coordinates (types `corotational` and `inertial`). In statics the "
      "functions' time is the load parameter, from 0 to 1.",
      {Key("type", Form::word,
           "`force` (force and torque on a place), `pressure` (against the outward normal), "
           "`traction` (force per undeformed area), `nodal_force` (on each node)",
           "force")
           .among({"force", "pressure", "traction", "nodal_force"})
           .needed(),
       Key("at", Form::reference,
           "the place: `body` (its origin; rigid bodies), `body.frame`, `body.interface` or "
           "`body.point`",
           "beam.tip")
           .needed()
           .of({"force"}),
       Key("force", Form::time_vector, "components of the force", "[0, 0, \"-100*t\"]")
           .in(kForce)
           .of({"force"}),
       Key("torque", Form::time_vector, "components of the torque", "[0, \"5*t\", 0]")
           .in(kTorque)
           .of({"force"}),
       Key("axes", Form::word,
           "axes of the components: of the `world`, or of the place, which they "
           "follow (`body`)",
           "body")
           .among({"world", "body"})
           .or_else("world")
           .of({"force"}),
       Key("body", Form::reference, "the body", "wing").needed().of(on_nodes),
       Key("faces", Form::table, "the outer faces whose nodes are all selected", "{in_set: skin}")
           .holds(nodes_table())
           .needed()
           .of({"pressure", "traction"}),
       Key("nodes", Form::table, "the nodes", "{in_set: edge}")
           .holds(nodes_table())
           .needed()
           .of({"nodal_force"}),
       Key("pressure", Form::time_function, "the pressure", "\"1e5*t\"")
           .in(kPressure)
           .needed()
           .of({"pressure"}),
       Key("follows", Form::word,
           "area and normal: of the undeformed body where it is placed (`reference`), or of the "
           "deformed one (`deformed`, a follower load)",
           "deformed")
           .among({"reference", "deformed"})
           .or_else("reference")
           .of({"pressure"}),
       Key("traction", Form::time_vector, "force per area, world axes", "[0, 0, \"1e5*t\"]")
           .in(kPressure)
           .needed()
           .of({"traction"}),
       Key("force", Form::time_vector, "force on each node, world axes", "[0, 0, -10]")
           .in(kForce)
           .needed()
           .of({"nodal_force"})},
      "type"};
  return table;
}

const TableSpec& support_table() {
  static const TableSpec table{
      "support",
      "Nodes of a body (types `corotational` and `inertial`) whose displacements are prescribed.",
      {Key("body", Form::reference, "the body", "beam").needed(),
       Key("nodes", Form::table, "which nodes", "{in_set: root}").holds(nodes_table()).needed(),
       Key("fix", Form::words, "the components that are prescribed, world axes", "[x, y, z]")
           .among({"x", "y", "z"})
           .needed(),
       Key("displacement", Form::time_vector,
           "where the nodes are moved to, from where the body is placed; components that are not "
           "fixed are not used",
           "[0, 0, \"0.01*t\"]")
           .in(kLength)
           .or_else("[0, 0, 0]")}};
  return table;
}

const TableSpec& time_table() {
  static const TableSpec table{
      "time function",
      "A function of time by points. Elsewhere a number or an expression of t does: `\"150*t\"`, "
      "with "
      "`pi`, the functions of muParser (sin, cos, sqrt, exp, `c ? a : b` ...), `ramp(t, t0, t1)` "
      "and "
      "`smooth_step(t, t0, t1)`, which rise from 0 to 1.",
      {Key("table", Form::time_table, "the points [t, value], with increasing t",
           "[[0, 0], [0.5, 1.2], [1, 3]]"),
       Key("file", Form::path,
           "a text file with a point in each line: t and value, apart by a comma, a semicolon or "
           "blanks, in the units of this file; a first line of names and lines that begin with # "
           "are passed over",
           "motion.csv"),
       Key("interpolation", Form::word,
           "`linear` (held constant outside the table), `cubic` (natural spline, continued "
           "straight) or `akima` (does not overshoot next to steps; continued straight)",
           "akima")
           .among({"linear", "cubic", "akima"})
           .or_else("cubic")},
      "",
      false,
      {"table", "file"}};
  return table;
}

TableSpec make_sensor_table() {
  static const Words axes = {"x", "y", "z", "magnitude", "all"};
  TableSpec table{
      "sensor",
      "Something to record in `history.csv`, in SI units. A sensor with several components makes "
      "the "
      "columns name.x, name.y ...",
      {Key("type", Form::word, "what is recorded", "position")
           .among({"relative_displacement", "position", "velocity", "acceleration", "orientation",
                   "angular_velocity", "joint_angle", "joint_translation", "reaction",
                   "support_force", "energy", "momentum", "multiplier", "stress", "contact"})
           .needed(),
       Key("of", Form::reference,
           "the place: `body`, `body.frame`, `body.interface` or `body.point`", "rod.big_end")
           .needed()
           .of(kMotion),
       Key("relative_to", Form::reference,
           "the place to measure from, and in whose axes; by default "
           "the world",
           "crank")
           .of(kMotion),
       Key("component", Form::word, "`all` means x, y and z; orientation is the rotation vector",
           "x")
           .among(axes)
           .or_else("all")
           .of({"position", "velocity", "acceleration", "orientation", "angular_velocity",
                "momentum"}),
       Key("component", Form::word, "force of the support on the body, world axes", "x")
           .among(axes)
           .or_else("all")
           .of({"support_force"}),
       Key("component", Form::word,
           "`all` means the six of the tensor; `principal_1` is the largest principal stress", "xx")
           .among({"xx", "yy", "zz", "xy", "yz", "zx", "von_mises", "principal_1", "principal_2",
                   "principal_3", "all"})
           .or_else("von_mises")
           .of({"stress"}),
       Key("axes", Form::word,
           "of the components: the body's (those of the world for `corotational` and `inertial`), "
           "or the world's",
           "world")
           .among({"body", "world"})
           .or_else("body")
           .of({"stress"}),
       Key("place", Form::reference,
           "one of the places of the body's `stress`; of several nodes the one with the largest "
           "von "
           "Mises stress at the time",
           "fillet")
           .needed()
           .of({"stress"}),
       Key("support", Form::reference, "one of `supports`", "clamp").needed().of({"support_force"}),
       Key("component", Form::word, "force or torque of the joint, at the joint; `all`: the six",
           "force_x")
           .among({"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z", "all"})
           .or_else("all")
           .of({"reaction"}),
       Key("side", Form::word, "the place of the joint on which force and torque act", "first")
           .among({"first", "second"})
           .or_else("second")
           .of({"reaction"}),
       Key("axes", Form::word,
           "of the components: the world's, or those of the joint's frame on its `first` or "
           "`second` place, whose z is the joint's axis ([the catalogue](joints.md))",
           "first")
           .among({"world", "first", "second"})
           .or_else("world")
           .of({"reaction"}),
       Key("body", Form::reference, "the flexible body", "rod").needed().of({"stress"}),
       Key("body", Form::reference,
           "the flexible body; without it `point` and `chord` are places of any bodies, as "
           "`body.interface`",
           "rod")
           .of({"relative_displacement"}),
       Key("body", Form::reference, "the body; by default the whole system", "rod").of({"energy"}),
       Key("point", Form::reference, "one of the body's `points`", "midpoint")
           .needed()
           .of({"relative_displacement"}),
       Key("chord", Form::references,
           "two interfaces of the body; by default its first two. Recorded is the distance of the "
           "point from the line between their origins",
           "[big_end, small_end]")
           .sized(2)
           .of({"relative_displacement"}),
       Key("about", Form::direction,
           "world: the distance counts positive along the chord (first to second interface) turned "
           "by "
           "+90 degrees about this axis",
           "[0, 0, 1]")
           .or_else("[0, 0, 1]")
           .of({"relative_displacement"}),
       Key("normalised_by", Form::number, "length that divides the distance; by default none",
           "0.3")
           .in(kLength)
           .within(kPositive)
           .of({"relative_displacement"}),
       Key("joint", Form::reference, "the joint", "main_bearing")
           .needed()
           .of({"joint_angle", "joint_translation", "reaction", "multiplier"}),
       Key("quantity", Form::word, "the coordinate, its rate, or its second rate", "velocity")
           .among({"position", "velocity", "acceleration"})
           .or_else("position")
           .of({"joint_angle", "joint_translation"}),
       Key("turns", Form::word,
           "`counted`: the angle goes on from turn to turn; `wrapped`: within half a turn of 0",
           "wrapped")
           .among({"counted", "wrapped"})
           .or_else("counted")
           .of({"joint_angle"}),
       Key("arm", Form::word,
           "of a universal joint: the angle about the arm on its first or second place", "second")
           .among({"first", "second"})
           .of({"joint_angle"}),
       Key("along", Form::word,
           "axis of the joint's frame on its first place; planar and point_on_plane joints have x "
           "and y, the others z",
           "x")
           .among({"x", "y", "z"})
           .or_else("z")
           .of({"joint_translation"}),
       Key("index", Form::integer, "which of the joint's multipliers, from 0", "0")
           .within(kNotNegative)
           .or_else("0")
           .of({"multiplier"}),
       Key("kind", Form::word, "which energy", "kinetic")
           .among({"kinetic", "strain", "potential", "total"})
           .or_else("total")
           .of({"energy"}),
       Key("kind", Form::word, "linear momentum, or angular momentum about the world's origin",
           "linear")
           .among({"linear", "angular"})
           .or_else("linear")
           .of({"momentum"})},
      "type"};
  for (const KeySpec& key : contact_sensor_keys()) table.keys.push_back(key);
  return table;
}

const TableSpec& sensor_table() {
  static const TableSpec table = make_sensor_table();
  return table;
}

const TableSpec& adaptive_table() {
  static const TableSpec table{
      "adaptive",
      "Steps that follow an estimate of the local error.",
      {Key("tolerance", Form::number, "largest local error per step, relative", "1e-5")
           .within(kPositive)
           .needed(),
       Key("minimum_step", Form::number, "give up below this step", "1e-9")
           .in(kTime)
           .within(kPositive)
           .needed(),
       Key("maximum_step", Form::number, "largest step", "1e-3")
           .in(kTime)
           .within(kPositive)
           .needed()}};
  return table;
}

const TableSpec& baumgarte_table() {
  static const TableSpec table{
      "baumgarte",
      "Stabilisation Phi'' + 2 alpha Phi' + beta^2 Phi = 0 of the constraints.",
      {Key("alpha", Form::number, "damping of the drift", "50")
           .in(kRate)
           .within(kNotNegative)
           .needed(),
       Key("beta", Form::number, "stiffness of the drift", "50")
           .in(kRate)
           .within(kNotNegative)
           .needed()}};
  return table;
}

const TableSpec& stop_table() {
  static const TableSpec table{
      "stop condition",
      "Ends the analysis after the step in which a column of the history comes to pass a value; "
      "the "
      "run is then done, and `summary.json` says what stopped it.",
      {Key("sensor", Form::reference, "the sensor, or `sensor.component` where it has several",
           "bob.x")
           .needed(),
       Key("above", Form::number, "stop when it rises above this value, in SI units", "0.5"),
       Key("below", Form::number, "stop when it falls below this value, in SI units", "0")},
      "",
      false,
      {"above", "below"}};
  return table;
}

const KeySpec& stop_key() {
  static const KeySpec key =
      Key("stop_when", Form::list, "conditions, each of which ends the analysis",
          "[{sensor: height, below: 0}]")
          .holds(stop_table());
  return key;
}

const TableSpec& dynamics_table() {
  static const TableSpec table{
      "dynamics",
      "Motion in time. Keys of another integrator are ignored with a warning.",
      {Key("duration", Form::number, "length of the simulation", "0.1")
           .in(kTime)
           .within(kPositive)
           .needed(),
       Key("step", Form::number, "time step; the first one where steps vary", "1e-5")
           .in(kTime)
           .within(kPositive)
           .needed(),
       Key("integrator", Form::word,
           "`generalized_alpha` (implicit, Lie group), `hht` (its special case of Hilber, Hughes "
           "and "
           "Taylor), `bdf` (Gear, variable order and step, index "
           "1 "
           "with Baumgarte), `runge_kutta` (explicit, index 1 with Baumgarte)",
           "generalized_alpha")
           .among({"generalized_alpha", "hht", "bdf", "runge_kutta"})
           .later({"bathe", "ed_alpha"})
           .or_else("generalized_alpha"),
       Key("rho_infinity", Form::number,
           "numerical damping: 1 none, 0 strongest (spectral radius at infinite frequency)", "0.8")
           .within({0.0, 1.0, true, true})
           .or_else("0.8")
           .of({"generalized_alpha"}),
       Key("alpha", Form::number,
           "numerical damping: 0 none, -1/3 strongest (spectral radius (1 + alpha)/(1 - alpha) at "
           "infinite frequency)",
           "-0.1")
           .within({-1.0 / 3.0, 0.0, true, true})
           .or_else("-0.1")
           .of({"hht"}),
       Key("adaptive", Form::table, "vary the step; by default it is fixed",
           "{tolerance: 1e-5, minimum_step: 1e-8, maximum_step: 1e-3}")
           .holds(adaptive_table())
           .of({"generalized_alpha", "hht"}),
       Key("tolerance", Form::number, "error that Newton leaves in a step's displacement, relative",
           "1e-10")
           .within({0.0, 1.0, false, false})
           .or_else("1e-10")
           .of({"generalized_alpha", "hht", "bdf"}),
       Key("max_iterations", Form::integer, "Newton iterations allowed in a step", "20")
           .within(kOneOrMore)
           .or_else("20")
           .of({"generalized_alpha", "hht", "bdf"}),
       Key("tangent", Form::word,
           "of bodies with all nodes in absolute coordinates: `kept` (factorised once, turned with "
           "the body, renewed when convergence slows) or `consistent` (Newton's own, in every "
           "iteration)",
           "consistent")
           .among({"kept", "consistent"})
           .or_else("kept")
           .of({"generalized_alpha", "hht"}),
       Key("baumgarte", Form::table, "stabilisation of the constraints; by default none",
           "{alpha: 50, beta: 50}")
           .holds(baumgarte_table())
           .of({"bdf", "runge_kutta"}),
       Key("relative_tolerance", Form::number, "local error relative to the solution", "1e-6")
           .within({0.0, 1.0, false, false})
           .or_else("1e-6")
           .of({"bdf", "runge_kutta"}),
       Key("absolute_tolerance", Form::number, "local error, in SI units of each unknown", "1e-9")
           .within(kPositive)
           .or_else("1e-9")
           .of({"bdf", "runge_kutta"}),
       stop_key()},
      "integrator",
      true};
  return table;
}

const TableSpec& kinematics_table() {
  static const TableSpec table{
      "kinematics",
      "Motion of a mechanism of rigid bodies that its drives determine, without integration in "
      "time. `reaction` sensors of the drives give the forces and torques that they need (inverse "
      "dynamics).",
      {Key("duration", Form::number, "length of the motion", "1")
           .in(kTime)
           .within(kPositive)
           .needed(),
       Key("step", Form::number, "time between two positions", "0.01")
           .in(kTime)
           .within(kPositive)
           .needed(),
       stop_key()}};
  return table;
}

const TableSpec& statics_table() {
  static const TableSpec table{
      "statics",
      "Equilibrium. The time of loads, supports and drives is a load parameter that goes from 0 to "
      "1; the history has a row for each of its steps.",
      {Key("load_steps", Form::integer,
           "steps of the load parameter; cut where Newton fails, and grown again", "10")
           .within(kOneOrMore)
           .or_else("10"),
       Key("tolerance", Form::number,
           "Newton ends with a correction so small, relative to the largest displacement", "1e-8")
           .within({0.0, 1.0, false, false})
           .or_else("1e-8"),
       Key("max_iterations", Form::integer, "Newton iterations allowed in a step", "25")
           .within(kOneOrMore)
           .or_else("25"),
       Key("smallest_step", Form::number, "give up when steps must be cut below this", "1e-5")
           .within({0.0, 1.0, false, true})
           .or_else("1e-5"),
       Key("control", Form::word,
           "`load` (steps of the load parameter) or `arc_length` (steps along the path of "
           "equilibria, on which the load parameter may fall beyond a limit load)",
           "arc_length")
           .among({"load", "arc_length"})
           .or_else("load"),
       Key("max_steps", Form::integer, "give up when the path is longer", "1000")
           .within(kOneOrMore)
           .or_else("1000")
           .of({"arc_length"})},
      "control",
      true};
  return table;
}

const TableSpec& analysis_table() {
  static const TableSpec table{
      "analysis",
      "One entry of the list `analyses`; they are run in order.",
      {Key("dynamics", Form::table, "motion in time", "{duration: 0.1, step: 1e-5}")
           .holds(dynamics_table()),
       Key("kinematics", Form::table, "motion that drives determine, and the forces it takes",
           "{duration: 1, step: 0.01}")
           .holds(kinematics_table()),
       Key("statics", Form::table, "equilibrium under growing loads", "{load_steps: 10}")
           .holds(statics_table()),
       Key("modes", Form::table, "natural modes of the mechanism, or of one body", "{count: 10}")
           .holds(modes_table()),
       Key("linearise", Form::table, "state-space matrices", "{inputs: [push.force_z]}")
           .holds(linearise_table()),
       Key("frequency_response", Form::table, "answers to harmonic inputs",
           "{inputs: [push.force_z], frequencies: [1, 2, 5]}")
           .holds(frequency_response_table())},
      "",
      false,
      {"dynamics", "kinematics", "statics", "modes", "linearise", "frequency_response"}};
  return table;
}

const TableSpec& solver_table() {
  static const TableSpec table{
      "solver",
      "Linear solvers.",
      {Key("preset", Form::word,
           "`auto` (by size), `small` (few unknowns, microseconds), `direct` (distributed "
           "factorisation)",
           "auto")
           .among({"auto", "small", "direct"})
           .later({"iterative"})
           .or_else("auto"),
       Key("petsc_options", Form::text,
           "options for PETSc; those on the command line (after --) come later and win",
           "\"-ksp_monitor\"")}};
  return table;
}

const TableSpec& output_table() {
  static const TableSpec table{
      "output",
      "What is written, and when.",
      {Key("history_every", Form::integer, "steps between two rows of history.csv", "1")
           .within(kOneOrMore)
           .or_else("1"),
       Key("history_interval", Form::number, "time between two rows, instead of `history_every`",
           "1e-4")
           .in(kTime)
           .within(kPositive),
       Key("fields_interval", Form::number, "time between two pictures for ParaView; 0: none",
           "1e-3")
           .in(kTime)
           .within(kNotNegative)
           .or_else("0"),
       Key("checkpoint_interval", Form::number, "time between two checkpoints; 0: not by time",
           "60")
           .in(kWallTime)
           .within(kNotNegative)
           .or_else("60"),
       Key("checkpoint_every", Form::integer, "steps between two checkpoints; 0: not by steps",
           "1000")
           .within(kNotNegative)
           .or_else("0")}};
  return table;
}

}  // namespace

bool Range::contains(double number) const {
  const bool above = low_is_allowed ? number >= low : number > low;
  const bool below = high_is_allowed ? number <= high : number < high;
  return above && below;
}

std::string Range::text() const {
  const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
  if (!has_low && !has_high) return "";
  std::string from = fmt::format("{} {:g}", low_is_allowed ? ">=" : ">", low);
  const std::string to = fmt::format("{} {:g}", high_is_allowed ? "<=" : "<", high);
  if (!has_high) return from;
  return has_low ? from + " and " + to : to;
}

bool KeySpec::is_for(const std::string& type) const {
  return types.empty() || std::find(types.begin(), types.end(), type) != types.end();
}

const KeySpec* TableSpec::find(const std::string& key, const std::string& type) const {
  for (const KeySpec& spec : keys)
    if (spec.key == key && spec.is_for(type)) return &spec;
  return nullptr;
}

const KeySpec* TableSpec::find_any(const std::string& key) const {
  for (const KeySpec& spec : keys)
    if (spec.key == key) return &spec;
  return nullptr;
}

const TableSpec& model_grammar() {
  static const TableSpec table{
      "model",
      "The top level of the file.",
      {Key("solidyn", Form::integer, "version of the file format: 1", "1")
           .within({1.0, 1.0, true, true})
           .needed(),
       Key("title", Form::text, "one line for reports and plots", "flexible slider-crank"),
       Key("units", Form::table, "units of the numbers in the file", "SI")
           .among({"SI"})
           .or_else("SI")
           .holds(units_table()),
       Key("gravity", Form::vector, "acceleration of free fall, world", "[0, 0, -9.81]")
           .in(kAcceleration)
           .or_else("[0, 0, 0]"),
       Key("materials", Form::named_tables, "named materials",
           "{steel: {youngs_modulus: 2.1e11, poissons_ratio: 0.3, density: 7850}}")
           .holds(material_table()),
       Key("bodies", Form::named_tables, "named bodies; `ground` is there without being named",
           "{crank: {type: rigid, mass: 0.1}}")
           .holds(body_table())
           .needed(),
       Key("joints", Form::named_tables, "named joints and drives",
           "{bearing: {type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}}")
           .holds(joint_table()),
       Key("loads", Form::named_tables, "named loads",
           "{tip: {type: force, at: beam.tip, force: [0, 0, -100]}}")
           .holds(load_table()),
       Key("contacts", Form::named_tables, "named contacts and joints with clearance",
           "{floor: {between: [ground, ball], first: {shape: plane, axis: [0, 0, 1]}, second: "
           "{shape: sphere, radius: 0.02}, law: {type: hertz, stiffness: 1e9}}}")
           .holds(contact_table()),
       Key("forces", Form::named_tables, "named forces that depend on the motion",
           "{strut: {type: spring_damper, between: [chassis, wheel], stiffness: 2e4}}")
           .holds(force_table()),
       Key("supports", Form::named_tables, "named supports",
           "{clamp: {body: beam, nodes: {in_set: root}, fix: [x, y, z]}}")
           .holds(support_table()),
       Key("sensors", Form::named_tables, "what history.csv records",
           "{pin: {type: position, of: crank}}")
           .holds(sensor_table()),
       Key("analyses", Form::list, "what to compute, in order",
           "[{dynamics: {duration: 0.1, step: 1e-5}}]")
           .holds(analysis_table())
           .needed(),
       Key("solver", Form::table, "linear solvers", "{preset: direct}").holds(solver_table()),
       Key("output", Form::table, "what is written, and when", "{history_every: 10}")
           .holds(output_table())}};
  return table;
}

const TableSpec& time_function_grammar() { return time_table(); }

std::vector<const TableSpec*> all_tables() {
  return {&model_grammar(),
          &units_table(),
          &material_table(),
          &body_table(),
          &pose_table(),
          &rotation_table(),
          &velocity_table(),
          &frame_table(),
          &interface_table(),
          &nodes_table(),
          &box_table(),
          &cylinder_table(),
          &modes_of_body_table(),
          &static_load_table(),
          &stress_table(),
          &import_table(),
          &damping_table(),
          &rayleigh_table(),
          &joint_table(),
          &coupling_term_table(),
          &load_table(),
          &contact_table(),
          &contact_shape_table(),
          &contact_law_table(),
          &contact_friction_table(),
          &force_table(),
          &curve_table(),
          &slide_table(),
          &turn_table(),
          &slide_spring_table(),
          &turn_spring_table(),
          &slide_damper_table(),
          &turn_damper_table(),
          &slide_limits_table(),
          &turn_limits_table(),
          &friction_table(),
          &support_table(),
          &time_table(),
          &sensor_table(),
          &analysis_table(),
          &dynamics_table(),
          &stop_table(),
          &adaptive_table(),
          &baumgarte_table(),
          &kinematics_table(),
          &statics_table(),
          &modes_table(),
          &linearise_table(),
          &frequency_response_table(),
          &solver_table(),
          &output_table()};
}

}  // namespace solidyn::model
