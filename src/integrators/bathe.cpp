#include "solidyn/integrators/bathe.h"

#include <algorithm>
#include <cmath>

#include "integrators/consistent_end.h"
#include "integrators/contact_step_end.h"
#include "integrators/implicit_stage.h"
#include "integrators/refusals.h"
#include "integrators/rethrow_with_time.h"
#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/bodies/nodal_body.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

namespace {

// Changes of accelerations that constraints ask for at the end of a step and that the step
// resolves: of the largest accelerations, or of what the step has changed them by. A smooth motion
// asks for half of the latter, also where it passes zero; a kink of a drive for the whole of it, or
// more.
constexpr double kOfLargest = 0.2, kOfChange = 0.8;

// Of h^3 d^3x/dt^3, what a step of dx/dt = f(x) is off by, with the first part of a step g: of
// halves R(z) - exp(z) = z^3 / 24 + ..., R = (12 + 5 z) / ((3 - z) (4 - z)).
double error_constant(double g) { return (3.0 * g * g - 4.0 * g + 2.0) / (12.0 * (2.0 - g)); }

// The derivative at the end of a step by the values at its start, after its first part and at its
// end, times the step.
struct ThreePoints {
  double start, middle, end;
  explicit ThreePoints(double g)
      : start((1.0 - g) / g), middle(-1.0 / (g * (1.0 - g))), end((2.0 - g) / (1.0 - g)) {}
};

}  // namespace

Bathe::Bathe(system::System& system, const StageOptions& options)
    : system_(system),
      first_(std::make_unique<ImplicitStage>(system, options)),
      second_(std::make_unique<ImplicitStage>(system, options)),
      first_part_(system.layout().nodal_bodies().empty() ? 0.5 : 2.0 - std::sqrt(2.0)) {
  for (ImplicitStage* stage : {first_.get(), second_.get()}) stage->keep_slips();
  if (!second_->contacts().is_empty())
    contacts_ = std::make_unique<ContactStepEnd>(system, *second_, options);
  const bool may_vary = second_->contacts().points().may_vary();
  if (system.layout().nodal_bodies().empty() && system.layout().n_constraints() > 0 && !may_vary)
    end_ = std::make_unique<ConsistentEnd>(system, options, second_->contacts().points());
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
    stage->keep_slips();
    stage->begin_anew(state);
  }
  if (end_) end_->forget();
}

void Bathe::complete(State& s) {
  if (!end_ || last_step_ == 0.0) return;
  const double largest = std::max(second_->weighted_size(before_.a), second_->weighted_size(s.a)),
               change = second_->weighted_size(s.a - before_.a);
  end_->find(*second_, ThreePoints(first_part_).end / last_step_,
             std::max(kOfLargest * largest, kOfChange * change), s);
}

void Bathe::iterate(ImplicitStage& stage, State& s, double h, double velocity) {
  const StageCoefficients c{h, velocity, velocity * velocity, 1.0 / (velocity * velocity)};
  // Small matrices are made of what full-mesh bodies keep, which the other part may have renewed.
  if (!s.nodal.empty()) stage.forget_tangent();
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
  const double part = first_part_ * h;
  first_->n = part * before_.v + 0.5 * part * part * before_.a;
  s.t = before_.t + part;
  s.v = before_.v + part * before_.a;
  system_.advance(before_.q, first_->n, s.q);
  for (bodies::NodalState& nodal : s.nodal) {
    SOLIDYN_PETSC(VecAXPY(nodal.u, part, nodal.du));
    SOLIDYN_PETSC(VecAXPY(nodal.u, 0.5 * part * part, nodal.ddu));
    SOLIDYN_PETSC(VecAXPY(nodal.du, part, nodal.ddu));
  }
  iterate(*first_, s, h, 2.0 / part);
  n_m_ = first_->n;
  v_m_ = s.v;
}

// @param s  as the first one has left it
void Bathe::solve_second_half(State& s, double h) {
  const ThreePoints c(first_part_);
  s.t = before_.t + h;
  s.v = (h * s.a - c.middle * v_m_ - c.start * before_.v) / c.end;
  second_->n = (h * s.v - c.middle * n_m_) / c.end;
  system_.advance(before_.q, second_->n, s.q);
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    bodies::NodalState& nodal = s.nodal[k];
    const bodies::NodalState& first = before_.nodal[k];
    SOLIDYN_PETSC(VecAXPBY(nodal.du, h / c.end, -c.middle / c.end, nodal.ddu));
    SOLIDYN_PETSC(VecAXPY(nodal.du, -c.start / c.end, first.du));
    const double of_middle = -c.middle / c.end;  // of the increments, from `first`
    SOLIDYN_PETSC(VecAXPBY(nodal.u, 1.0 - of_middle, of_middle, first.u));
    SOLIDYN_PETSC(VecAXPY(nodal.u, h / c.end, nodal.du));
  }
  iterate(*second_, s, h, c.end / h);
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
  } catch (const base::ResourceError&) {
    s.copy_from(before_);  // tangents would need what has given out
    throw;
  } catch (const base::ComputationError&) {
    s.copy_from(before_);
    for (ImplicitStage* stage : {first_.get(), second_.get()}) {
      stage->forget_tangent();
      stage->recover_tangents(s);
    }
    throw;
  }
  last_step_ = h;
  ++statistics_.steps;
  gather_statistics();
  if (has_jumped) first_->forget_tangent();
  if (contact_report_.has_impact()) return;
  error_estimate_ = error_constant(first_part_) * h * h * change_of_acceleration(s);
}

double Bathe::change_of_acceleration(const State& s) {
  double change = second_->weighted_size(s.a - before_.a);
  for (std::size_t k = 0; k < s.nodal.size(); ++k)
    change = std::max(change, second_->nodal_change(k, before_.nodal[k].ddu, s.nodal[k].ddu));
  return change;
}

// @pre System::update(s)   @return whether velocities or accelerations have jumped
bool Bathe::finish_contacts(State& s, double h) {
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
