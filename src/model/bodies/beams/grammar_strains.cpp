#include "model/bodies/beams/beam_grammar.h"

namespace solidyn::model {
namespace {

const Quantity kStrain{"1", 0, 0, 0, 0, 0};
const Quantity kTwistPerLength{"rad/m", -1, 0, 0, 1, 0};
const Quantity kCurvatureOfLine{"1/m", -1, 0, 0, 0, 0};

TableSpec strain_table(const char* name, const char* meaning) {
  return {name,
          meaning,
          {Key("stretch", Form::time_function, "relative change of length", "\"1.2e-5*80*t\"")
               .in(kStrain),
           Key("twist", Form::time_function, "turn per length about the beam", "0.1")
               .in(kTwistPerLength),
           Key("curvature_y", Form::time_function, "turn per length about the sections' y", "0.2")
               .in(kCurvatureOfLine),
           Key("curvature_z", Form::time_function, "turn per length about the sections' z",
               "\"0.5*sin(t)\"")
               .in(kCurvatureOfLine)}};
}

}  // namespace

const TableSpec& prestrain_table() {
  static const TableSpec table = strain_table(
      "prestrain",
      "Strains that a beam takes by itself, beyond those as drawn, numbers or functions of time: "
      "by "
      "heat, by an actuator, by growing. The beam has no stress where it has these strains. In "
      "statics their time is the load parameter.");
  return table;
}

const TableSpec& driven_strains_table() {
  static const TableSpec table = strain_table(
      "driven strains",
      "Strains that a beam has whatever force that takes, beyond those as drawn, numbers or "
      "functions of time. In statics their time is the load parameter.");
  return table;
}

const TableSpec& prestress_table() {
  static const auto part = [](const char* key, const char* meaning, const char* example,
                              const Quantity& quantity) {
    return Key(key, Form::number, meaning, example).in(quantity).or_else("0");
  };
  static const TableSpec table{
      "prestress",
      "What a beam carries as drawn, without any load: the same in all sections, in their axes.",
      {part("axial", "force, tension positive", "80", kForce),
       part("torsion", "torque about the beam", "2", kTorque),
       part("bending_y", "moment about y", "2", kTorque),
       part("bending_z", "moment about z", "2", kTorque)}};
  return table;
}

TableSpec with_strain_keys(TableSpec table, const Words& types) {
  const std::vector<KeySpec> keys = {
      Key("prestress", Form::table, "forces and moments of the beam as drawn", "{axial: 80}")
          .holds(prestress_table())
          .of(types),
      Key("prestrain", Form::table, "strains without stress, such as those of heat",
          "{stretch: \"1.2e-5*80*t\"}")
          .holds(prestrain_table())
          .of(types),
      Key("fixed_strains", Form::words,
          "strains that nothing changes: a beam without stretch, without torsion ...; `[]` frees a "
          "group of lines from those of its body",
          "[stretch]")
          .among({"stretch", "twist", "curvature_y", "curvature_z"})
          .or_else("[]")
          .of(types),
      Key("driven_strains", Form::table, "strains that are given functions of time",
          "{curvature_z: \"0.5*sin(t)\"}")
          .holds(driven_strains_table())
          .of(types)};
  table.keys.insert(table.keys.end(), keys.begin(), keys.end());
  return table;
}

}  // namespace solidyn::model
