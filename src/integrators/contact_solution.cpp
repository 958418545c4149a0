#include "integrators/contact_solution.h"

#include <algorithm>

namespace solidyn::integrators {
namespace {

// Of the velocities in a problem: a slip below is round-off, ...
constexpr double kNoSlip = 1e-9;
// ... and one that is not so much larger than the error of the solution may be none.
constexpr double kSlipOverError = 10.0;
// Up to so many points solutions are exact.
constexpr int kFewPoints = 50;
constexpr double kToleranceOfFew = 1e-14, kToleranceOfMany = 1e-10;

}  // namespace

using Eigen::VectorXd;
namespace friction = solvers::friction;

double contact_tolerance(int n_points) {
  return n_points <= kFewPoints ? kToleranceOfFew : kToleranceOfMany;
}

ContactSolution solve_contacts(const ContactPoints& contacts, const ContactCompliance& compliance,
                               const friction::ContactBlocks& A, const VectorXd& q,
                               const VectorXd& start, std::vector<bool> sticks,
                               const VectorXd& slip_speeds,
                               const std::vector<bool>* without_friction) {
  const int n = static_cast<int>(compliance.points.size());
  friction::Problem problem{&A, q, {}, {}};
  for (int k = 0; k < n; ++k) {
    const forces::SetValuedLaw& law = contacts.law(compliance.points[k]);
    const double mu = sticks[k] ? law.static_coefficient : law.sliding_coefficient(slip_speeds[k]);
    const bool has_friction = law.has_friction() && !(without_friction && (*without_friction)[k]);
    problem.laws.push_back({has_friction ? friction::ContactLaw::Type::coulomb
                                         : friction::ContactLaw::Type::unilateral,
                            mu});
  }
  friction::Options options;
  options.tolerance = contact_tolerance(n);
  if (n > kFewPoints) options.sufficient = kContactAccepted;
  friction::Result result;
  VectorXd guess = start;
  double slip_counts = 0.0;
  const auto slips = [&](int k) {
    return result.states[k] == friction::ContactState::slip &&
           result.u.segment<2>(3 * k + 1).norm() > slip_counts;
  };
  // What slips under the friction of sticking does so under that of sliding.
  for (bool again = true; again;) {
    result = friction::try_solve(problem, options, guess);
    again = false;
    slip_counts = std::max(
        kNoSlip * std::max(q.lpNorm<Eigen::Infinity>(), (result.u - q).lpNorm<Eigen::Infinity>()),
        kSlipOverError * result.error.velocity);
    for (int k = 0; k < n; ++k) {
      if (!sticks[k] || !slips(k)) continue;
      sticks[k] = false;
      const forces::SetValuedLaw& law = contacts.law(compliance.points[k]);
      const double mu = law.sliding_coefficient(0.0);
      again = again || mu != problem.laws[k].mu;
      problem.laws[k].mu = mu;
    }
    guess = result.r;
  }
  for (int k = 0; k < n; ++k)
    if (result.states[k] == friction::ContactState::slip && !slips(k))
      result.states[k] = friction::ContactState::stick;
  ContactSolution solution{result.r, result.u, result.states, result.error.velocity, {}};
  if (!(result.error.relative <= kContactAccepted)) {
    for (const int i : compliance.points) problem.names.push_back(contacts.name(i));
    solution.failure = failure_message(problem, options, result);
  }
  return solution;
}

}  // namespace solidyn::integrators
