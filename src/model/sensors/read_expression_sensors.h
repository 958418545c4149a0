#pragma once
#include "model/read.h"

namespace solidyn::model {

/// The formulas of all sensors of type expression, which may use each other in any order but not in
/// a circle. @pre all other sensors have been read, and what the formulas measure
void read_expression_sensors(const TableView& file, std::vector<SensorDescription>& sensors);

/// Key `measures`.
void read_measure(const TableView& view, SensorDescription& sensor);

}  // namespace solidyn::model
