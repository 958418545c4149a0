#pragma once
#include "model/language/table_view.h"
#include "solidyn/math/time_function.h"

namespace solidyn::model {

/// What the numbers of a table are: SI per unit of the file, and the SI unit as history.csv names
/// it, "" where it is not known.
struct TableUnits {
  double x = 1.0, y = 1.0;
  std::string x_si, y_si;
};

/// Points and curve between them, in SI.
struct TableContent {
  std::vector<double> x, y;
  math::TimeFunction::Interpolation interpolation;
  math::TimeFunction::Ends ends;
};

/// Of a table with the keys of table_keys(). Files that name their units are read in these.
/// @pre the table is good by the grammar  @throws base::InputError where the file, its columns or
/// the ends are not what is wanted
TableContent read_table(const TableView& table, const TableUnits& units);

}  // namespace solidyn::model
