#include "model/sensors/sensor_grammar.h"

namespace solidyn::model {

std::vector<KeySpec> force_sensor_keys() {
  return {
      Key("force", Form::reference, "one of `forces`", "strut").needed().of({"force"}),
      Key("component", Form::word,
          "of a spring_damper `length`, `extension` (beyond the free length), its `rate`, and the "
          "tension `force`; of a torsional one `angle`, `extension`, `rate`, and `torque`, which "
          "is "
          "positive where it turns back a positive angle; of a bushing displacement and rotation "
          "vector of the second place from the first, in the axes between them; of each force and "
          "torque on the place `side`, stored energy, and the power that it puts into the system. "
          "`all`: what its type alone has, or force and torque",
          "length")
          .among({"length",     "angle",          "extension",      "rate",           "force",
                  "torque",     "displacement_x", "displacement_y", "displacement_z", "rotation_x",
                  "rotation_y", "rotation_z",     "force_x",        "force_y",        "force_z",
                  "torque_x",   "torque_y",       "torque_z",       "energy",         "power",
                  "all"})
          .or_else("all")
          .of({"force"}),
      Key("part", Form::word,
          "which of the forces within the joint: `spring` (spring, damper and actuator), `limits`, "
          "`friction`, or `all` together",
          "friction")
          .among({"spring", "limits", "friction", "all"})
          .or_else("all")
          .of({"joint_force"}),
      Key("component", Form::word,
          "on the joint's second place: the force along its axis (`along` another one of planar "
          "joints), or the torque about it (of universal joints about an `arm`); needed where the "
          "joint has both",
          "torque")
          .among({"force", "torque"})
          .of({"joint_force"}),
      Key("component", Form::word,
          "force or torque of the drive on its second place, along what it drives; the power that "
          "it "
          "puts into the mechanism; `all`: both",
          "power")
          .among({"force", "torque", "power", "all"})
          .or_else("all")
          .of({"drive"})};
}

std::vector<KeySpec> expression_sensor_keys() {
  std::vector<std::string> words;
  for (const auto& [word, quantity] : quantities_by_word()) words.push_back(word);
  return {
      Key("value", Form::text,
          "formula of `t` and of other sensors' columns by their names in history.csv "
          "(`tip.x`), in the file's units",
          "\"sqrt(tip.x^2 + tip.y^2)\"")
          .needed()
          .of({"expression"}),
      Key("measures", Form::word,
          "what the formula gives, in the file's unit of it: history.csv has it in SI", "length")
          .among(words)
          .or_else("number")
          .of({"expression"})};
}

const std::vector<std::pair<std::string, Quantity>>& quantities_by_word() {
  static const std::vector<std::pair<std::string, Quantity>> quantities = {
      {"number", {}},
      {"length", kLength},
      {"angle", kAngle},
      {"time", kTime},
      {"velocity", kVelocity},
      {"angular_velocity", kAngularVelocity},
      {"acceleration", kAcceleration},
      {"angular_acceleration", kAngularAcceleration},
      {"mass", kMass},
      {"force", kForce},
      {"torque", kTorque},
      {"energy", kEnergy},
      {"power", kPower},
      {"pressure", kPressure},
      {"momentum", kMomentum},
      {"angular_momentum", kAngularMomentum}};
  return quantities;
}

}  // namespace solidyn::model
