#pragma once
#include <mpi.h>

#include <Eigen/Core>
#include <functional>
#include <string>
#include <vector>

#include "solidyn/model/description.h"
#include "solidyn/results/history.h"
#include "solidyn/results/summary.h"

namespace solidyn::integrators {
struct UnsolvedContacts;
}

namespace solidyn::simulation {

/// A number that a run finds once, such as a frequency.
struct NamedNumber {
  std::string name, unit;
  double value;
};

using ContactWriter =
    std::function<void(const std::string& path, const integrators::UnsolvedContacts& contacts)>;

struct RunOptions {
  std::string folder;    ///< results
  bool restart = false;  ///< go on from the folder's checkpoint
  bool report = false;   ///< report.html at the end, as `output.report` asks
  /// Ranks that small meshes make slower sleep, see model::ranks_worth_starting(), unless all are
  /// wanted.
  bool all_ranks = false;
  /// Called with each row of the history and its time, on every rank that computes.
  std::function<void(const std::vector<results::HistoryColumn>&, double, const Eigen::VectorXd&)>
      observe = {};
  /// Called on those ranks with what the linear analyses have found, when that is written: the
  /// frequency and damping ratio of each mode of the last state that `modes` was done at, and what
  /// `reflected_inertia` has found of each place.
  std::function<void(const std::vector<NamedNumber>&)> observe_modes = {};
  /// Called on the first of those ranks after a step that failed for want of contact forces, to
  /// write its problem to `path` in the output folder; empty: nothing is written.
  ContactWriter write_contacts = {};
};

/// Collective. Builds the model and its consistent initial conditions and tells what a run would
/// meet: bodies with masses and modes, degrees of freedom, constraints, redundancy. Writes nothing.
/// @return text for a terminal, the same on all ranks   @throws as run()
std::string check(MPI_Comm comm, const model::ModelDescription& description);

/// Collective. Carries out the analyses of a model and writes everything that doc/results.md lists.
/// The folder is touched only after the model was built and its initial conditions found. SIGTERM
/// and SIGINT end it after a checkpoint, as a failure with a message. summary.json lists the log's
/// warnings since the program's start. Callbacks of `options` are called on the ranks that compute.
/// @return done, or doubtful: the results are written, and summary.json has the reasons for doubt
/// @throws base::InputError (nothing written); base::ComputationError (the last good state is in
/// the checkpoint, summary.json says `failed`, when and why)
results::RunStatus run(MPI_Comm comm, const model::ModelDescription& description,
                       const RunOptions& options);

}  // namespace solidyn::simulation
