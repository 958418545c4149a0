#include "model/language/key.h"

namespace solidyn::model {
namespace {

const Quantity kForcePerLength{"N/m", -1, 0, 0, 0, 1};
const Quantity kTorquePerLength{"N m/m", 0, 0, 0, 0, 1};

std::vector<KeySpec> along_beams() {
  const Words distributed = {"distributed"};
  return {
      Key("body", Form::reference, "the beam", "mast").needed().of(distributed),
      Key("between", Form::references,
          "two points of the beam between which the load acts; by default all of it", "[foot, top]")
          .sized(2)
          .of(distributed),
      Key("factors", Form::points,
          "how the load varies: points [fraction of the length, factor] from 0 to 1, between "
          "which the factor is linear",
          "[[0, 1], [0.5, 0.2], [1, 0]]")
          .of(distributed),
      Key("force", Form::time_vector, "force per undeformed length", "[0, \"-200*t\", 0]")
          .in(kForcePerLength)
          .of(distributed),
      Key("torque", Form::time_vector, "torque per undeformed length", "[\"5*t\", 0, 0]")
          .in(kTorquePerLength)
          .of(distributed),
      Key("axes", Form::word,
          "axes of the components: of the `world`, or of the beam's sections, which they follow "
          "(`section`: x along the beam, y and z as of `section`)",
          "section")
          .among({"world", "section"})
          .or_else("world")
          .of(distributed)};
}

TableSpec with_keys(TableSpec table, const std::vector<KeySpec>& keys) {
  table.keys.insert(table.keys.end(), keys.begin(), keys.end());
  return table;
}

}  // namespace

const TableSpec& load_table() {
  static const Words on_nodes = {"pressure", "traction", "nodal_force"};
  static const TableSpec table = with_keys(
      {"load",
       "A load: on a place of any body (`force`), on nodes and outer faces of a flexible body "
       "(types `modal`, `floating_frame`, `corotational` and `inertial`), or along a beam "
       "(`distributed`). In statics the functions' time is the load parameter, from 0 to 1.",
       {Key("type", Form::word,
            "`force` (force and torque on a place), `pressure` (against the outward normal), "
            "`traction` (force per undeformed area), `nodal_force` (on each node), `distributed` "
            "(per length of a beam)",
            "force")
            .among({"force", "pressure", "traction", "nodal_force", "distributed"})
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
            "axes of the components: of the `world`, or of the place or body, which they "
            "follow (`body`); nodes in absolute coordinates have no axes to follow",
            "body")
            .among({"world", "body"})
            .or_else("world")
            .of({"force", "traction", "nodal_force"}),
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
            "area and normal: of the undeformed body (`reference`), which turns with the frame of "
            "a "
            "`modal` or `floating_frame` body and stays as it is placed of other types, or of the "
            "deformed one (`deformed`, a follower load; not of `modal` and `floating_frame` "
            "bodies)",
            "deformed")
            .among({"reference", "deformed"})
            .or_else("reference")
            .of({"pressure"}),
        Key("traction", Form::time_vector, "force per area", "[0, 0, \"1e5*t\"]")
            .in(kPressure)
            .needed()
            .of({"traction"}),
        Key("force", Form::time_vector, "force on each node", "[0, 0, -10]")
            .in(kForce)
            .needed()
            .of({"nodal_force"})},
       "type"},
      along_beams());
  return table;
}

const TableSpec& support_table() {
  static const TableSpec table{
      "support",
      "Nodes of a body whose displacements are prescribed along axes that stand still (types "
      "`modal`, `rigid` with a mesh, `corotational`, `inertial`; `superelement` along all three). "
      "Bodies of the other types are held by joints.",
      {Key("body", Form::reference, "the body", "beam").needed(),
       Key("nodes", Form::table, "which nodes", "{in_set: root}").holds(nodes_table()).needed(),
       Key("fix", Form::words, "the components that are prescribed", "[x, y, z]")
           .among({"x", "y", "z"})
           .needed(),
       Key("axes", Form::word,
           "axes of `fix` and `displacement`: of the `world`, or those of the `body` as it is "
           "placed; they do not turn with it",
           "body")
           .among({"world", "body"})
           .or_else("world"),
       Key("rotation", Form::table, "that turns these axes into others, for skew directions",
           "{axis: [0, 0, 1], angle: 0.52}")
           .holds(rotation_table()),
       Key("displacement", Form::time_vector,
           "where the nodes are moved to, from where the body is placed; not of `superelement` "
           "bodies",
           "[0, 0, \"0.01*t\"]")
           .in(kLength)
           .or_else("[0, 0, 0]")}};
  return table;
}

std::vector<KeySpec> table_keys(const KeySpec& points, const char* interpolation) {
  return {points,
          Key("file", Form::path,
              "a text file with a point in each line, columns apart by commas, semicolons or "
              "blanks, in the units of this file; a first line may name them. Lines that begin "
              "with # are passed over, but for `# units:`, as in history.csv, which says SI",
              "motion.csv"),
          Key("column", Form::text,
              "the column of the file with the values, by its name; needed where there are more "
              "than two",
              "tau1")
              .with("file"),
          Key("against", Form::text,
              "the column of the file that they are against; by default the first", "angle")
              .with("file"),
          Key("interpolation", Form::word,
              "`linear` (held constant outside the table), `cubic` (a spline, continued straight) "
              "or `akima` (does not overshoot next to steps; continued straight)",
              "akima")
              .among({"linear", "cubic", "akima"})
              .or_else(interpolation),
          Key("ends", Form::word,
              "of `cubic`: `natural` (no curvature at the first and last point, which bends the "
              "curve there), `not_a_knot` (a cubic through the last four points) or `clamped` "
              "(`end_slopes`); of any: `periodic` (the table repeats; its last value is its first)",
              "not_a_knot")
              .among({"natural", "not_a_knot", "clamped", "periodic"})
              .or_else("natural"),
          Key("end_slopes", Form::vector, "slopes at the first and last point", "[0, 0]")
              .sized(2)
              .or_else("[0, 0]")
              .with("ends")};
}

const TableSpec& time_table() {
  static const TableSpec table{
      "time function",
      "A function of time by points, or, of forces and actuators, over a sensor. Elsewhere a "
      "number or an expression of t does: `\"150*t\"`, "
      "with "
      "`pi`, the functions of muParser (sin, cos, sqrt, exp, `c ? a : b` ...), `ramp(t, t0, t1)` "
      "and "
      "`smooth_step(t, t0, t1)`, which rise from 0 to 1.",
      [] {
        std::vector<KeySpec> keys =
            table_keys(Key("table", Form::time_table,
                           "the points [t, value], or [value of `of`, value], with increasing "
                           "first numbers",
                           "[[0, 0], [0.5, 1.2], [1, 3]]"),
                       "cubic");
        keys.push_back(
            Key("of", Form::reference,
                "of a force and of an actuator: the sensor of the motion that the table is over, "
                "by its name in history.csv, in place of t",
                "crank_angle"));
        return keys;
      }(),
      "",
      false,
      {"table", "file"}};
  return table;
}

}  // namespace solidyn::model
