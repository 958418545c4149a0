#pragma once
#include <vector>

#include "solidyn/analyses/modes.h"
#include "solidyn/model/build.h"
#include "solidyn/results/output_folder.h"

namespace solidyn::simulation {

/// Shapes of modes as motion, for ParaView and for reports. The largest displacement is a tenth of
/// the mechanism.
class ModePictures {
 public:
  ModePictures(MPI_Comm comm, const model::ModelDescription& description, model::BuiltModel& built)
      : comm_(comm), description_(description), built_(built) {}

  /// @param first_row of modes.csv, that of the first of these modes
  /// @param per_period pictures of each mode for ParaView
  void add(const system::State& state, const system::Linearisation& linear,
           const std::vector<analyses::Mode>& modes, std::size_t first_row, int per_period);
  /// Collective. Writes what was added; leaves the system's kinematics anywhere, also where forces
  /// cannot be evaluated.
  void write(const results::OutputFolder& folder) const;

 private:
  // A mode about a state, scaled.
  struct Shape {
    std::size_t operating_state;  // of states_
    std::size_t row;
    int per_period;
    Eigen::VectorXcd motion;  // increments of all positions
  };
  system::State moved(const Shape& shape, double part_of_period) const;
  void write_fields(const results::OutputFolder& folder) const;
  void write_motion(const results::OutputFolder& folder) const;

  MPI_Comm comm_;
  const model::ModelDescription& description_;
  model::BuiltModel& built_;
  std::vector<system::State> states_;
  std::vector<Shape> shapes_;
};

}  // namespace solidyn::simulation
