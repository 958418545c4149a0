#include "solidyn/simulation/friction_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/cpu_time.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"

namespace solidyn::simulation {
namespace {

using solvers::friction::Attempt;
using solvers::friction::ContactBlocks;
using solvers::friction::ContactState;
using solvers::friction::Method;
using solvers::friction::Problem;

FrictionBenchRow run_method(const Problem& problem, const FrictionBenchOptions& options,
                            Method method, const Eigen::VectorXd& start) {
  FrictionBenchRow row;
  row.method = method;
  std::vector<double> seconds;
  try {
    for (int k = 0; k < options.repeat; ++k) {
      const double since = base::cpu_seconds();
      row.result = try_solve(problem, {method, options.tolerance, options.max_iterations}, start);
      seconds.push_back(base::cpu_seconds() - since);
    }
  } catch (const base::InputError& error) {
    row.refused = error.diagnostics().front().what;
    return row;
  }
  std::sort(seconds.begin(), seconds.end());
  row.seconds = seconds[seconds.size() / 2];
  for (const ContactState state : row.result.states)
    ++(state == ContactState::open    ? row.n_open
       : state == ContactState::stick ? row.n_stick
                                      : row.n_slip);
  return row;
}

std::string path_of(const std::vector<Attempt>& attempts) {
  std::string text;
  for (const Attempt& attempt : attempts)
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : " > ", name(attempt.method), attempt.iterations);
  return text.empty() ? "none" : text;
}

}  // namespace

std::vector<FrictionBenchRow> run_friction_bench(const Problem& problem,
                                                 const FrictionBenchOptions& options,
                                                 const Eigen::VectorXd& start) {
  if (options.repeat < 1 || !(options.tolerance > 0.0))
    throw base::InputError("a bench needs at least one repetition and a positive tolerance",
                           "give --repeat 1 or more and --tolerance such as 1e-8");
  check(problem);
  std::vector<FrictionBenchRow> rows;
  for (const Method method : options.methods) {
    const base::LogPause silence;  // the table says what the log would say, once
    rows.push_back(run_method(problem, options, method, start));
  }
  return rows;
}

std::string describe(const Problem& problem) {
  double low = 0.0, high = 0.0;
  for (int i = 0; i < problem.n_contacts(); ++i) {
    low = i ? std::min(low, problem.laws[i].cone()) : problem.laws[i].cone();
    high = std::max(high, problem.laws[i].cone());
  }
  const auto* blocks = problem.W->as_blocks();
  return fmt::format("{} contacts, {} blocks, W {}symmetric, mu {:g} to {:g}, |q| = {:.9g}\n",
                     problem.n_contacts(), blocks ? blocks->n_blocks() : 0,
                     problem.W->is_symmetric() ? "" : "not ", low, high, problem.q.norm());
}

std::string format_friction_table(const Problem& problem, const FrictionBenchOptions& options,
                                  const std::vector<FrictionBenchRow>& rows) {
  std::string text =
      fmt::format("{:<19}{:>10}{:>12}{:>10}{:>17}{:>7}{:>7}{:>7}  {}\n", "method", "CPU, ms",
                  "iterations", "error", "norm of u", "open", "stick", "slip", "tried");
  std::string notes;
  for (const FrictionBenchRow& row : rows) {
    const auto& result = row.result;
    const char* method = name(row.method);
    if (!row.refused.empty()) {
      text += fmt::format("{:<19}{:>10}  {}\n", method, "-", row.refused);
      continue;
    }
    int iterations = 0;
    for (const Attempt& attempt : result.attempts) iterations += attempt.iterations;
    text += fmt::format("{:<19}{:>10.3f}{:>12}{:>10.1e}{:>17.9e}{:>7}{:>7}{:>7}  {}\n", method,
                        1e3 * row.seconds, iterations, result.error.relative, result.u.norm(),
                        row.n_open, row.n_stick, row.n_slip, path_of(result.attempts));
    if (!result.has_converged)
      notes += fmt::format("{} did not reach {:.0e}: worst is contact {} with {:.3g} m/s\n", method,
                           options.tolerance, problem.name(std::max(0, result.error.worst)),
                           result.error.worst_velocity);
    if (result.gap_opening_at >= 0)
      notes += fmt::format(
          "convex solves the associated law: contacts that slip open, with {:.3g} m/s at contact {}; its error is of that law\n",
          result.gap_opening, problem.name(result.gap_opening_at));
  }
  return text + "error: natural map in m/s over |q|\n" + notes;
}

}  // namespace solidyn::simulation
