#pragma once
#include <vector>

#include "solidyn/analyses/modes.h"
#include "solidyn/model/build.h"
#include "solidyn/results/output_folder.h"

namespace solidyn::simulation {

/// Shapes of modes for ParaView, as motion: the time is the number of the mode and, behind the
/// point, how far it is in its period. The largest displacement is a tenth of the mechanism.
class ModePictures {
 public:
  ModePictures(MPI_Comm comm, model::BuiltModel& built) : comm_(comm), built_(built) {}

  /// @param per_period pictures of each mode
  void add(const system::State& state, const system::Linearisation& linear,
           const std::vector<analyses::Mode>& modes, int per_period);
  /// Collective. Writes what was added; leaves the system's kinematics anywhere.
  void write(const results::OutputFolder& folder) const;

 private:
  MPI_Comm comm_;
  model::BuiltModel& built_;
  std::vector<system::State> states_;
  std::vector<double> times_;
};

}  // namespace solidyn::simulation
