// What rubs: with which velocities it slips, and how far a correction may lead.
#include <algorithm>

#include "integrators/implicit_stage.h"
#include "integrators/newton_rules.h"
#include "solidyn/base/timer.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {

using system::State;

void ImplicitStage::make_consistent_velocities() {
  if (has_steep_forces_)
    consistent_velocities_ =
        std::make_unique<ConsistentVelocities>(system_, options_.preset, options_.regularization);
}

void ImplicitStage::keep_slips() { consistent_velocities_.reset(); }

// Where constraints are met by positions. @pre System::update(s)   @post the same
void ImplicitStage::find_slip_velocities(State& s) {
  if (!consistent_velocities_ || given_) return;
  base::ScopedTimer timer(statistics_.assembly_seconds);
  system_.compute_constraints(s, phi);
  consistent_velocities_->find(s);
}

// Of the first guess, where meeting the constraints changes slips, so that corrections lead along
// them, where Newton's matrix has the derivative of friction. @pre n leads to s
void ImplicitStage::put_on_constraints(State& s) {
  constexpr int kAttempts = 3;
  constexpr double kOfTransition = 0.01;
  if (!consistent_velocities_ || given_) return;
  base::ScopedTimer timer(statistics_.assembly_seconds);
  row_scale_ = 1.0 / c_.acceleration;
  x.setZero(system_.layout().n_unknowns());
  for (int i = 0; i < kAttempts; ++i) {
    system_.update(s);
    system_.compute_constraints(s, phi);
    for (Eigen::Index k = 0; k < phi.size(); ++k)
      if (system_.layout().is_velocity_level()[k]) phi[k] = 0.0;
    const double speed = c_.velocity * phi.lpNorm<Eigen::Infinity>();
    const auto slips = system_.slips();
    if (!phi.allFinite() ||
        std::all_of(slips.begin(), slips.end(), [speed](const forces::Slip& slip) {
          return speed <= kOfTransition * slip.transition_speed;
        }))
      return;
    x.head(n.size()) = consistent_velocities_->increment(s, phi);
    apply(s, 1.0);
  }
}

void ImplicitStage::warn_of_multipliers(State& s) {
  if (!consistent_velocities_ || given_) return;
  base::ScopedTimer timer(statistics_.assembly_seconds);
  consistent_velocities_->warn_of_multipliers(
      s, followed_, round_off_of_multipliers(),
      "or `integrator: ed_alpha`, whose constraint forces do not swing after a jump");
}

// Of the last correction, where the whole leads away: friction is steep where slip reverses.
void ImplicitStage::take_half_back(State& s) {
  apply(s, -0.5);
  x *= 0.5;
  last_increment_ *= 0.5;
}

// What the last correction has of slips that reverse is taken back. Its size remains that of the
// whole, so that a small share does not look like convergence.
void ImplicitStage::stop_at_reversals(State& s) {
  if (slips_.empty()) return;
  system_.update(s);
  find_slip_velocities(s);
  const double share = forces::share_before_reversal(slips_, system_.slips());
  if (share == 1.0) return;
  apply(s, share - 1.0);
  x *= share;
  is_whole_ = false;
  acceleration_.reset();
}

}  // namespace solidyn::integrators
