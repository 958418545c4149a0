#include "model/forces/expression.h"

#include <fmt/format.h>

#include <variant>

#include "model/forces/over_sensors.h"
#include "solidyn/forces/expression_force.h"

namespace solidyn::model {
namespace {

using Table = FormulaReader::Table;
using Read = std::optional<std::variant<math::Expression, Table>>;

template <class T>
Read as_read(std::optional<T> value) {
  return value ? Read(std::move(*value)) : Read();
}

void read_vector(const TableView& view, const std::string& key, double unit, const char* si,
                 FormulaReader& reader, std::array<Read, 6>& components, int first) {
  if (!view.is_good(key)) return;
  const std::vector<Value>& items = view.find(key)->items;
  for (int i = 0; i < 3; ++i) {
    const Value& item = items[i];
    if (const auto number = as_number(item); number && *number == 0.0) continue;
    const std::string path = fmt::format("component {} of {}", i + 1, view.path(key));
    if (item.kind == Value::Kind::map)
      components[first + i] = as_read(reader.read_table(
          TableView(item, time_function_grammar(), path, item.where, view.context()), unit, si));
    else
      components[first + i] = as_read(reader.read(item.text, path, item.where));
  }
}

/// Of t and the variables in `d`, in the file's units as they are.
math::FunctionOfVariables of_used(const Read& read, const FormulaReader& reader,
                                  const ExpressionEntry& d, double y_scale) {
  if (const auto* formula = std::get_if<math::Expression>(&*read)) return reader.of_used(*formula);
  const Table& table = std::get<Table>(*read);
  const int index = reader.index_of_used(table);
  const double x_scale = index == 0 ? d.t_scale : d.variables[index - 1].scale;
  return math::FunctionOfVariables::Over{table.curve, index, table.name, x_scale, y_scale};
}

// Force and torque together: they share their variables.
void read_formulas(ExpressionEntry& d, const TableView& view, const Scope& scope) {
  const Units& units = view.context().units;
  d.t_scale = units.time;
  d.force_scale = units.force;
  d.torque_scale = units.force * units.length;
  FormulaReader reader(view, scope.model.sensors, rejection_by_force);
  std::array<Read, 6> components;
  read_vector(view, "force", d.force_scale, "N", reader, components, 0);
  read_vector(view, "torque", d.torque_scale, "N m", reader, components, 3);
  d.variables = reader.used();
  for (int i = 0; i < 6; ++i)
    if (components[i])
      d.components[i] = of_used(components[i], reader, d, i < 3 ? d.force_scale : d.torque_scale);
}

}  // namespace

const Fields<ExpressionEntry>& ExpressionEntry::fields() {
  using Self = ExpressionEntry;
  static const Choice<bool> axes = {{"world", false}, {"body", true}};
  static const Fields<Self> list = {
      read_by<Self>(
          Key("at", Form::reference,
              "the place: `body` (its origin; rigid bodies), `body.frame`, `body.interface` or `body.point`",
              "ball")
              .needed(),
          [](Self& entry, const TableView& view, const Scope& scope) {
            const Turns turns = view.has("torque") ? Turns::yes : Turns::no;
            read_force_place(view, "at", false, turns, scope, entry.at);
          }),
      read_by<Self>(
          Key("reaction_on", Form::reference,
              "the place whose body takes the reaction, at the same point in space; by default the ground",
              "cart"),
          [](Self& entry, const TableView& view, const Scope& scope) {
            read_force_place(view, "reaction_on", true, Turns::yes, scope, entry.reaction_on);
          }),
      read_by<Self>(
          Key("force", Form::expressions,
              "components of the force: expressions of `t` and of sensors of the motion by their names in history.csv (`tip.x`), in the units of the file, or tables: {table: [...], of: tip.x}",
              "[0, 0, \"-2e4*tip.z - 30*tip_rate.z\"]"),
          read_formulas),
      read_elsewhere<Self>(Key("torque", Form::expressions, "components of the torque",
                               "[0, \"-5*hinge_angle\", 0]")),
      field(
          Key("axes", Form::word,
              "axes of the components: of the `world`, or of the place (`body`), following its rotation",
              "body")
              .or_default(),
          axes, &Self::is_in_body_axes)};
  return list;
}

void ExpressionEntry::check(const TableView& view, const Scope&) const {
  if (!reaction_on.body.empty() && reaction_on.body == at.body)
    view.report().error(
        view.where("reaction_on"),
        fmt::format("{} is on the body on which the force acts, so that both cancel",
                    view.path("reaction_on")),
        "give another body, or remove it: then the ground takes the reaction");
  if (!view.has_any({"force", "torque"}))
    view.report().error(view.where(), fmt::format("{} has neither force nor torque", view.path()),
                        "give one, for example  force: [0, 0, \"-2e4*tip.z\"]");
}

std::unique_ptr<forces::Force> ExpressionEntry::build(const Builder& builder) const {
  const bodies::FrameLink link = add_own_frames(*this, {reaction_on, at}, builder);
  forces::ExpressionForce::Options options;
  options.components = components;
  options.t_scale = t_scale;
  options.force_scale = force_scale;
  options.torque_scale = torque_scale;
  options.is_in_body_axes = is_in_body_axes;
  for (const SensorVariable& variable : variables) {
    options.measures.push_back(make_measure(variable, builder));
    options.measure_scale.push_back(variable.scale);
  }
  return std::make_unique<forces::ExpressionForce>(name, link, std::move(options),
                                                   layout_of(builder.built.system));
}

ForceType expression_row() { return ExpressionEntry::row("expression", "formulas of sensors"); }

}  // namespace solidyn::model
