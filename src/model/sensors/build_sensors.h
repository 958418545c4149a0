#pragma once
#include "model/bodies/build_bodies.h"

namespace solidyn::model {

/// All sensors of the model, in the order of the file. @throws base::InputError, all at once
void add_sensors(const ModelDescription& model, const PlaceFinder& places, BuiltModel& built);

}  // namespace solidyn::model
