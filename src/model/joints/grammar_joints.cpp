#include <algorithm>

#include "model/language/key.h"

namespace solidyn::model {
namespace {

const Words kTypes = {"fixed",
                      "spherical",
                      "revolute",
                      "cylindrical",
                      "prismatic",
                      "planar",
                      "universal",
                      "constant_velocity",
                      "screw",
                      "point_on_line",
                      "in_line",
                      "point_on_plane",
                      "in_plane",
                      "parallel_axes",
                      "parallel",
                      "perpendicular_axes",
                      "perpendicular",
                      "orientation",
                      "distance",
                      "rolling",
                      "gear",
                      "rack_and_pinion",
                      "coupler",
                      "rotation_drive",
                      "translation_drive",
                      "distance_drive",
                      "point_path"};
const Words kShafts = {"universal", "constant_velocity"};
const Words kPerpendicular = {"perpendicular_axes", "perpendicular"};
const Words kDrivesOfJoints = {"rotation_drive", "translation_drive"};

Words without(Words words, const Words& left_out) {
  for (const std::string& word : left_out)
    words.erase(std::remove(words.begin(), words.end(), word), words.end());
  return words;
}

const Words kBetweenPlaces =
    without(kTypes, {"gear", "rack_and_pinion", "coupler", "rotation_drive", "translation_drive"});
const Words kWithPoint =
    without(kTypes, {"gear", "rack_and_pinion", "coupler", "parallel_axes", "parallel",
                     "perpendicular_axes", "perpendicular", "orientation"});
const Words kWithAxis = {"revolute", "cylindrical", "prismatic",     "planar",
                         "screw",    "in_line",     "point_on_line", "parallel_axes",
                         "parallel", "in_plane",    "point_on_plane"};

KeySpec law(const char* key, Form form, const Quantity& quantity, const char* type,
            const char* meaning, const char* example) {
  return Key(key, form, meaning, example).in(quantity).of({type});
}

}  // namespace

const TableSpec& cam_table() {
  static const TableSpec table{
      "cam",
      "A function of a joint's coordinate by points, with continuous slopes: accelerations are "
      "those that it says.",
      [] {
        std::vector<KeySpec> keys = table_keys(
            Key("table", Form::points,
                "the points [coordinate, value]; the value in the unit of the coupler's first term",
                "[[0, 0], [3, 0.02], [6.283185307179586, 0]]"),
            "cubic");
        for (KeySpec& key : keys)
          if (key.key == "interpolation") key.words = {"cubic", "akima"};
        return keys;
      }(),
      "",
      false,
      {"table", "file"}};
  return table;
}

const TableSpec& coupling_term_table() {
  static const TableSpec table{
      "coupling term",
      "One term of a coupler: a factor times a coordinate of a joint, or a function of it.",
      {Key("joint", Form::reference, "the joint", "lift").needed(),
       Key("coordinate", Form::word,
           "`angle` about or `translation` along the joint's axis; by default the one that the "
           "joint "
           "has",
           "angle")
           .among({"angle", "translation"}),
       Key("factor", Form::number, "for the coordinate in the file's units", "-0.5")
           .needed()
           .unless("by"),
       Key("by", Form::table,
           "in place of `factor`: the term by points over the coordinate, as of a cam",
           "{table: [[0, 0], [3, 0.02], [6.283185307179586, 0]], ends: periodic}")
           .holds(cam_table())}};
  return table;
}

const TableSpec& joint_table() {
  static const TableSpec table = with_joint_forces(
      {"joint",
       "A joint between two places: `ground`, `body` (its origin; rigid bodies), `body.interface` "
       "or `body.frame`; or a coupling between the coordinates of joints, or a drive. World "
       "coordinates are those at t = 0, where all coordinates of joints are zero.",
       {Key("type", Form::word,
            "what the joint leaves free or prescribes ([the catalogue](joints.md)). `in_line`, "
            "`in_plane`, `parallel` and `perpendicular` are other words for `point_on_line`, "
            "`point_on_plane`, `parallel_axes` and `perpendicular_axes`",
            "revolute")
            .among(kTypes)
            .needed(),
        Key("between", Form::references,
            "the two places; a line, a plane or the axes of a path are those of the first",
            "[ground, crank]")
            .sized(2)
            .needed()
            .of(kBetweenPlaces),
        Key("between", Form::references, "the two places of a drive that is its own joint",
            "[ground, crank]")
            .sized(2)
            .of(kDrivesOfJoints),
        Key("at", Form::vector,
            "the joint's point, world; by default the origin of the interface or frame it names, "
            "of two each its own. "
            "`distance`, `distance_drive`: the point on the first place, by default its origin; "
            "`rolling` (the "
            "disc's "
            "centre) and `point_path`: the point on the second place, by default its origin",
            "[0, 0, 0]")
            .in(kLength)
            .of(kWithPoint),
        Key("to", Form::vector,
            "world: the point on the second place; by default the place's origin", "[0, 0, 1]")
            .in(kLength)
            .of({"distance", "distance_drive"}),
        Key("axis", Form::direction,
            "world: the axis to turn about (revolute, cylindrical, screw), to slide along "
            "(cylindrical, prismatic, point_on_line), the plane's normal (planar, point_on_plane), "
            "the direction that stays parallel (parallel_axes); between two interfaces or frames "
            "by "
            "default the z axis of each",
            "[0, 0, 1]")
            .of(kWithAxis),
        Key("axis", Form::direction, "world: the disc's axis", "[0, 1, 0]")
            .needed()
            .of({"rolling"}),
        Key("axis", Form::direction, "world: the direction fixed in the first place", "[0, 0, 1]")
            .needed()
            .of(kPerpendicular),
        Key("axis", Form::direction, "world: the shaft on the first place", "[1, 0, 0]")
            .needed()
            .of(kShafts),
        Key("axis", Form::direction, "world: the axis to turn about or to slide along", "[0, 0, 1]")
            .of(kDrivesOfJoints),
        Key("second_axis", Form::direction,
            "world: the direction fixed in the second place, normal to `axis`", "[1, 0, 0]")
            .needed()
            .of(kPerpendicular),
        Key("second_axis", Form::direction,
            "world: the shaft on the second place; by default in line with the first", "[1, 1, 0]")
            .of(kShafts),
        Key("reference", Form::direction,
            "world: a second direction, where angles are zero; of a universal joint the arm of the "
            "cross on the first place",
            "[1, 0, 0]")
            .of(without(kTypes, {"fixed", "spherical", "orientation", "gear", "rack_and_pinion",
                                 "coupler", "perpendicular_axes", "perpendicular", "distance",
                                 "distance_drive", "point_path"})),
        Key("share", Form::word,
            "whether interfaces of superelements that the joint holds become one node, which needs "
            "no constraint; joints that a sensor reads keep it",
            "false")
            .among({"true", "false"})
            .or_else("true")
            .of({"fixed"}),
        Key("pitch", Form::number,
            "advance of the second place along the axis per turn; a negative one is left-handed",
            "0.002")
            .in(kLength)
            .needed()
            .of({"screw"}),
        Key("length", Form::number, "length of the rod; by default the distance as drawn", "0.3")
            .in(kLength)
            .within(kPositive)
            .of({"distance"}),
        Key("radius", Form::number, "of the disc", "0.25")
            .in(kLength)
            .within(kPositive)
            .needed()
            .of({"rolling"}),
        Key("normal", Form::direction,
            "world: the plane's normal, towards the disc; the plane is fixed in the first place",
            "[0, 0, 1]")
            .or_else("[0, 0, 1]")
            .of({"rolling"}),
        Key("plane_at", Form::vector,
            "world: a point of the plane; by default the plane that the disc touches as drawn",
            "[0, 0, 0]")
            .in(kLength)
            .of({"rolling"}),
        Key("joints", Form::references, "the two revolute joints whose angles are coupled",
            "[input, output]")
            .sized(2)
            .needed()
            .of({"gear"}),
        Key("ratio", Form::number,
            "angle of the second joint over that of the first: for outer teeth minus the teeth of "
            "the first over those of the second, for a ring gear plus",
            "-0.5")
            .needed()
            .of({"gear"}),
        Key("joints", Form::references,
            "the joint about which the pinion turns, and that along which the rack slides",
            "[pinion, rack]")
            .sized(2)
            .needed()
            .of({"rack_and_pinion"}),
        Key("radius", Form::number,
            "of the pinion: the rack advances by radius times angle, or recedes where it is "
            "negative",
            "0.05")
            .in(kLength)
            .needed()
            .of({"rack_and_pinion"}),
        Key("terms", Form::list, "the terms, whose sum is `constant`",
            "[{joint: lift, factor: 1}, {joint: winch, factor: -0.1}]")
            .holds(coupling_term_table())
            .needed()
            .of({"coupler"}),
        Key("constant", Form::number, "the sum of the terms, with coordinates in the file's units",
            "0")
            .or_else("0")
            .of({"coupler"}),
        Key("joint", Form::reference, "the joint to drive, instead of `between` and `axis`",
            "main_bearing")
            .of(kDrivesOfJoints),
        law("angle", Form::time_function, kAngle, "rotation_drive",
            "angle of the second place relative to the first, right-handed about the axis",
            "\"150*t\""),
        law("angular_velocity", Form::time_function, kAngularVelocity, "rotation_drive",
            "its rate, instead of `angle`; the angle starts where the mechanism is drawn", "150"),
        law("angular_acceleration", Form::time_function, kAngularAcceleration, "rotation_drive",
            "its second rate, instead of `angle`", "\"10*sin(t)\""),
        law("translation", Form::time_function, kLength, "translation_drive",
            "how far the second place is along the axis from where it is drawn", "\"0.1*t\""),
        law("velocity", Form::time_function, kVelocity, "translation_drive",
            "its rate, instead of `translation`; the translation starts where it is drawn", "0.1"),
        law("acceleration", Form::time_function, kAcceleration, "translation_drive",
            "its second rate, instead of `translation`", "\"0.1*sin(t)\""),
        law("length", Form::time_function, kLength, "distance_drive",
            "distance between the two points, as of a bar whose length is given",
            "\"0.5 + 0.1*t\""),
        law("velocity", Form::time_function, kVelocity, "distance_drive",
            "its rate, instead of `length`; the length starts as drawn", "0.1"),
        law("acceleration", Form::time_function, kAcceleration, "distance_drive",
            "its second rate, instead of `length`", "\"0.1*sin(t)\""),
        law("position", Form::time_vector, kLength, "point_path",
            "where the point is, from the origin and in the axes of the first place",
            "[\"cos(t)\", \"sin(t)\", 0]"),
        law("velocity", Form::time_vector, kVelocity, "point_path",
            "rate of these components, instead of `position`; the point starts where it is drawn",
            "[1, 0, 0]"),
        law("acceleration", Form::time_vector, kAcceleration, "point_path",
            "second rate of these components, instead of `position`; the point starts where it is "
            "drawn, at rest",
            "[\"sin(t)\", 0, 0]"),
        Key("fix", Form::words, "the components that are prescribed; by default all", "[x, y]")
            .among({"x", "y", "z"})
            .of({"point_path"}),
        Key("start", Form::number, "angle at t = 0; of a law for the acceleration", "0")
            .in(kAngle)
            .or_else("0")
            .of({"rotation_drive"}),
        Key("start", Form::number, "translation at t = 0; of a law for the acceleration", "0")
            .in(kLength)
            .or_else("0")
            .of({"translation_drive"}),
        Key("start_rate", Form::number, "angular velocity at t = 0; of a law for the acceleration",
            "0")
            .in(kAngularVelocity)
            .or_else("0")
            .of({"rotation_drive"}),
        Key("start", Form::number,
            "length at t = 0, by default as drawn; of a law for the acceleration", "0.5")
            .in(kLength)
            .within(kPositive)
            .of({"distance_drive"}),
        Key("start_rate", Form::number, "velocity at t = 0; of a law for the acceleration", "0")
            .in(kVelocity)
            .or_else("0")
            .of({"translation_drive", "distance_drive"})},
       "type"});
  return table;
}

}  // namespace solidyn::model
