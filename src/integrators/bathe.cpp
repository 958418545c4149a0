#include "solidyn/integrators/bathe.h"

#include "integrators/contact_step_end.h"
#include "integrators/implicit_stage.h"
#include "integrators/refusals.h"
#include "integrators/rethrow_with_time.h"
#include "solidyn/base/error.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

namespace {

// Of h^3 d^3x/dt^3, what a step of dx/dt = f(x) is off by: R(z) - exp(z) = z^3 / 24 + ...,
// R = (12 + 5 z) / ((3 - z) (4 - z)).
constexpr double kErrorConstant = 1.0 / 24.0;

}  // namespace

Bathe::Bathe(system::System& system, const StageOptions& options)
    : system_(system),
      first_(std::make_unique<ImplicitStage>(system, options)),
      second_(std::make_unique<ImplicitStage>(system, options)) {
  refuse_full_meshes(system, "bathe");
  if (!second_->contacts().is_empty())
    contacts_ = std::make_unique<ContactStepEnd>(system, *second_, options.preset);
}

Bathe::~Bathe() = default;

void Bathe::initialize(const State& state) {
  for (ImplicitStage* stage : {first_.get(), second_.get()}) {
    stage->begin_anew(state);
    stage->allocate(state);
  }
  before_ = state.clone();
}

void Bathe::forget_history(const State& state) {
  for (ImplicitStage* stage : {first_.get(), second_.get()}) {
    stage->choose_regularization(state);
    stage->begin_anew(state);
  }
}

void Bathe::iterate(ImplicitStage& stage, State& s, double h, double velocity) {
  const StageCoefficients c{h, velocity, velocity * velocity, 1.0 / (velocity * velocity)};
  const VectorXd n = stage.n;
  const State guess = s.clone();
  if (stage.iterate(c, before_, s, ImplicitStage::Search::none)) return;
  bool has_converged = false;
  if (stage.may_need_halves(s)) {
    s.copy_from(guess);
    stage.n = n;
    stage.forget_tangent();
    has_converged = stage.iterate(c, before_, s, ImplicitStage::Search::halves);
  }
  if (!has_converged) throw base::ComputationError(stage.failure(before_, s, h));
}

// First guess: the acceleration stays.
void Bathe::solve_first_half(State& s, double h) {
  first_->n = 0.5 * h * before_.v + 0.125 * h * h * before_.a;
  s.t = before_.t + 0.5 * h;
  s.v = before_.v + 0.5 * h * before_.a;
  system_.advance(before_.q, first_->n, s.q);
  iterate(*first_, s, h, 4.0 / h);
  n_m_ = first_->n;
  v_m_ = s.v;
}

void Bathe::solve_second_half(State& s, double h) {
  s.t = before_.t + h;
  s.v = (h * s.a + 4.0 * v_m_ - before_.v) / 3.0;
  second_->n = (h * s.v + 4.0 * n_m_) / 3.0;
  system_.advance(before_.q, second_->n, s.q);
  iterate(*second_, s, h, 3.0 / h);
}

void Bathe::step(State& s, double h) {
  require_step(h);
  before_.copy_from(s);
  contact_report_ = {};
  error_estimate_ = 0.0;
  for (ImplicitStage* stage : {first_.get(), second_.get()}) stage->note_start(s);
  bool has_jumped = false;
  try {
    solve_first_half(s, h);
    solve_second_half(s, h);
    second_->require_no_rejection(before_, s);
    if (contacts_) has_jumped = finish_contacts(s, h);
  } catch (const base::ComputationError&) {
    s.copy_from(before_);
    for (ImplicitStage* stage : {first_.get(), second_.get()}) stage->forget_tangent();
    throw;
  }
  ++statistics_.steps;
  gather_statistics();
  if (has_jumped) first_->forget_tangent();
  if (contact_report_.has_impact()) return;
  error_estimate_ = kErrorConstant * h * h * second_->weighted_size(s.a - before_.a);
}

// @return whether velocities or accelerations have jumped
bool Bathe::finish_contacts(State& s, double h) {
  system_.update(s);
  const bool again = contacts_->has_left_over_forces(before_, s);
  if (again && !contacts_->take_euler_step(before_, s, h))
    throw base::ComputationError(second_->failure(before_, s, h));
  try {
    if (again) second_->require_no_rejection(before_, s);
    return contacts_->finish(before_, s, h, contact_report_, again);
  } catch (const base::ComputationError&) {
    rethrow_with_time(std::current_exception(), s.t);
  }
}

void Bathe::gather_statistics() {
  const IntegratorStatistics &a = first_->statistics(), &b = second_->statistics();
  statistics_.newton_iterations = a.newton_iterations + b.newton_iterations;
  statistics_.tangents = a.tangents + b.tangents;
  statistics_.linear_solves = a.linear_solves + b.linear_solves;
  statistics_.assembly_seconds = a.assembly_seconds + b.assembly_seconds;
  statistics_.solve_seconds = a.solve_seconds + b.solve_seconds;
}

void Bathe::reject(State& s) {
  s.copy_from(before_);
  --statistics_.steps;
  ++statistics_.rejected_steps;
}

}  // namespace solidyn::integrators
