#pragma once
#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "solidyn/model/description.h"
#include "solidyn/results/summary.h"
#include "solidyn/simulation/run.h"

namespace solidyn::simulation {

/// A value of the model file that a sweep goes through.
struct SweepParameter {
  std::string path;                 ///< "bodies.rod.mass"
  std::vector<std::string> values;  ///< as --set takes them
};

/// "PATH=1,2,4" (a list), "PATH=1:2:5" (five numbers, evenly spaced from 1 to 2) or
/// "PATH=log:1:100:3" (1, 10, 100). @throws base::InputError
SweepParameter parse_sweep_parameter(const std::string& text);

/// One run of a sweep.
struct SweepPoint {
  std::vector<std::string> values;  ///< one per parameter
  /// "bodies.rod.mass=1, bodies.crank.mass=2"
  std::string shown(const std::vector<SweepParameter>& parameters) const;
  std::vector<std::string> overrides(const std::vector<SweepParameter>& parameters) const;
};

/// Every combination, the last parameter varying fastest. @throws base::InputError when a path is
/// given twice, or the combinations are too many to be meant
std::vector<SweepPoint> sweep_points(const std::vector<SweepParameter>& parameters);

struct SweepOptions {
  std::string folder;     ///< run_001, run_002 ... and sweep.csv go there
  int ranks_per_run = 1;  ///< divides the number of ranks
  bool is_quiet = false;
  bool all_ranks = false;             ///< of each run, as RunOptions has it
  ContactWriter write_contacts = {};  ///< likewise
};

/// Collective. Runs the model at every point, side by side on groups of ranks, and writes
/// sweep.csv: a row per point with its values, `status` (done, doubtful or failed), `seconds`, and
/// each history column's last, least and largest value. A run that fails does not stop the others;
/// one that is stopped by SIGTERM or SIGINT ends the sweep of its group.
/// @param load makes the model of a point; local, as it is called by every rank of a group alone
/// @return doubtful when a run is
/// @throws base::InputError (nothing started); base::ComputationError when runs failed, naming them
results::RunStatus sweep(MPI_Comm comm, const std::vector<SweepParameter>& parameters,
                         const std::function<model::ModelDescription(const SweepPoint&)>& load,
                         const SweepOptions& options);

}  // namespace solidyn::simulation
