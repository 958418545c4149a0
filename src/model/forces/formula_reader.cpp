#include "model/forces/formula_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/language/formula_names.h"
#include "model/language/spelling.h"

namespace solidyn::model {

FormulaReader::FormulaReader(const TableView& view, const SensorEntries& sensors, Judge judge)
    : view_(view),
      judge_(std::move(judge)),
      variables_(formula_variables(sensors)),
      is_used_(variables_.size(), false),
      names_{"t"} {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (!variables_[i].is_nameable) continue;
    nameable_.push_back(i);
    names_.push_back(variables_[i].column.name);
  }
}

bool FormulaReader::may_use(std::size_t variable, const std::string& path,
                            const base::SourceLocation& where) {
  is_used_[variable] = true;
  const auto rejection = judge_(variables_[variable]);
  if (rejection)
    view_.report().error(where, fmt::format("{}: {}", path, rejection->what), rejection->remedy);
  return !rejection;
}

// A sensor may be called as what formulas have, as long as none of them says that name.
bool FormulaReader::is_clear(const std::string& text, const std::string& path,
                             const base::SourceLocation& where) const {
  for (const std::string& name : names_in(text)) {
    const bool is_sensor = std::any_of(
        variables_.begin(), variables_.end(),
        [&](const FormulaVariable& v) { return !v.is_nameable && v.column.name == name; });
    if (!is_sensor) continue;
    view_.report().error(
        where,
        fmt::format("{}: `{}` in `{}` means {} in formulas, but is also the name of a sensor", path,
                    name, text, name == "t" ? "the time" : "a constant"),
        "rename the sensor");
    return false;
  }
  return true;
}

std::optional<math::Expression> FormulaReader::read(const std::string& text,
                                                    const std::string& path,
                                                    const base::SourceLocation& where) {
  if (!is_clear(text, path, where)) return {};
  try {
    math::Expression formula(text, names_);
    for (std::size_t i = 0; i < nameable_.size(); ++i)
      if (formula.uses(static_cast<int>(i) + 1)) may_use(nameable_[i], path, where);
    return formula;
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& e : error.diagnostics())
      view_.report().error(where, fmt::format("{}: {}", path, e.what), e.remedy);
  }
  return {};
}

int FormulaReader::find_column(const TableView& table) const {
  const std::string of = table.text("of");
  std::vector<std::string> known;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].column.name == of) return static_cast<int>(i);
    known.push_back(variables_[i].column.name);
  }
  table.report().error(
      table.where("of"), fmt::format("{}: no sensor has the column `{}`", table.path("of"), of),
      known.empty() ? "define the sensor under `sensors:`" : suggestion(of, known, "there are"));
  return -1;
}

// An angle that counts turns leaves a table of one turn for good.
void FormulaReader::warn_of_turns(const TableView& table, const FormulaVariable& variable,
                                  const TableContent& content) const {
  constexpr double kNearlyATurn = 0.99 * 2.0 * M_PI;
  if (!variable.sensor->counts_turns() ||
      content.ends.kind == math::TimeFunction::Ends::Kind::periodic)
    return;
  if (content.x.back() - content.x.front() < kNearlyATurn) return;
  table.report().warning(table.where("of"),
                         fmt::format("{}: `{}` counts turns, but the table ends after one cycle",
                                     table.path(), variable.column.name),
                         "write  ends: periodic  if the cycle repeats");
}

std::optional<FormulaReader::Table> FormulaReader::read_table(const TableView& table, double y_unit,
                                                              const std::string& y_si) {
  const Units& units = view_.context().units;
  TableUnits scales{units.time, y_unit, "s", y_si};
  int variable = -1;
  if (table.has("of")) {
    if (!table.is_good("of")) return {};
    variable = find_column(table);
    if (variable < 0 ||
        !may_use(static_cast<std::size_t>(variable), table.path("of"), table.where("of")))
      return {};
    const Quantity quantity = variables_[variable].column.quantity.value_or(Quantity{});
    scales.x = units.scale(quantity);
    scales.x_si = quantity.si;
  }
  try {
    TableContent content = model::read_table(table, scales);
    math::Curve curve(content.x, content.y, content.interpolation, content.ends);
    if (variable >= 0) warn_of_turns(table, variables_[variable], content);
    return Table{std::move(curve), variable < 0 ? "t" : variables_[variable].column.name, variable};
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& e : error.diagnostics())
      table.report().error(table.where(), fmt::format("{}: {}", table.path(), e.what), e.remedy);
  }
  return {};
}

std::vector<SensorVariable> FormulaReader::used() const {
  std::vector<SensorVariable> used;
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (is_used_[i])
      used.push_back(
          {variables_[i].sensor->name, variables_[i].index,
           view_.context().units.scale(variables_[i].column.quantity.value_or(Quantity{}))});
  return used;
}

// What formulas cannot name is used by tables alone, and keeps its place.
math::Expression FormulaReader::of_used(const math::Expression& formula) const {
  std::vector<std::string> names{"t"};
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (is_used_[i])
      names.push_back(variables_[i].is_nameable ? variables_[i].column.name
                                                : fmt::format("column_{}_of_tables", i));
  return {formula.text(), names};
}

int FormulaReader::index_of_used(const Table& table) const {
  return static_cast<int>(
      std::count(is_used_.begin(), is_used_.begin() + table.variable + 1, true));
}

}  // namespace solidyn::model
