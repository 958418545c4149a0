#pragma once
#include <string>
#include <vector>

#include "solidyn/solvers/friction/friction_contact.h"

namespace solidyn::simulation {

/// One method on one friction-contact problem. `seconds` is processor time, the median of `repeat`.
struct FrictionBenchRow {
  solvers::friction::Method method = solvers::friction::Method::automatic;  ///< that was asked for
  solvers::friction::Result result;
  double seconds = 0.0;
  int n_open = 0, n_stick = 0, n_slip = 0;
  std::string refused;  ///< why the method cannot take this problem; empty: it did
};

struct FrictionBenchOptions {
  std::vector<solvers::friction::Method> methods;
  double tolerance = 1e-8;
  int max_iterations = 0;  ///< 0: each method's own
  int repeat = 5;
};

/// Each method from `start` (empty: no forces). Local.
std::vector<FrictionBenchRow> run_friction_bench(const solvers::friction::Problem& problem,
                                                 const FrictionBenchOptions& options,
                                                 const Eigen::VectorXd& start = {});

/// What the problem is, as one line: contacts, blocks, symmetry, sizes.
std::string describe(const solvers::friction::Problem& problem);
/// A line for each method: iterations, seconds, error, norm of u, contacts in each state; and notes
/// on what failed, fell back or opened gaps.
std::string format_friction_table(const solvers::friction::Problem& problem,
                                  const FrictionBenchOptions& options,
                                  const std::vector<FrictionBenchRow>& rows);

}  // namespace solidyn::simulation
