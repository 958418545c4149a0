#pragma once
#include "model/read.h"
#include "model/sensors/sensor_entry.h"

/// The types of sensors that a model file may have.
namespace solidyn::model {

/// In the order of the manual.
const std::vector<SensorType>& sensor_catalogue();

/// Null when no type has this word.
const SensorType* find_sensor_type(const std::string& word);

/// `sensors` of a model. @pre all that they name has been read, of forces the types
SensorEntries read_sensors(const TableView& file, const Scope& scope);

/// All sensors of the model, in the order of the file. @throws base::InputError, all at once
void add_sensors(const Builder& builder);

/// What each drive exerts, and its power, of which inverse dynamics keep a record.
void add_drive_sensors(const Builder& builder);

}  // namespace solidyn::model
