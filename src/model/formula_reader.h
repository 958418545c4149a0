#pragma once
#include <functional>

#include "model/sensor_columns.h"
#include "model/table_view.h"
#include "solidyn/math/expression.h"

namespace solidyn::model {

/// Reads formulas of t and of sensors' columns, and keeps what the ones that it has read use.
class FormulaReader {
 public:
  /// What is wrong with a variable for the purpose: sentence and remedy; empty when it may be used.
  struct Objection {
    std::string what, remedy;
  };
  using Judge = std::function<std::optional<Objection>(const FormulaVariable&)>;
  FormulaReader(const TableView& view, const std::vector<SensorDescription>& sensors, Judge judge);

  /// Empty after a complaint. @param path of the value, for messages
  std::optional<math::Expression> read(const std::string& text, const std::string& path,
                                       const base::SourceLocation& where);

  /// The variables that were used, with their scales.
  std::vector<ExpressionDescription::Variable> used() const;
  /// The same formula, of t and the variables in used() alone.
  math::Expression of_used(const math::Expression& formula) const;

 private:
  const TableView& view_;
  Judge judge_;
  std::vector<FormulaVariable> variables_;
  std::vector<bool> is_used_;
  std::vector<std::string> names_;
};

}  // namespace solidyn::model
