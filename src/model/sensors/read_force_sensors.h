#pragma once
#include "model/read.h"

namespace solidyn::model {

/// Sensors of type force, joint_force and drive.
void read_force_sensor(const TableView& view, SensorDescription& sensor, const Names& names);
void read_joint_force_sensor(const TableView& view, SensorDescription& sensor,
                             const ModelDescription& model, const Names& names);
void read_drive_sensor(const TableView& view, SensorDescription& sensor,
                       const ModelDescription& model, const Names& names);

}  // namespace solidyn::model
