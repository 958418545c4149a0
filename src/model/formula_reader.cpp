#include "model/formula_reader.h"

#include <fmt/format.h>

namespace solidyn::model {

FormulaReader::FormulaReader(const TableView& view, const std::vector<SensorDescription>& sensors,
                             Judge judge)
    : view_(view),
      judge_(std::move(judge)),
      variables_(formula_variables(sensors)),
      is_used_(variables_.size(), false),
      names_{"t"} {
  for (const FormulaVariable& variable : variables_) names_.push_back(variable.column.name);
}

std::optional<math::Expression> FormulaReader::read(const std::string& text,
                                                    const std::string& path,
                                                    const base::SourceLocation& where) {
  try {
    math::Expression formula(text, names_);
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (!formula.uses(static_cast<int>(i) + 1)) continue;
      is_used_[i] = true;
      if (const auto objection = judge_(variables_[i]))
        view_.report().error(where, fmt::format("{}: {}", path, objection->what),
                             objection->remedy);
    }
    return formula;
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& e : error.diagnostics())
      view_.report().error(where, fmt::format("{}: {}", path, e.what), e.remedy);
  }
  return {};
}

std::vector<ExpressionDescription::Variable> FormulaReader::used() const {
  std::vector<ExpressionDescription::Variable> used;
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (is_used_[i])
      used.push_back(
          {variables_[i].sensor->name, variables_[i].index,
           view_.context().units.scale(variables_[i].column.quantity.value_or(Quantity{}))});
  return used;
}

math::Expression FormulaReader::of_used(const math::Expression& formula) const {
  std::vector<std::string> names{"t"};
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (is_used_[i]) names.push_back(variables_[i].column.name);
  return {formula.text(), names};
}

}  // namespace solidyn::model
