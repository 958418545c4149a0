#pragma once
#include "model/read.h"

namespace solidyn::model {

/// What a sensor of a joint's coordinate, reaction or multiplier names.
void read_joint_sensor(const TableView& view, SensorDescription& sensor,
                       const ModelDescription& model, const Names& names);

bool slides_in_plane(JointType type);
/// `arm` and `along`: about and along what a joint's coordinate is.
void read_arm(const TableView& view, SensorDescription& sensor, const JointDescription& joint);
void read_along(const TableView& view, SensorDescription& sensor, const JointDescription& joint);

}  // namespace solidyn::model
