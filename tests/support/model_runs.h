#pragma once
#include <mpi.h>

#include <map>
#include <string>
#include <vector>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/model/build.h"

/// Runs model files in memory and looks at their histories.
namespace solidyn::testing_support {

/// Columns of a run, by name; `time` among them.
using History = std::map<std::string, std::vector<double>>;

struct ModelRun {
  History history;
  analyses::Monitor monitor;
  int n_velocities = 0, n_constraints = 0;
  double microseconds_per_step = 0.0;
  integrators::IntegratorStatistics statistics;
};

/// Collective. Runs the dynamics analysis of a model file (path from the source folder) with
/// overrides and keeps a row every `every` steps.
ModelRun run_model(MPI_Comm comm, const std::string& path,
                   const std::vector<std::string>& overrides = {}, int every = 1);

/// Linear interpolation of a column at times `t`.
std::vector<double> sampled(const History& history, const std::string& column,
                            const std::vector<double>& t);

/// The largest |a_i - b_i|.
double largest_difference(const std::vector<double>& a, const std::vector<double>& b);

/// The largest |x_i - x_0|.
double largest_change(const std::vector<double>& x);

/// Of a momentum sensor's three columns, relative to its size at the start.
double momentum_change(const ModelRun& run, const std::string& sensor);

/// A comma-separated file of numbers; lines that begin with # are skipped. Result is by column.
std::vector<std::vector<double>> read_columns(const std::string& path);

}  // namespace solidyn::testing_support
