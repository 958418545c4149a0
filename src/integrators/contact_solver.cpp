#include "solidyn/integrators/contact_solver.h"

#include <algorithm>
#include <utility>

namespace solidyn::integrators {

namespace friction = solvers::friction;

void ContactSolverTotals::add(const ContactSolverTotals& more) {
  problems += more.problems;
  for (std::size_t k = 0; k < kMethods; ++k) found_by[k] += more.found_by[k];
  iterations += more.iterations;
  most_iterations = std::max(most_iterations, more.most_iterations);
  fallbacks += more.fallbacks;
  residual = std::max(residual, more.residual);
  relative_residual = std::max(relative_residual, more.relative_residual);
}

void ContactSolver::note(const friction::Result& result, Unknowns unknowns,
                         std::optional<double> relative) {
  ++totals_.problems;
  std::int64_t iterations = 0;
  bool has_changed = false;
  for (const friction::Attempt& attempt : result.attempts) {
    iterations += attempt.iterations;
    has_changed = has_changed || attempt.method != result.attempts.front().method;
  }
  totals_.iterations += iterations;
  totals_.most_iterations = std::max(totals_.most_iterations, iterations);
  totals_.fallbacks += has_changed ? 1 : 0;
  if (!relative) return;
  ++totals_.found_by[static_cast<std::size_t>(result.method)];
  totals_.relative_residual = std::max(totals_.relative_residual, *relative);
  if (unknowns == Unknowns::velocities)
    totals_.residual = std::max(totals_.residual, result.error.velocity);
}

void ContactSolver::keep_unsolved(const friction::ContactBlocks& W,
                                  const friction::Problem& problem, const Eigen::VectorXd& r) {
  unsolved_ = UnsolvedContacts{std::make_shared<friction::ContactBlocks>(W), problem, r};
  unsolved_->problem.W = unsolved_->W.get();
}

ContactSolverTotals ContactSolver::take_totals() { return std::exchange(totals_, {}); }

}  // namespace solidyn::integrators
