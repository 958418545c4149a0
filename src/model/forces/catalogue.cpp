#include "model/forces/catalogue.h"

#include "model/language/type_table.h"

namespace solidyn::model {

// Each in the file of its name.
ForceType spring_damper_row();
ForceType torsional_spring_damper_row();
ForceType series_spring_damper_row();
ForceType bump_stop_row();
ForceType anti_roll_bar_row();
ForceType bushing_row();
ForceType drag_row();
ForceType expression_row();
ForceType tabulated_row();
ForceType wheel_rail_row();
ForceType linear_wheel_rail_row();
ForceType plugin_row();

const std::vector<ForceType>& force_catalogue() {
  // A line for each, so that two additions do not meet in one.
  // clang-format off
  static const std::vector<ForceType> catalogue = {
      spring_damper_row(),
      torsional_spring_damper_row(),
      series_spring_damper_row(),
      bump_stop_row(),
      anti_roll_bar_row(),
      bushing_row(),
      drag_row(),
      expression_row(),
      tabulated_row(),
      wheel_rail_row(),
      linear_wheel_rail_row(),
      plugin_row(),
  };
  // clang-format on
  return catalogue;
}

const ForceType* find_force_type(const std::string& word) {
  return find_row(force_catalogue(), word);
}

const TableSpec& curve_table() {
  static const TableSpec table{
      "curve",
      "A force by two or more points.",
      table_keys(Key("table", Form::points, "the points [x, force], with increasing x",
                     "[[-0.1, -900], [0, 0], [0.1, 300]]"),
                 "linear"),
      "",
      false,
      {"table", "file"}};
  return table;
}

const TableSpec& force_table() {
  static const TableSpec table = table_of_types(
      "force",
      "A force that depends on the motion, between two places of any bodies: `ground`, `body` (rigid bodies), `body.frame`, `body.interface` or `body.point`. doc/forces.md has the formulas. Forces that are prescribed functions of time are `loads`.",
      force_catalogue(), {});
  return table;
}

std::vector<std::shared_ptr<const ForceEntry>> read_forces(const TableView& file,
                                                           const Scope& scope) {
  std::vector<std::shared_ptr<const ForceEntry>> forces;
  for (const auto& [name, view] : file.tables("forces")) {
    const ForceType* type = find_force_type(view.type());
    if (!type) continue;  // the grammar has complained
    const std::shared_ptr<ForceEntry> force = type->read(view, scope);
    force->name = name;
    force->type = type->word;
    force->where = view.where();
    forces.push_back(force);
  }
  return forces;
}

void add_force(const ForceEntry& force, const Builder& builder) {
  builder.built.forces[force.name] = {builder.built.system.add_force(force.build(builder))};
}

}  // namespace solidyn::model
