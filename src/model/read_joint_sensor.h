#pragma once
#include "model/read.h"

namespace solidyn::model {

/// What a sensor of a joint's coordinate, reaction or multiplier names.
void read_joint_sensor(const TableView& view, SensorDescription& sensor,
                       const ModelDescription& model, const Names& names);

}  // namespace solidyn::model
