#include "solidyn/integrators/ed_alpha.h"

#include <fmt/format.h>

#include <cmath>

#include "integrators/contact_step_end.h"
#include "integrators/coupled_stages.h"
#include "integrators/refusals.h"
#include "integrators/rethrow_with_time.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"

namespace solidyn::integrators {

using system::State;

namespace {

// Of h^2 times the change of the acceleration: the error of the trapezoidal rule that the step
// makes of the velocities. That of linear motion is smaller, by (1 - 6 alpha_AR).
constexpr double kTrapezoidalError = 1.0 / 12.0;
// Spectral radii at infinity above this are weakly unstable with constraints.
constexpr double kKeepsErrors = 0.99;

void check_parameters(const EdAlphaOptions& o) {
  if (!(o.rho_infinity >= 0.0 && o.rho_infinity <= 1.0))
    throw base::InputError(fmt::format("rho_infinity = {} of `ed_alpha`", o.rho_infinity),
                           "choose 0 (strongest damping) to 1 (none)");
  if (!(o.alpha_AR > 0.0 && std::isfinite(o.alpha_AR)))
    throw base::InputError(fmt::format("alpha_AR = {} of `ed_alpha`", o.alpha_AR),
                           "choose a value above 0; 1/6 is the most accurate");
}

}  // namespace

EdAlpha::EdAlpha(system::System& system, const EdAlphaOptions& options)
    : end_(std::make_unique<ImplicitStage>(system, options)) {
  check_parameters(options);
  refuse_full_meshes(system, "ed_alpha");
  const double rho = options.rho_infinity;
  if (rho > kKeepsErrors && system.layout().n_constraints() > 0)
    base::log_warning(
        "rho_infinity = {} does not damp errors of the constraint forces, which then stay: use 0.95 or less",
        rho);
  stages_ = std::make_unique<CoupledStages>(system, options, (1.0 - rho) / (1.0 + rho),
                                            options.alpha_AR, *end_);
  if (!end_->contacts().is_empty())
    contacts_ = std::make_unique<ContactStepEnd>(system, *end_, options);
}

EdAlpha::~EdAlpha() = default;

void EdAlpha::initialize(const State& state) {
  end_->begin_anew(state);
  end_->allocate(state);
  stages_->begin_anew();
  before_ = state.clone();
  first_ = state.clone();
}

void EdAlpha::forget_history(const State& state) {
  end_->choose_regularization(state);
  end_->begin_anew(state);
  stages_->begin_anew();
}

void EdAlpha::solve(State& s, double h) {
  using Search = ImplicitStage::Search;
  if (stages_->iterate(before_, h, Search::none, first_, s)) return;
  bool has_converged = false;
  if (stages_->may_need_halves()) {
    stages_->forget_tangent();
    has_converged = stages_->iterate(before_, h, Search::halves, first_, s);
  }
  if (!has_converged) throw base::ComputationError(stages_->failure(before_, s, h));
}

void EdAlpha::step(State& s, double h) {
  require_step(h);
  before_.copy_from(s);
  contact_report_ = {};
  error_estimate_ = 0.0;
  end_->note_start(s);
  bool has_jumped = false;
  try {
    const bool is_brief = contacts_ && contacts_->has_brief_slip(before_, h);
    if (!is_brief) {
      solve(s, h);
      end_->n = stages_->increment();
      end_->require_no_rejection(before_, s);
    }
    if (contacts_) has_jumped = finish_contacts(s, h, is_brief);
  } catch (const base::ComputationError&) {
    s.copy_from(before_);
    stages_->forget_tangent();
    throw;
  }
  ++statistics_.steps;
  gather_statistics();
  if (has_jumped) stages_->forget_tangent();
  if (contact_report_.has_impact()) return;
  error_estimate_ = kTrapezoidalError * h * h * end_->weighted_size(s.a - before_.a);
}

// Whether a contact is closed at the start, or a gap at the end.
bool EdAlpha::is_in_contact(const State& s) const {
  const ContactPoints& points = end_->contacts().points();
  for (int i = 0; i < points.size(); ++i)
    if (points.is_closed(before_, i) || (points.exists(i) && points.gap(i) < 0.0)) return true;
  return false;
}

// Gaps are closed in the metric of one state at the end, of what the step makes of accelerations.
// It is made new where the tangent of the step was, since then the state has gone far, or jumped.
void EdAlpha::prepare_end(const State& s, double h) {
  const StageCoefficients c{h, 2.0 / h, 4.0 / (h * h), 0.25 * h * h};
  if (end_of_tangent_ == stages_->statistics().tangents && end_->has_prepared(c)) return;
  end_->prepare(c, s);
  end_of_tangent_ = stages_->statistics().tangents;
}

// Forces that a step does not resolve: at its start they are not those that were there, or they are
// cut off by its end.
// @param again  whether the step is to be taken by Euler's formula in any case
// @return whether velocities or accelerations have jumped
bool EdAlpha::finish_contacts(State& s, double h, bool again) {
  try {
    if (!again && is_in_contact(s)) {
      prepare_end(s, h);
      again = contacts_->has_left_over_forces(before_, first_) ||
              contacts_->has_left_over_forces(first_, s);
    }
    if (again && !contacts_->take_euler_step(before_, s, h))
      throw base::ComputationError(end_->failure(before_, s, h));
    if (again)
      end_->require_no_rejection(before_, s);
    else
      end_->n = stages_->increment();
    return contacts_->finish(before_, s, h, contact_report_, again);
  } catch (const base::ComputationError&) {
    rethrow_with_time(std::current_exception(), s.t);
  }
}

void EdAlpha::gather_statistics() {
  const IntegratorStatistics &a = stages_->statistics(), &b = end_->statistics();
  statistics_.newton_iterations = a.newton_iterations;
  statistics_.tangents = a.tangents + b.tangents;
  statistics_.linear_solves = a.linear_solves;
  statistics_.assembly_seconds = a.assembly_seconds + b.assembly_seconds;
  statistics_.solve_seconds = a.solve_seconds + b.solve_seconds;
}

void EdAlpha::reject(State& s) {
  s.copy_from(before_);
  --statistics_.steps;
  ++statistics_.rejected_steps;
}

}  // namespace solidyn::integrators
