#include "solidyn/model/units.h"

#include <cmath>

#include "model/language/field.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

// SI per unit.
const Choice<double> kLengths = {{"m", 1.0},   {"dm", 0.1},    {"cm", 0.01},  {"mm", 1e-3},
                                 {"um", 1e-6}, {"in", 0.0254}, {"ft", 0.3048}};
const Choice<double> kMasses = {{"kg", 1.0}, {"t", 1000.0}, {"g", 1e-3}, {"lb", 0.45359237}};
const Choice<double> kTimes = {{"s", 1.0}, {"ms", 1e-3}};
const Choice<double> kAngles = {{"rad", 1.0}, {"deg", M_PI / 180.0}};
const Choice<double> kForces = {{"N", 1.0}, {"kN", 1e3}, {"MN", 1e6}, {"lbf", 4.4482216152605}};

const Fields<Units>& unit_fields() {
  static const Fields<Units> fields = {
      field(Key("length", Form::word, "unit of length", "mm").or_default(), kLengths,
            &Units::length),
      field(Key("mass", Form::word, "unit of mass (t is the tonne, 1000 kg)", "kg").or_default(),
            kMasses, &Units::mass),
      field(Key("time", Form::word, "unit of time", "s").or_default(), kTimes, &Units::time),
      field(Key("angle", Form::word, "unit of angle", "deg").or_default(), kAngles, &Units::angle),
      field(
          Key("force", Form::word,
              "unit of force, for `youngs_modulus` (force per length squared); by default mass times length over time squared",
              "N"),
          kForces, &Units::force)};
  return fields;
}

}  // namespace

double Units::scale(const Quantity& q) const {
  return std::pow(length, q.length) * std::pow(mass, q.mass) * std::pow(time, q.time) *
         std::pow(angle, q.angle) * std::pow(force, q.force);
}

std::optional<double> find_length_unit(const std::string& word) {
  for (const auto& [name, metres] : kLengths)
    if (word == name) return metres;
  return {};
}

const TableSpec& units_table() {
  static const TableSpec table{
      "units",
      "The units of all numbers in the file; the default is `units: SI`. Numbers are converted when the file is read. A mesh file has its own length unit, `mesh_units`.",
      keys_of(unit_fields())};
  return table;
}

Units read_units(const TableView& file, const Scope& scope) {
  const TableView view = file.table("units");
  Units units;
  read_fields(unit_fields(), view, scope, units);
  if (!view.is_good("force")) units.force = units.mass * units.length / (units.time * units.time);
  return units;
}

}  // namespace solidyn::model
