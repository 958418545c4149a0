#pragma once
#include "model/read.h"

namespace solidyn::model {

/// The `stress` table of a flexible body; without one, nothing is wanted.
StressDescription read_stress(const TableView& body);

/// What a sensor of `type: stress` names.
void read_stress_sensor(const TableView& view, SensorDescription& sensor,
                        const ModelDescription& model, const Names& names);

}  // namespace solidyn::model
