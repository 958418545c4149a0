#pragma once
#include "model/read.h"

namespace solidyn::model {

/// Places, axes and form of a sensor of a frame's motion; of orientations also the components.
void read_motion_sensor(const TableView& view, SensorDescription& sensor,
                        const ModelDescription& model, const Names& names);

}  // namespace solidyn::model
