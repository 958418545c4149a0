#include <fmt/format.h>

#include "model/forces/formula_reader.h"
#include "model/sensors/sensor_formula.h"

namespace solidyn::model {
namespace {

/// A formula of other sensors.
struct ExpressionSensor final : SensorEntryOf<ExpressionSensor> {
  SensorFormula content;

  static const Fields<ExpressionSensor>& fields();
  std::vector<Recorded> recorded() const override {
    return {{"", content.measures.si[0] ? content.measures : kNumber}};
  }
  analyses::Sensor make(const SensorBuilder& builder) const override {
    return make_formula_sensor(*this, builder);
  }
  const SensorFormula* formula() const override { return &content; }
  void read_formula(const TableView& view, const SensorEntries& all) override;
};

/// What a formula may give, by the words of the key `measures`.
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

Words words_of_quantities() {
  Words words;
  for (const auto& [word, quantity] : quantities_by_word()) words.push_back(word);
  return words;
}

void read_measures(ExpressionSensor& entry, const TableView& view, const Scope&) {
  const Units& units = view.context().units;
  for (const auto& [word, quantity] : quantities_by_word())
    if (word == view.text("measures")) entry.content.measures = quantity;
  entry.content.scale = units.scale(entry.content.measures);
  entry.content.t_scale = units.time;
}

const Fields<ExpressionSensor>& ExpressionSensor::fields() {
  using Self = ExpressionSensor;
  static const Fields<Self> list = {
      read_elsewhere<Self>(
          Key("value", Form::text,
              "formula of `t` and of columns of other sensors by their names in history.csv (`tip.x`), in the units of the file",
              "\"sqrt(tip.x^2 + tip.y^2)\"")
              .needed()),
      read_by<Self>(
          Key("measures", Form::word,
              "quantity of the result, which is in the unit of the file; history.csv contains it in SI",
              "length")
              .among(words_of_quantities())
              .or_else("number"),
          read_measures)};
  return list;
}

std::optional<Rejection> rejection_by_formula(const FormulaVariable& variable, const Units& units) {
  if (variable.column.quantity || units.length == 1.0) return {};
  return Rejection{
      fmt::format(
          "`{}` is a multiplier, which may be a force or a torque: their unit conversions differ unless lengths are in metres",
          variable.column.name),
      "use a sensor of type reaction, or write the model in metres"};
}

void ExpressionSensor::read_formula(const TableView& view, const SensorEntries& all) {
  if (!view.is_good("value")) return;
  const Units& units = view.context().units;
  FormulaReader reader(view, all,
                       [&](const FormulaVariable& v) { return rejection_by_formula(v, units); });
  const auto formula = reader.read(view.text("value"), view.path("value"), view.where("value"));
  if (!formula) return;
  content.variables = reader.used();
  content.expression = reader.of_used(*formula);
}

}  // namespace

SensorType expression_sensor_row() { return ExpressionSensor::row("expression"); }

}  // namespace solidyn::model
