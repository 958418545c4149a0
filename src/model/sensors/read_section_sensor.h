#pragma once
#include "model/read.h"

namespace solidyn::model {

/// `section_force` and `section_strain`: of a section of a beam.
void read_section_sensor(const TableView& view, SensorDescription& sensor,
                         const ModelDescription& model, const Names& names);

}  // namespace solidyn::model
