#pragma once
#include "solidyn/forces/runs_on_track.h"
#include "solidyn/model/description.h"
#include "solidyn/system/system.h"

namespace solidyn::model {

/// What of a mechanism runs on the model's track.
struct RunningVehicle {
  forces::Wheelsets wheelsets;  ///< in the order of the file; of the system
  double speed = 0.0;           ///< m/s, `track.running_speed`; 0: bodies have their own velocities
};
RunningVehicle running_vehicle(const ModelDescription& model, const system::System& system);

}  // namespace solidyn::model
