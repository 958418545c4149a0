// What Statics does beside Newton's method: dynamic relaxation, and judging equilibria.
#include <fmt/format.h>

#include "equilibrium.h"
#include "free_motion.h"
#include "relaxation.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/base/error.h"
#include "solidyn/base/interrupted.h"
#include "solidyn/base/log.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/forces/force.h"
#include "stability.h"
#include "static_tangent.h"

namespace solidyn::analyses {
namespace {

using system::State;

constexpr double kConsistentRelaxation =
    1e-12;  // m, rad: of the constraints where a relaxation begins
// Newton's method confirms what a relaxation came to when it goes no farther than this, in lengths
// or rad.
constexpr double kConfirmed = 1e-2;
// An unstable equilibrium is left by a push of this size.
constexpr double kPush = 1e-2;
constexpr int kMaxPushes = 10;
// Steps at rest that Newton's method does not confirm, before they are given up.
constexpr int kMaxUnconfirmed = 20;
constexpr double kEndless = 100.0;  // lengths, or rad

void warn_of_neutral(const Stability& stability, double t, bool& has_been_told) {
  if (stability.kind != Stability::Kind::neutral || has_been_told) return;
  has_been_told = true;
  base::log_warning(
      "t = {:.6g}: the equilibrium is not unique, since nothing constrains its position: {}; if this is not intended, add a support or a joint",
      t, stability.description);
}

}  // namespace

void Statics::set_look_up(std::function<void()> look_up) {
  equilibrium_->look_up = std::move(look_up);
}

// Nothing in the model could ever bring to rest what moves freely: no joint, and no force but given
// ones. A full mesh would fall for minutes before that shows.
bool Statics::is_adrift() const {
  for (const bodies::ConstraintIndex i : system_.constraints())
    if (system_.constraint(i).is_between_bodies()) return false;
  for (const forces::ForceIndex i : system_.forces())
    if (!system_.force(i).is_given_in_time()) return false;
  return !describe_free_motion(system_, state_).empty();
}

bool Statics::relaxes() const {
  if (options_.arc_length || options_.method == StaticsMethod::newton || has_contacts())
    return false;
  return options_.method == StaticsMethod::relaxation || !is_adrift();
}

// An unstable equilibrium is left where a stable one can be found, and kept with a warning else.
void Statics::judge_newton(const State& before) {
  const Stability stability = examine_stability(system_, state_);
  equilibrium_->log_warnings(state_);  // they may be why it is unstable
  equilibrium_->take_over();
  const bool is_unstable = stability.kind == Stability::Kind::unstable;
  const bool is_shown = stability.motion.size() > 0;  // else there is no side to push it to
  if (!is_unstable || !is_shown || !relaxes() || !try_stable(before, stability)) {
    note_instability(stability);
    warn_of_neutral(stability, state_.t, has_told_neutral_);
    if (is_started_) count_work(before, *travel_);
  }
}

bool Statics::try_stable(const State& before, const Stability& stability) {
  const State found = state_.clone();
  Move travel = equilibrium_->make_move();
  travel.add(1.0, *travel_);
  return_to(before);
  try {
    relax(found.t,
          "Newton's method converged to an unstable equilibrium: " + stability.description);
    return true;
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::Interrupted&) {
    throw;
  } catch (const base::ComputationError& e) {
    base::log_info("{}; the unstable equilibrium is kept", e.what());
  }
  state_.copy_from(found);
  take(1.0, travel);
  travel_->t = found.t - before.t;
  equilibrium_->take_over();
  equilibrium_->renew(state_);
  return false;
}

void Statics::note_instability(const Stability& stability) {
  if (stability.kind != Stability::Kind::unstable) return;
  ++statistics_.unstable_equilibria;
  if (statistics_.first_unstable) return;
  statistics_.first_unstable = state_.t;
  std::string text =
      fmt::format("t = {:.6g}: the equilibrium is unstable: {}", state_.t, stability.description);
  if (stability.stiffness < 0.0)
    text += fmt::format(" (stiffness {:.3g} N/m)", stability.stiffness);
  if (options_.arc_length)
    base::log_info("{}", text);
  else
    base::log_warning(
        "{}; this is reported once, and summary.json has the number of unstable equilibria", text);
}

// From the present state to a stable equilibrium at t. @param why not Newton's method; may be empty
void Statics::relax(double t, const std::string& why) {
  const State before = state_.clone();
  const double work_before = work_;
  const std::int64_t steps_before = statistics_.relaxation_steps;
  if (!why.empty()) base::log_info("t = {:.6g}: {}; trying dynamic relaxation", t, why);
  travel_->set_zero();
  std::string reason;
  bool is_interrupted = false;
  try {
    relax_to_rest(t);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::Interrupted& e) {
    reason = e.what();
    is_interrupted = true;
  } catch (const base::InputError& e) {  // drives that cannot be followed
    reason = e.diagnostics().front().what;
  } catch (const base::ComputationError& e) {
    reason = e.what();
  }
  equilibrium_->take_over();
  if (!reason.empty()) {
    return_to(before);
    work_ = work_before;
    if (is_interrupted) throw base::Interrupted(reason);
    throw base::ComputationError(
        fmt::format("t = {:.6g}: no equilibrium was found: {}relaxation: {}{}", t,
                    why.empty() ? "" : why + "; ", reason, describe_free_motion(system_, state_)));
  }
  equilibrium_->evaluate(state_);
  if (is_started_) count_work(before, equilibrium_->make_move());  // of drives
  ++statistics_.relaxed_equilibria;
  base::log_info("t = {:.6g}: dynamic relaxation found the equilibrium in {} steps", t,
                 statistics_.relaxation_steps - steps_before);
}

void Statics::relax_to_rest(double t) {
  state_.t = travel_->t = t;
  system::assemble_positions(system_, state_, kConsistentRelaxation);
  Relaxation relaxation(system_, *equilibrium_, state_, options_.preset);
  int n_pushes = 0, n_unconfirmed = 0;
  for (int i = 0; i < options_.max_relaxation_steps; ++i) {
    if (equilibrium_->look_up) equilibrium_->look_up();
    relax_once(relaxation);
    if (!relaxation.has_settled()) continue;
    Stability stability;
    switch (confirm(stability)) {
      case Confirmation::confirmed:
        return;
      case Confirmation::unstable:
        if (++n_pushes > kMaxPushes)
          throw base::ComputationError("only unstable equilibria were found: " +
                                       stability.description);
        push(stability);
        relaxation.begin_anew(state_);
        break;
      case Confirmation::unconfirmed:
        if (++n_unconfirmed > kMaxUnconfirmed)
          throw base::ComputationError(
              "Newton's method does not converge from the end of the motion");
    }
  }
  throw base::ComputationError(fmt::format(
      "the mechanism did not come to rest in {} steps: {}", options_.max_relaxation_steps,
      describe_last_step("still moves", "a mesh that supports alone hold still deforms")));
}

// @param of_mesh where no small unknown moves
std::string Statics::describe_last_step(const char* does, const char* of_mesh) const {
  const std::string text = describe_motion(
      system_, state_, correction_->small.head(system_.layout().n_velocities()), does);
  return text.empty() ? of_mesh : text;
}

void Statics::relax_once(Relaxation& relaxation) {
  const State before = state_.clone();
  statistics_.newton_iterations += relaxation.step(state_, *correction_);
  take(1.0, *correction_);
  system_.update(state_);
  system_.accept(state_);
  ++statistics_.relaxation_steps;
  if (is_started_) count_work(before, *correction_);
  if (equilibrium_->size(*travel_) > kEndless)
    throw base::ComputationError(
        describe_last_step("continues to move and nothing stops it: it moves",
                           "a mesh that supports alone hold continues to move"));
}

// Ends a relaxation by Newton's method, so that the result meets the same criterion.
Statics::Confirmation Statics::confirm(Stability& stability) {
  const State before = state_.clone();
  Move travel = equilibrium_->make_move();
  travel.add(1.0, *travel_);
  equilibrium_->take_over();
  std::string reason;
  const auto find = [this] {
    equilibrium_->renew(state_);
    return iterate(Corrections::whole);
  };
  bool converged = try_newton(find, reason);
  travel.add(-1.0, *travel_);
  if (converged && equilibrium_->size(travel) > kConfirmed) converged = false;
  if (!converged) {
    state_.copy_from(before);
    take(1.0, travel);
  } else if (is_started_) {
    travel.scale(-1.0);
    count_work(before, travel);
  }
  stability = examine_stability(system_, state_);
  equilibrium_->take_over();
  const bool is_unstable = stability.kind == Stability::Kind::unstable;
  if (is_unstable && stability.motion.size() > 0) return Confirmation::unstable;
  if (is_unstable && converged) note_instability(stability);
  if (converged) return Confirmation::confirmed;
  if (stability.kind != Stability::Kind::neutral) return Confirmation::unconfirmed;
  warn_of_neutral(stability, state_.t, has_told_neutral_);
  return Confirmation::confirmed;
}

// Off an unstable equilibrium, to the side that does not depend on an eigenvector's sign.
void Statics::push(const Stability& stability) {
  const State before = state_.clone();
  Eigen::Index largest = 0;
  const Eigen::VectorXd sizes = stability.motion.cwiseProduct(equilibrium_->weights());
  const double most = sizes.cwiseAbs().maxCoeff();
  while (std::abs(sizes[largest]) < 0.99 * most) ++largest;
  correction_->set_zero();
  correction_->small.head(system_.layout().n_velocities()) =
      (sizes[largest] < 0.0 ? -kPush : kPush) * stability.motion;
  equilibrium_->move_bodies(before, 1.0, *correction_, state_);
  take(1.0, *correction_);
  system::assemble_positions(system_, state_, kConsistentRelaxation);
  if (is_started_) count_work(before, *correction_);
  base::log_info("t = {:.6g}: relaxation converged to an unstable equilibrium: {}; perturbed",
                 state_.t, stability.description);
}

}  // namespace solidyn::analyses
