#pragma once
#include "model/table_view.h"
#include "solidyn/model/description.h"

namespace solidyn::model {

/// `force`, `torque` and `axes` of a force of type expression, with a complaint about each formula
/// that cannot be.
ExpressionDescription read_expressions(const TableView& view,
                                       const std::vector<SensorDescription>& sensors);

}  // namespace solidyn::model
