#include "solidyn/solvers/friction/friction_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "solidyn/base/cpu_time.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/log_stage.h"
#include "solvers/friction/cone.h"
#include "solvers/friction/few_contacts.h"
#include "solvers/friction/gauss_seidel.h"
#include "solvers/friction/interior_point.h"
#include "solvers/friction/newton.h"
#include "solvers/friction/projected_gradient.h"
#include "solvers/friction/standing_still.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::VectorXd;

/// One solution: the methods share the forces that are the best so far.
class Solution {
 public:
  Solution(const Problem& problem, const Options& options, const VectorXd& start)
      : problem_(problem),
        options_(options),
        blocks_(problem.W->as_blocks()),
        rho_(force_scales(*problem.W)) {
    const Eigen::Index size = problem.q.size();
    const bool has_start = start.size() == size && start.allFinite();
    result_.r = has_start ? start : VectorXd::Zero(size);
    result_.error = error_of(result_.r);
    // A start that is worse than none would only mislead.
    if (has_start && result_.error.velocity > problem.q.norm()) {
      const ContactError without = error_of(VectorXd::Zero(size));
      if (without.velocity < result_.error.velocity) {
        result_.r.setZero();
        result_.error = without;
      }
    }
  }

  Result run() {
    const bool knows_cones_alone =
        options_.method == Method::interior_point || options_.method == Method::convex;
    if (knows_cones_alone && has_bounded())
      throw base::InputError(
          fmt::format(
              "the method `{}` knows no friction but in cones, and some of it is bounded by "
              "a number here, or by the force of another contact",
              name(options_.method)),
          "choose `automatic`, `newton`, `gauss_seidel` or `projected_gradient`");
    if (!is_solved()) run_method();
    return finish();
  }

 private:
  bool has_bounded() const {
    return std::any_of(problem_.laws.begin(), problem_.laws.end(), [](const ContactLaw& law) {
      return law.type == ContactLaw::Type::bounded || law.bound > 0.0;
    });
  }
  bool has_given_size() const {
    return std::any_of(problem_.laws.begin(), problem_.laws.end(),
                       [](const ContactLaw& law) { return law.has_given_size(); });
  }
  ContactError error_of(const VectorXd& r) const { return contact_error(problem_, r); }
  bool is_solved() const {
    return result_.error.velocity <= options_.tolerance * problem_.q.norm() &&
           options_.method != Method::convex;
  }
  int limit(int own) const { return options_.max_iterations > 0 ? options_.max_iterations : own; }

  void run_method() {
    switch (options_.method) {
      case Method::automatic:
        return run_automatic();
      case Method::newton:
        return run_newton(limit(200));
      case Method::gauss_seidel:
        return sweep(limit(100000));
      case Method::interior_point:
        return run_interior_point(limit(100));
      case Method::projected_gradient:
        return run_projected_gradient(limit(100000));
      case Method::convex:
        return run_convex(limit(100));
    }
  }

  const ContactBlocks& blocks() const {
    if (blocks_) return *blocks_;
    throw base::InputError(
        fmt::format("the method `{}` needs the blocks of W, but only its products are known",
                    name(options_.method)),
        "choose `projected_gradient` or `automatic`, or give W as ContactBlocks");
  }

  /// Takes what a method has found if it is better.
  void take(Method method, int iterations, const VectorXd& r, const ContactError& error,
            double since) {
    result_.attempts.push_back({method, iterations, error.relative, base::cpu_seconds() - since});
    if (!(error.velocity < result_.error.velocity)) return;
    result_.r = r;
    result_.error = error;
    result_.method = method;
  }

  /// Of few contacts: what they do is soon guessed, sooner than a clock is read.
  /// @return whether that has solved the problem
  bool guess() {
    FewContacts few(problem_, blocks(), rho_);
    if (!few.solve(options_.tolerance * problem_.q.norm(), result_.r, result_.error)) return false;
    result_.method = Method::newton;
    result_.attempts.push_back({Method::newton, few.n_guesses() + 1, result_.error.relative, 0.0});
    return true;
  }

  void sweep(int max_sweeps) {
    const double since = base::cpu_seconds();
    GaussSeidel gauss_seidel(problem_, blocks(), rho_);
    gauss_seidel.set_forces(result_.r);
    const auto progress = gauss_seidel.run(max_sweeps, options_.tolerance);
    take(Method::gauss_seidel, progress.sweeps, gauss_seidel.forces(), progress.error, since);
  }

  /// Sweeps as long as they promise to end within `patience` more.
  void sweep_while_it_gains(int patience) {
    constexpr int kChunk = 25;
    const double since = base::cpu_seconds();
    GaussSeidel gauss_seidel(problem_, blocks(), rho_);
    gauss_seidel.set_forces(result_.r);
    int sweeps = 0;
    double before = result_.error.relative, left = patience;
    GaussSeidel::Progress progress;
    while (true) {
      progress = gauss_seidel.run(std::min(kChunk, limit(kChunk)), options_.tolerance);
      sweeps += progress.sweeps;
      const double now = progress.error.relative;
      if (now <= options_.tolerance || options_.max_iterations > 0) break;
      // Linear convergence, at the rate of the last sweeps.
      const double per_chunk = std::log(before / now);
      left -= kChunk;
      if (!(per_chunk > 0.0) || kChunk * std::log(now / options_.tolerance) / per_chunk > left)
        break;
      before = now;
    }
    take(Method::gauss_seidel, sweeps, gauss_seidel.forces(), progress.error, since);
  }

  /// Newton, with a few sweeps before it and wherever it is stuck: they find out which contacts
  /// open, stick and slip.
  void run_newton(int max_steps) {
    constexpr int kSweeps = 10, kRounds = 10, kPatience = 20;
    const double since = base::cpu_seconds();
    NewtonMethod newton(problem_, blocks(), rho_);
    GaussSeidel gauss_seidel(problem_, blocks(), rho_);
    VectorXd r = result_.r;
    int steps = 0;
    ContactError error = result_.error;
    for (int round = 0; round < kRounds && steps < max_steps; ++round) {
      gauss_seidel.set_forces(r);
      error = gauss_seidel.run(kSweeps, options_.tolerance).error;
      r = gauss_seidel.forces();
      if (error.relative <= options_.tolerance) break;
      const int patience = options_.accepted > 0.0 ? kPatience : 0;
      const auto progress = newton.run(r, max_steps - steps, options_.tolerance, patience);
      steps += progress.steps;
      error = progress.error;
      if (error.relative <= options_.tolerance ||
          ((progress.is_idle || progress.is_stuck) && is_accepted(error)))
        break;
    }
    take(Method::newton, steps, r, error, since);
  }
  bool is_accepted(const ContactError& error) const { return error.relative <= options_.accepted; }

  /// What has lost its digits before the end goes on with Newton's method from there; where the
  /// linearised lift leads nowhere, it is held from one solution to the next.
  void run_interior_point(int max_steps, bool may_hold_lift = true) {
    const double since = base::cpu_seconds();
    InteriorPoint interior_point(problem_, blocks(), rho_, SlipRule::coulomb);
    VectorXd r = result_.r;
    const auto progress = interior_point.run(r, max_steps, options_.tolerance);
    int steps = progress.steps;
    ContactError error = progress.error;
    const auto polish = [&] {
      if (error.relative <= options_.tolerance || !r.allFinite()) return;
      NewtonMethod newton(problem_, blocks(), rho_);
      const auto polished = newton.run(r, max_steps, options_.tolerance);
      steps += polished.steps;
      error = polished.error;
    };
    polish();
    if (may_hold_lift && error.relative > options_.tolerance) {
      hold_lift(max_steps, r, error, steps);
      polish();
    }
    take(Method::interior_point, steps, r, error, since);
  }

  /// Convex problems with mu |u_T| of the solution before (Cadoux 2009): exact at the fixed point.
  void hold_lift(int max_steps, VectorXd& best, ContactError& error, int& steps) const {
    constexpr int kRounds = 20, kPatience = 4;
    Problem lifted = problem_;
    VectorXd r = best, u;
    for (int round = 0, idle = 0; round < kRounds && idle < kPatience; ++round) {
      InteriorPoint convex(lifted, blocks(), rho_, SlipRule::associated);
      steps += convex.run(r, max_steps, 0.1 * options_.tolerance).steps;
      problem_.W->multiply(r, u);
      u += problem_.q;
      const ContactError now = contact_error(problem_, rho_, r, u);
      idle = now.velocity < 0.7 * error.velocity ? 0 : idle + 1;
      if (now.velocity < error.velocity) {
        best = r;
        error = now;
      }
      if (error.relative <= options_.tolerance) return;
      for (int i = 0; i < problem_.n_contacts(); ++i)
        lifted.q[3 * i] =
            problem_.q[3 * i] + problem_.laws[i].cone() * std::hypot(u[3 * i + 1], u[3 * i + 2]);
    }
  }

  void run_projected_gradient(int max_products) {
    const double since = base::cpu_seconds();
    ProjectedGradient gradient(problem_, rho_);
    VectorXd r = result_.r;
    const auto progress = gradient.run(r, max_products, options_.tolerance);
    take(Method::projected_gradient, progress.products, r, progress.error, since);
  }

  /// Newton's method without factors, as long as it gains.
  void run_standing_still() {
    constexpr int kRounds = 5;
    constexpr double kGains = 0.5, kReserve = 0.3;
    const double since = base::cpu_seconds();
    VectorXd r = result_.r;
    ContactError best = result_.error;
    int rounds = 0;
    for (bool gains = true; gains && rounds < kRounds; ++rounds) {
      VectorXd next = stand_still(problem_, blocks(), r, kReserve * options_.tolerance);
      project(next);
      const ContactError error = error_of(next);
      gains = error.velocity < kGains * best.velocity;
      if (!(error.velocity < best.velocity)) break;
      r = next;
      best = error;
      if (error.relative <= options_.tolerance) break;
    }
    take(Method::newton, rounds, r, best, since);
  }

  void run_convex(int max_steps) {
    const double since = base::cpu_seconds();
    InteriorPoint interior_point(problem_, blocks(), rho_, SlipRule::associated);
    VectorXd r = VectorXd::Zero(problem_.q.size());
    auto progress = interior_point.run(r, max_steps, options_.tolerance);
    if (progress.error.relative > options_.tolerance && r.allFinite()) {
      NewtonMethod newton(problem_, blocks(), rho_, SlipRule::associated);
      const auto polished = newton.run(r, max_steps, options_.tolerance);
      progress.steps += polished.steps;
      progress.error = polished.error;
    }
    result_.attempts.push_back(
        {Method::convex, progress.steps, progress.error.relative, base::cpu_seconds() - since});
    result_.r = r;
    result_.error = progress.error;
    result_.method = Method::convex;
  }

  /// What few contacts do is guessed first. Up to some hundred contacts sweeps are the cheapest,
  /// while they gain, and suit what hardly changes from step to step; then methods that see all
  /// contacts at once. Information goes one contact farther with each sweep: where there are many
  /// contacts accelerated gradients are ahead, and factors come after them, until they are too
  /// expensive. Both take a number of iterations of the order of the ratio where heavy bodies lie
  /// on light ones, factors do not. What stands still is found with all digits by products, once it
  /// is known which contacts do.
  void run_automatic() {
    if (!blocks_) return run_projected_gradient(limit(100000));
    constexpr int kMany = 500, kTooMany = 5000;
    constexpr double kUneven = 1e4;
    const bool is_uneven = rho_.maxCoeff() > kUneven * rho_.minCoeff();
    const int n = problem_.n_contacts();
    if (n <= FewContacts::kMost && guess()) return;
    std::vector<std::function<void()>> chain;
    std::size_t n_quick = 0;
    const bool has_many = n > kMany && !is_uneven && !has_given_size();
    if (has_many)
      for (const int products : {0, 200, 600, 2200}) {
        if (products > 0) chain.emplace_back([=] { run_projected_gradient(limit(products)); });
        chain.emplace_back([&] { run_standing_still(); });
      }
    chain.emplace_back([&] { sweep_while_it_gains(is_uneven ? 50 : 400); });
    if (n <= kTooMany) {
      if (!has_many) chain.emplace_back([&] { run_newton(limit(15)); });
      const bool has_goal = options_.accepted > 0.0;
      const auto interior_point = [&](bool may_hold_lift) {
        if (!has_bounded())
          chain.emplace_back([=] { run_interior_point(limit(60), may_hold_lift); });
      };
      interior_point(!has_goal);
      chain.emplace_back([&] { run_newton(limit(200)); });
      // What has come so far by Newton's method would hardly get farther by all that is left.
      if (has_goal) interior_point(true);
      n_quick = has_goal ? chain.size() - (has_bounded() ? 0 : 1) : 0;
    }
    chain.emplace_back([&] { sweep(limit(10000)); });
    for (std::size_t i = 0; i < chain.size(); ++i) {
      chain[i]();
      if (is_solved() || result_.error.relative <= options_.sufficient) return;
      if (n_quick > 0 && i + 1 >= n_quick && is_accepted(result_.error)) return;
    }
  }

  void project(VectorXd& r) const {
    for (int i = 0; i < problem_.n_contacts(); ++i)
      r.segment<3>(3 * i) = nearest_force(problem_.laws[i], r, r.segment<3>(3 * i));
  }

  /// Onto the cones: forces of slip that have left them by round-off are stiff in their error.
  void tidy() {
    VectorXd r = result_.r;
    project(r);
    const ContactError error = error_of(r);
    const double allowed = options_.tolerance * problem_.q.norm();
    if (!(error.velocity <= std::max(result_.error.velocity, allowed))) return;
    result_.r = r;
    result_.error = error;
  }

  Result finish() {
    if (options_.method != Method::convex && !result_.attempts.empty()) tidy();
    problem_.W->multiply(result_.r, result_.u);
    result_.u += problem_.q;
    result_.states = contact_states(problem_, result_.r, result_.u);
    result_.has_converged =
        result_.error.velocity <= options_.tolerance * problem_.q.norm();  // false for NaN
    if (options_.method == Method::convex) find_gap_opening();
    return std::move(result_);
  }

  void find_gap_opening() {
    // Below, it is the error of the solution.
    const double least =
        10.0 * std::max(result_.error.velocity, options_.tolerance * problem_.q.norm());
    result_.gap_opening = least;
    for (int i = 0; i < problem_.n_contacts(); ++i) {
      const double u_N = result_.u[3 * i];
      const bool has_force = result_.r[3 * i] > rho_[i] * least;
      if (!has_force || u_N <= result_.gap_opening) continue;
      result_.gap_opening = u_N;
      result_.gap_opening_at = i;
    }
    if (result_.gap_opening_at < 0) result_.gap_opening = 0.0;
    if (result_.gap_opening_at >= 0)
      base::log_info(
          "friction by the method `convex`: contacts that slip open with mu times their speed; the largest is {:.3g} m/s at contact {}",
          result_.gap_opening, problem_.name(result_.gap_opening_at));
  }

  const Problem& problem_;
  const Options& options_;
  const ContactBlocks* blocks_;
  VectorXd rho_;
  Result result_;
};

}  // namespace

const char* name(Method method) {
  switch (method) {
    case Method::automatic:
      return "automatic";
    case Method::newton:
      return "newton";
    case Method::gauss_seidel:
      return "gauss_seidel";
    case Method::interior_point:
      return "interior_point";
    case Method::projected_gradient:
      return "projected_gradient";
    case Method::convex:
      return "convex";
  }
  return "";
}

Result try_solve(const Problem& problem, const Options& options, const VectorXd& start) {
  const base::LogStage stage(base::Stage::contacts);
  check(problem);
  return Solution(problem, options, start).run();
}

Result solve(const Problem& problem, const Options& options, const VectorXd& start) {
  Result result = try_solve(problem, options, start);
  if (!result.has_converged)
    throw base::ComputationError(failure_message(problem, options, result));
  return result;
}

std::string failure_message(const Problem& problem, const Options& options, const Result& result) {
  std::string tried;
  for (const Attempt& attempt : result.attempts)
    tried += fmt::format("{}{} ({} iterations, error {:.1e})", tried.empty() ? "" : ", ",
                         name(attempt.method), attempt.iterations, attempt.relative_error);
  const VectorXd rho = force_scales(*problem.W);
  const ContactError& error = result.error;
  return fmt::format(
      "the forces of {} contacts with friction were not found: error {:.3g} m/s, allowed {:.3g} m/s; tried {}\n  worst is contact {} with {:.3g} m/s; effective masses of the contacts differ by a factor of {:.3g}\n  try a smaller step; contacts that contradict each other, or driven bodies that squeeze a third, have no solution",
      problem.n_contacts(), error.velocity, options.tolerance * problem.q.norm(), tried,
      error.worst < 0 ? std::string("none") : problem.name(error.worst), error.worst_velocity,
      rho.size() ? rho.maxCoeff() / rho.minCoeff() : 1.0);
}

}  // namespace solidyn::solvers::friction
