#include "model/contacts/contact_grammar.h"
#include "model/sensors/sensor_grammar.h"

namespace solidyn::model {
namespace {

const Words kSensorTypes = {"relative_displacement",
                            "position",
                            "velocity",
                            "acceleration",
                            "orientation",
                            "angular_velocity",
                            "angular_acceleration",
                            "joint_angle",
                            "joint_translation",
                            "reaction",
                            "support_force",
                            "energy",
                            "momentum",
                            "multiplier",
                            "stress",
                            "contact",
                            "force",
                            "joint_force",
                            "drive",
                            "section_force",
                            "section_strain",
                            "expression"};
const Words kVectors = {"position", "velocity", "acceleration", "angular_velocity",
                        "angular_acceleration"};
const Words kMotion = {"position",    "velocity",         "acceleration",
                       "orientation", "angular_velocity", "angular_acceleration"};
const Words kAxes = {"x", "y", "z", "magnitude", "all"};

// Of a place, seen from another one.
std::vector<KeySpec> motion_keys() {
  return {
      Key("of", Form::reference,
          "the place: `body`, `body.frame`, `body.interface` or `body.point`", "rod.big_end")
          .needed()
          .of(kMotion),
      Key("relative_to", Form::reference,
          "the place to measure from, and in whose axes; by default the world", "crank")
          .of(kMotion),
      Key("axes_of", Form::reference,
          "the place along whose axes the components are (`ground`: the world's), where they are "
          "not to be those of `relative_to`",
          "crank")
          .of(kVectors),
      Key("component", Form::word, "`all` means x, y and z", "x")
          .among(kAxes)
          .or_else("all")
          .of({"position", "velocity", "acceleration", "angular_velocity", "angular_acceleration",
               "momentum"}),
      Key("as", Form::word,
          "`rotation_vector`, `quaternion`, or three angles about axes of the turning place: "
          "Cardan "
          "angles `xyz` (x, then the turned y, then the turned z) ..., Euler angles `zxz` ...",
          "quaternion")
          .among({"rotation_vector", "quaternion", "xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx",
                  "xzx", "yxy", "yzy", "zxz", "zyz"})
          .or_else("rotation_vector")
          .of({"orientation"}),
      Key("component", Form::word,
          "x, y, z and magnitude of a rotation vector; w, x, y, z of a quaternion; `angle_1` ... "
          "of "
          "angles. `all`: each but the magnitude",
          "angle_2")
          .among({"x", "y", "z", "magnitude", "w", "angle_1", "angle_2", "angle_3", "all"})
          .or_else("all")
          .of({"orientation"})};
}

TableSpec make_sensor_table() {
  TableSpec table{
      "sensor",
      "Something to record in `history.csv`, in SI units. A sensor with several components makes "
      "the "
      "columns name.x, name.y ...",
      {Key("type", Form::word, "what is recorded", "position").among(kSensorTypes).needed(),
       Key("component", Form::word, "force of the support on the body, world axes", "x")
           .among(kAxes)
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
       Key("side", Form::word, "the place on which force and torque act", "first")
           .among({"first", "second"})
           .or_else("second")
           .of({"reaction", "force"}),
       Key("axes", Form::word,
           "of force and torque: the world's, or those of the frame on the `first` or `second` "
           "place; of joints its z is the joint's axis ([the catalogue](joints.md))",
           "first")
           .among({"world", "first", "second"})
           .or_else("world")
           .of({"reaction", "force"}),
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
           .of({"joint_angle", "joint_translation", "reaction", "multiplier", "joint_force",
                "drive"}),
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
       Key("arm", Form::word, "of a universal joint: about the arm on its first or second place",
           "second")
           .among({"first", "second"})
           .of({"joint_angle", "joint_force"}),
       Key("along", Form::word,
           "axis of the joint's frame on its first place; planar and point_on_plane joints have x "
           "and y, the others z",
           "x")
           .among({"x", "y", "z"})
           .or_else("z")
           .of({"joint_translation", "joint_force"}),
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
  const auto insert = [&](auto where, const std::vector<KeySpec>& keys) {
    table.keys.insert(where, keys.begin(), keys.end());
  };
  insert(table.keys.begin() + 1, motion_keys());
  insert(table.keys.end(), contact_sensor_keys());
  insert(table.keys.end(), force_sensor_keys());
  insert(table.keys.end(), section_sensor_keys());
  insert(table.keys.end(), expression_sensor_keys());
  return table;
}

}  // namespace

const TableSpec& sensor_table() {
  static const TableSpec table = make_sensor_table();
  return table;
}

}  // namespace solidyn::model
