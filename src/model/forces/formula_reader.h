#pragma once
#include <functional>

#include "model/analyses/read_table.h"
#include "model/language/table_view.h"
#include "model/sensors/sensor_columns.h"
#include "solidyn/math/expression.h"
#include "solidyn/math/function_of_variables.h"
#include "solidyn/model/sensor_variable.h"

namespace solidyn::model {

/// Reads formulas of t and of sensors' columns, and tables over them, and keeps what the ones that
/// it has read use.
class FormulaReader {
 public:
  /// What is wrong with a variable for the purpose; empty when it may be used.
  using Judge = std::function<std::optional<Rejection>(const FormulaVariable&)>;
  FormulaReader(const TableView& view, const SensorEntries& sensors, Judge judge);

  /// Empty after a complaint. @param path of the value, for messages
  std::optional<math::Expression> read(const std::string& text, const std::string& path,
                                       const base::SourceLocation& where);

  /// A table over the column that it is `of`, or over t, in SI. Empty after a complaint.
  struct Table {
    math::Curve curve;
    std::string name;  ///< of the column, or "t"
    int variable;      ///< -1: t
  };
  std::optional<Table> read_table(const TableView& table, double y_unit, const std::string& y_si);

  /// The variables that were used, with their scales.
  std::vector<SensorVariable> used() const;
  /// The same formula, of t and the variables in used() alone.
  math::Expression of_used(const math::Expression& formula) const;
  /// Where a table's variable stands among t and used().
  int index_of_used(const Table& table) const;

 private:
  /// Index into variables_; -1 after a complaint.
  int find_column(const TableView& table) const;
  bool may_use(std::size_t variable, const std::string& path, const base::SourceLocation& where);
  bool is_clear(const std::string& text, const std::string& path,
                const base::SourceLocation& where) const;
  void warn_of_turns(const TableView& table, const FormulaVariable& variable,
                     const TableContent& content) const;

  const TableView& view_;
  Judge judge_;
  std::vector<FormulaVariable> variables_;
  std::vector<bool> is_used_;
  std::vector<std::size_t> nameable_;  // variables that formulas can name, behind t
  std::vector<std::string> names_;     // of these, t the first
};

}  // namespace solidyn::model
