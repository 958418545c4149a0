#include "solidyn/integrators/generalized_alpha.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "integrators/contact_step_end.h"
#include "integrators/implicit_stage.h"
#include "integrators/refusals.h"
#include "integrators/rethrow_with_time.h"
#include "integrators/vector_copy.h"
#include "solidyn/base/log.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/scales.h"
#include "solidyn/system/turning_elements.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// Spectral radii at infinity above this are weakly unstable with constraints.
constexpr double kWeaklyStable = 0.99;

// Nodes in the world: the acceleration of a rigid rotation strains what is between them.
bool has_shared_nodes(const system::System& system) {
  return !system.connectivity().superelements().empty() || system::has_turning_elements(system);
}

bool has_absolute_meshes(const system::System& system) {
  const auto& bodies = system.layout().nodal_bodies();
  return std::any_of(bodies.begin(), bodies.end(),
                     [](const bodies::NodalBody* body) { return body->n_rigid() == 0; });
}

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(system::System& system, const GeneralizedAlphaOptions& options)
    : system_(system),
      options_(options),
      has_absolute_meshes_(has_absolute_meshes(system)),
      has_shared_nodes_(has_shared_nodes(system)),
      stage_(std::make_unique<ImplicitStage>(system, options)) {
  choose_coefficients();
  if (!stage_->contacts().is_empty())
    contacts_ = std::make_unique<ContactStepEnd>(system, *stage_, options);
}

GeneralizedAlpha::~GeneralizedAlpha() = default;

void GeneralizedAlpha::choose_coefficients() {
  const double alpha = options_.hht_alpha.value_or(0.0);
  const double rho = options_.hht_alpha ? (1.0 + alpha) / (1.0 - alpha) : options_.rho_infinity;
  c_.alpha_m = options_.hht_alpha ? 0.0 : (2.0 * rho - 1.0) / (rho + 1.0);
  c_.alpha_f = options_.hht_alpha ? -alpha : rho / (rho + 1.0);
  c_.gamma = 0.5 + c_.alpha_f - c_.alpha_m;
  c_.beta = 0.25 * (c_.gamma + 0.5) * (c_.gamma + 0.5);
  if (rho <= kWeaklyStable || system_.layout().n_constraints() == 0) return;
  const std::string choice =
      options_.hht_alpha ? fmt::format("alpha = {}", alpha) : fmt::format("rho_infinity = {}", rho);
  base::log_warning(
      "{} does not damp errors of the constraint forces, which then grow with index-3 constraints: use {}",
      choice, options_.hht_alpha ? "-0.03 or less" : "0.95 or less");
}

const IntegratorStatistics& GeneralizedAlpha::statistics() const { return stage_->statistics(); }
double GeneralizedAlpha::characteristic_length() const { return stage_->length(); }
const VectorXd& GeneralizedAlpha::violation() const { return stage_->phi; }

void GeneralizedAlpha::forget_history(const State& state) {
  stage_->choose_regularization(state);
  begin_anew(state);
}

void GeneralizedAlpha::begin_anew(const State& state) {
  stage_->begin_anew(state);
  past_.forget();
}

void GeneralizedAlpha::initialize(const State& state) {
  begin_anew(state);
  stage_->allocate(state);
  before_ = state.clone();
  memory_.acceleration = state.a;
  memory_.step = 0.0;
  memory_.nodal.clear();
  memory_before_.nodal.clear();
  for (const bodies::NodalState& nodal : state.nodal) {
    for (auto* list : {&memory_.nodal, &memory_before_.nodal})
      list->push_back(copy_of_vector(nodal.ddu));
  }
}

// After a beginning, and always with meshes in absolute coordinates, the accelerations that make A
// what it was, or with such meshes what AccelerationForecast makes of it: what a step does not
// resolve changes sign in them from step to step, and would invert elements.
// Then what the last states let expect of accelerations and multipliers, where that would have been
// the better guess for the last one; else those of the last state.
void GeneralizedAlpha::guess(State& s, double h) const {
  if (memory_before_.step == 0.0 || has_absolute_meshes_) {
    const double share = 1.0 / (1.0 - c_.alpha_f), to_A = c_.alpha_m * share,
                 to_new = (1.0 - c_.alpha_m) * share, to_a = -c_.alpha_f * share;
    VectorXd A_new = memory_before_.acceleration;
    std::vector<base::Vec> nodal_A_new = copies(memory_before_.nodal);
    if (AccelerationForecast* forecast = stage_->forecast())
      forecast->replace(system_, before_, h, A_new, nodal_A_new);
    s.a = to_new * A_new + to_A * memory_before_.acceleration + to_a * s.a;
    for (std::size_t k = 0; k < s.nodal.size(); ++k)
      SOLIDYN_PETSC(
          VecAXPBYPCZ(s.nodal[k].ddu, to_new, to_A, to_a, nodal_A_new[k], memory_before_.nodal[k]));
  }
  past_.extrapolate(h, s.a, s.lambda);
}

// After a step from before_ to `s`. Nodal accelerations keep the plain guess.
void GeneralizedAlpha::judge_guess(const State& s, double h) {
  if (s.nodal.empty())
    past_.note(h, {before_.a, before_.lambda}, {s.a, s.lambda}, stage_->weights(),
               Extrapolation::Most::clearly);
}

// From a guess of the new accelerations.
void GeneralizedAlpha::predict(State& s, double h) {
  const double scale = 1.0 / (1.0 - c_.alpha_m);
  const VectorXd& A = memory_before_.acceleration;
  guess(s, h);
  if (first_offset_.size() > 0) s.v += first_offset_;
  memory_.acceleration =
      scale * ((1.0 - c_.alpha_f) * s.a + c_.alpha_f * before_.a - c_.alpha_m * A);
  stage_->n = h * s.v + h * h * ((0.5 - c_.beta) * A + c_.beta * memory_.acceleration);
  s.v += h * ((1.0 - c_.gamma) * A + c_.gamma * memory_.acceleration);
  system_.advance(before_.q, stage_->n, s.q);
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    bodies::NodalState& nodal = s.nodal[k];
    ::Vec A_before = memory_before_.nodal[k], A_new = memory_.nodal[k];
    SOLIDYN_PETSC(VecCopy(nodal.ddu, A_new));
    SOLIDYN_PETSC(VecAXPBY(A_new, -scale * c_.alpha_m, scale * (1.0 - c_.alpha_f), A_before));
    SOLIDYN_PETSC(VecAXPY(A_new, scale * c_.alpha_f, before_.nodal[k].ddu));
    SOLIDYN_PETSC(VecAXPY(nodal.u, h, nodal.du));
    SOLIDYN_PETSC(VecAXPY(nodal.u, h * h * (0.5 - c_.beta), A_before));
    SOLIDYN_PETSC(VecAXPY(nodal.u, h * h * c_.beta, A_new));
    SOLIDYN_PETSC(VecAXPY(nodal.du, h * (1.0 - c_.gamma), A_before));
    SOLIDYN_PETSC(VecAXPY(nodal.du, h * c_.gamma, A_new));
  }
}

// The step from its first guess again.
void GeneralizedAlpha::start_over(State& s, double h) {
  s.copy_from(before_);
  s.t += h;
  stage_->forget_tangent();
  predict(s, h);
}

bool GeneralizedAlpha::iterate(State& s, double h) {
  using Search = ImplicitStage::Search;
  const StageCoefficients c = step_coefficients(h);
  const AlgorithmicAcceleration A{&memory_.acceleration, &memory_.nodal, 1.0 / (c_.beta * h * h)};
  AccelerationForecast* forecast = stage_->forecast();
  const bool is_forecast = forecast && forecast->is_used();
  try {
    if (stage_->iterate(c, before_, s, Search::none, A)) return true;
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError&) {  // on all ranks alike
    if (!is_forecast) throw;
  }
  if (is_forecast) {  // once more, from the accelerations before
    forecast->forget();
    stage_->recover_tangents(before_);
    start_over(s, h);
    return stage_->iterate(c, before_, s, Search::none, A);
  }
  if (!stage_->may_need_halves(s)) return false;
  start_over(s, h);
  return stage_->iterate(c, before_, s, Search::halves, A);
}

void GeneralizedAlpha::step(State& s, double h) {
  require_step(h);
  before_.copy_from(s);
  stage_->note_start(s);
  const bool is_first = memory_.step == 0.0;
  first_offset_.resize(0);
  given_.reset();
  corrected_start_.reset();
  given_memory_.reset();
  contact_report_ = {};
  takes_euler_step_ = false;
  error_estimate_ = 0.0;
  if (is_first)
    begin(s, h);
  else
    adapt_memory(s, h);
  std::swap(memory_before_, memory_);
  if (is_first) memory_before_.step = 0.0;  // taken back, the start is one again
  memory_.step = h;
  if (memory_.acceleration.size() != s.a.size()) memory_.acceleration = s.a;
  s.t += h;
  bool converged = false;
  std::exception_ptr error;
  try {
    converged = takes_euler_step_;
    if (!takes_euler_step_) {
      predict(s, h);
      converged = iterate(s, h);
      if (converged) stage_->require_no_rejection(before_, s);
    }
    if (converged && contacts_) converged = finish_contacts(s, h);
  } catch (...) {
    error = std::current_exception();
  }
  if (!converged || error) {
    take_memory_back();
    stage_->forget_tangent();
    stage_->forget_forecast();
    past_.forget();
    const double t = s.t;
    try {
      const std::string text = error ? std::string() : stage_->failure(before_, s, h);
      restore(s);
      if (!error) throw base::ComputationError(text);
      rethrow_with_time(error, t);
    } catch (const base::ResourceError&) {
      throw;
    } catch (const base::ComputationError&) {
      stage_->recover_tangents(s);
      throw;
    }
  }
  ++stage_->statistics().steps;
  if (memory_.step == 0.0) {  // begins anew
    stage_->forget_forecast();
    past_.forget();
    // An impact is let through; where contacts only let go, stick or slip the motion is smooth
    // enough.
    if (!contact_report_.has_impact()) estimate_error(h);
    return;
  }
  stage_->warn_of_multipliers(s);
  estimate_error(h);
  judge_guess(s, h);
}

// @pre System::update(s)   @return whether the step has converged
bool GeneralizedAlpha::finish_contacts(State& s, double h) {
  const bool again = takes_euler_step_ || contacts_->has_left_over_forces(before_, s);
  if (again) {
    if (!contacts_->take_euler_step(before_, s, h)) return false;
    stage_->require_no_rejection(before_, s);
  }
  if (!contacts_->finish(before_, s, h, contact_report_, again)) return true;
  memory_.acceleration = s.a;
  memory_.step = 0.0;
  return true;
}

GeneralizedAlpha::Memory GeneralizedAlpha::copy_of_memory() const {
  Memory copy;
  copy.acceleration = memory_.acceleration;
  copy.step = memory_.step;
  copy.nodal = copies(memory_.nodal);
  return copy;
}

// As it was before the step.
void GeneralizedAlpha::take_memory_back() {
  std::swap(memory_before_, memory_);
  if (!given_memory_) return;
  memory_ = std::move(*given_memory_);
  given_memory_.reset();
}

// The state as step() was given it.
void GeneralizedAlpha::restore(State& s) const {
  s.copy_from(before_);
  if (!given_) return;
  s.v = given_->v;
  s.a = given_->a;
  s.lambda = given_->lambda;
}

void GeneralizedAlpha::reject(State& s) {
  restore(s);
  take_memory_back();
  stage_->forget_forecast();
  past_.forget();
  --stage_->statistics().steps;
  ++stage_->statistics().rejected_steps;
}

// Positions are exact to O(h^2) times (beta - 1/6) times the change of the acceleration.
void GeneralizedAlpha::estimate_error(double h) {
  double change = stage_->weighted_size(memory_.acceleration - memory_before_.acceleration);
  for (std::size_t k = 0; k < memory_.nodal.size(); ++k)
    change = std::max(change, stage_->nodal_change(k, memory_before_.nodal[k], memory_.nodal[k]));
  error_estimate_ = std::abs(c_.beta - 1.0 / 6.0) * h * h * change;
}

}  // namespace solidyn::integrators
