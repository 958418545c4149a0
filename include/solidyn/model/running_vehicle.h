#pragma once
#include <mpi.h>

#include <functional>
#include <optional>
#include <string>

#include "solidyn/forces/runs_on_track.h"
#include "solidyn/model/description.h"
#include "solidyn/system/system.h"

namespace solidyn::model {

/// What of a mechanism runs on the model's track.
struct RunningVehicle {
  forces::Wheelsets wheelsets;  ///< in the order of the file; of the system
  double speed = 0.0;           ///< m/s, `track.running_speed`; 0: bodies have their own velocities
  /// `track.flexible_rails`: the part of the track by s, m, and its line of the file.
  struct BendingRails {
    double from = 0.0, to = 0.0;
    base::SourceLocation where;
  };
  std::optional<BendingRails> bending_rails;
};
RunningVehicle running_vehicle(const ModelDescription& model, const system::System& system);

/// The realisation of the track's irregularities, where the file asks for it
/// (`track.irregularities.write`), as a table that `track.irregularities.file` reads.
/// Collective. @throws base::InputError where it cannot be written
/// @param look_up  called on rank 0 now and then; what it throws ends the writing on all ranks,
/// without leaving a file
void write_irregularities(MPI_Comm comm, const ModelDescription& model, const std::string& file,
                          const std::function<void()>& look_up);

}  // namespace solidyn::model
