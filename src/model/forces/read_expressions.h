#pragma once
#include "model/forces/formula_reader.h"
#include "solidyn/model/force_description.h"

namespace solidyn::model {

/// Why a force cannot depend on what a sensor records: accelerations, forces and so on.
std::optional<FormulaReader::Objection> objection_of_force_to(const FormulaVariable& variable);

/// `force`, `torque` and `axes` of a force of type expression, with a complaint about each formula
/// that cannot be.
ExpressionDescription read_expressions(const TableView& view,
                                       const std::vector<SensorDescription>& sensors);

/// Whether the key has a table over a sensor: {table, of}.
bool is_over_sensor(const TableView& view, const std::string& key);

/// Such a table under `key`, an actuator; nothing where there is none, or after a complaint.
std::optional<TableOverSensor> read_over_sensor(const TableView& view, const std::string& key,
                                                const std::vector<SensorDescription>& sensors);

}  // namespace solidyn::model
