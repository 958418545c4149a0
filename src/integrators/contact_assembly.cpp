#include "solidyn/integrators/contact_assembly.h"

#include <algorithm>
#include <cmath>

#include "integrators/gap_closing.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

namespace {

// s: what vibrates faster than 1/T hardly deforms, as in a step of that length.
constexpr double kPeriod = 1e-2;
// Of the mechanism's length: overlaps that a start takes.
constexpr double kNone = 1e-9;
// A row of bodies, each in the next one, is moved from one end to the other.
constexpr int kMaxRounds = 100;

class Separation {
 public:
  Separation(system::System& system, double regularization, solvers::Preset preset)
      : system_(system),
        points_(system),
        regularization_(regularization),
        solver_(solvers::make_linear_solver(preset, system.layout().n_unknowns())),
        solve_(*solver_, system.layout().n_velocities(), system.layout().n_constraints(),
               regularization) {
    system_.set_pattern(*solver_);
  }

  void run(State& s) {
    const State before = s.clone();
    const double length = system::characteristic_length(system_);
    double deepest = deepest_overlap(s);
    const bool has_overlaps = deepest > kNone * length;
    for (int round = 0; deepest > kNone * length && round < kMaxRounds; ++round) {
      if (!move(s, length)) break;
      deepest = deepest_overlap(s);
    }
    if (has_overlaps && !(deepest <= kNone * length && violation(s) <= kNone * length)) {
      s.copy_from(before);
      base::log_warning(
          "`start: {{assemble: true}}`: no motion that the joints allow was found that moves apart what overlaps");
    }
    system_.update(s);
    system_.accept(s);
  }

 private:
  // Of the points that there are at these positions.
  double deepest_overlap(State& s) {
    points_.find(system_, s);
    double deepest = 0.0;
    for (int i = 0; i < points_.size(); ++i)
      if (points_.law(i).has_gap()) deepest = std::max(deepest, -points_.gap(i));
    return deepest;
  }

  // Of positions that joints demand.
  double violation(const State& s) {
    VectorXd phi;
    system_.update(s);
    system_.compute_constraints(s, phi);
    double largest = 0.0;
    for (Eigen::Index i = 0; i < phi.size(); ++i)
      if (!system_.layout().is_velocity_level()[static_cast<int>(i)])
        largest = std::max(largest, std::abs(phi[i]));
    return largest;
  }

  bool move(State& s, double length) {
    VectorXd r, phi;
    system_.set_coefficients({1.0, 0.0, 0.0});
    system_.update(s);
    system_.compute_residual(s, r, phi);  // G
    system::System::TangentOptions options;
    options.coefficients = {1.0, 0.0, kPeriod * kPeriod};
    options.regularization = regularization_;
    system_.assemble(s, options, *solver_);
    solver_->factor();
    const ContactFactors factors{solve_,
                                 [this](std::size_t) -> SaddlePointSolve& { return solve_; }, 1.0,
                                 ++n_factors_, units_};
    VectorXd n = VectorXd::Zero(system_.layout().n_velocities());
    const VectorXd q = s.q;
    try {
      return gap_closing_.close(system_, q, s, factors, length, n);
    } catch (const base::ComputationError&) {  // what contradicts each other
      return false;
    }
  }

  system::System& system_;
  ContactPoints points_;
  GapClosing gap_closing_{points_};
  double regularization_;
  std::unique_ptr<solvers::LinearSolver> solver_;
  SaddlePointSolve solve_;
  int n_factors_ = 0;
  UnitSolutions units_;
};

}  // namespace

void separate_overlaps(system::System& system, State& state, double regularization,
                       solvers::Preset preset) {
  Separation(system, regularization, preset).run(state);
}

}  // namespace solidyn::integrators
