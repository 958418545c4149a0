#pragma once
#include <mpi.h>

#include <string>
#include <vector>

#include "solidyn/model/description.h"

namespace solidyn::simulation {

/// Processor time of one part of the contact of one wheel with one rail, and whether its answer is
/// that of an independent table, or of another way to find it.
struct ContactTime {
  std::string what;
  double microseconds = 0.0;  ///< of one call, median of five groups of calls
  double error = 0.0, allowed = 0.0;
};

struct ContactBench {
  double table_seconds = 0.0;  ///< to make the table of contacts
  int n_cells = 0;             ///< of that table
  double points = 0.0;         ///< found at a time, on average
  std::vector<ContactTime> times;
};

/// Searches of contact points (online, by a table), the overlap that runs take forces from, Hertz,
/// Polach, FASTSIM of 20 x 20 cells: S1002 on 60E1, through the clearance of a wheelset. Local.
/// @param seconds  of each measurement
/// @throws base::InputError unless it is above 0; base::ComputationError for a wrong answer
ContactBench run_contact_bench(double seconds);

/// A vehicle on its track, from steady running or from the velocities of the model.
struct VehicleBench {
  int n_velocities = 0, n_constraints = 0, n_wheelsets = 0, steps = 0;
  double step = 0.0;                ///< s
  double start_seconds = 0.0;       ///< processor time of building, statics and start
  double milliseconds = 0.0;        ///< processor time of a step with its row of sensors, mean
  double load = 0.0, weight = 0.0;  ///< N, of all wheels on average over the steps; with loads
  double newton_per_step = 0.0;
};

/// Collective. `steps` steps of the model's `dynamics`, after its `statics` where it has one.
/// @throws base::InputError without `dynamics` or wheelsets; base::ComputationError where the
/// wheels do not carry the weight and the loads of the vehicle within 5 % on average
VehicleBench run_vehicle_bench(MPI_Comm comm, const model::ModelDescription& description,
                               int steps);

std::string format(const ContactBench& bench);
std::string format(const VehicleBench& bench);

}  // namespace solidyn::simulation
