#include "solidyn/integrators/generalized_alpha.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "integrators/anderson_acceleration.h"
#include "integrators/saddle_point_solve.h"
#include "integrators/tangent_renewal.h"
#include "solidyn/base/log.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// Spectral radii at infinity above this are weakly unstable with constraints.
constexpr double kWeaklyStable = 0.99;

// Friction of joints depends on multipliers.
bool has_steep_forces(const system::System& system) {
  for (const forces::ForceIndex i : system.forces())
    if (!system.force(i).constraints().empty()) return system.layout().nodal_bodies().empty();
  return false;
}

// Nodes in the world: the acceleration of a rigid rotation strains what is between them.
bool has_shared_nodes(const system::System& system) {
  return !system.connectivity().superelements().empty() ||
         !system.connectivity().element_bodies().empty();
}

bool has_absolute_meshes(const system::System& system) {
  const auto& bodies = system.layout().nodal_bodies();
  return std::any_of(bodies.begin(), bodies.end(),
                     [](const bodies::NodalBody* body) { return body->n_rigid() == 0; });
}

[[noreturn]] void rethrow_with_time(const std::exception_ptr& error, double t) {
  const auto at_time = [t](const std::exception& e) {
    return fmt::format("t = {:.6g} s: {}", t, e.what());
  };
  try {
    std::rethrow_exception(error);
  } catch (const base::ResourceError& e) {
    throw base::ResourceError(at_time(e));
  } catch (const base::ComputationError& e) {
    throw base::ComputationError(at_time(e));
  }
}

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(system::System& system, const GeneralizedAlphaOptions& options)
    : system_(system),
      options_(options),
      has_steep_forces_(has_steep_forces(system)),
      has_absolute_meshes_(has_absolute_meshes(system)),
      has_shared_nodes_(has_shared_nodes(system)) {
  choose_coefficients();
  acceleration_ = std::make_unique<AndersonAcceleration>();
  renewal_ = std::make_unique<TangentRenewal>();
  solver_ = solvers::make_linear_solver(options_.preset, system_.layout().n_unknowns());
  system_.set_pattern(*solver_);
  solve_ =
      std::make_unique<SaddlePointSolve>(*solver_, system_.layout().n_velocities(),
                                         system_.layout().n_constraints(), options_.regularization);
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

// What is made of the constraints where a run begins.
void GeneralizedAlpha::choose_regularization(const State& state) {
  if (options_.regularization == 0.0) return;
  system_.update(state);
  system_.compute_residual(state, r_, phi_);
  options_.regularization = system::redundancy_regularization(system_);
  solve_ =
      std::make_unique<SaddlePointSolve>(*solver_, system_.layout().n_velocities(),
                                         system_.layout().n_constraints(), options_.regularization);
}

void GeneralizedAlpha::forget_history(const State& state) {
  choose_regularization(state);
  begin_anew(state);
}

void GeneralizedAlpha::begin_anew(const State& state) {
  system_.update(state);
  length_ = system::characteristic_length(system_);
  weights_ = increment_weights(system_, length_);
  largest_velocity_ = largest_acceleration_ = 0.0;
  largest_coordinate_ = 1.0;
  system_.set_pattern(*solver_);  // a factorisation remembers its pivots
  tangent_is_stale_ = true;
  past_ = {};
}

void GeneralizedAlpha::initialize(const State& state) {
  begin_anew(state);
  rotation_tangents_ =
      system::System::RotationTangents(system_.bodies().size(), Eigen::Matrix3d::Identity());
  rhs_.resize(system_.layout().n_unknowns());
  before_ = state.clone();
  memory_.acceleration = state.a;
  memory_.step = 0.0;
  memory_.nodal.clear();
  memory_before_.nodal.clear();
  nodal_increment_.clear();
  for (const bodies::NodalState& nodal : state.nodal) {
    for (auto* list : {&memory_.nodal, &memory_before_.nodal, &nodal_increment_}) {
      base::Vec copy;
      SOLIDYN_PETSC(VecDuplicate(nodal.ddu, copy.out()));
      SOLIDYN_PETSC(VecCopy(nodal.ddu, copy));
      list->push_back(std::move(copy));
    }
  }
}

// After a beginning, and always with meshes in absolute coordinates, the accelerations that leave A
// as it is: what a step does not resolve changes sign in them from step to step, and would invert
// elements.
// Then accelerations and multipliers along the line through the last two states, where that line
// would have been the better guess for the last one; else those of the last state.
void GeneralizedAlpha::guess(State& s, double h) const {
  if (memory_before_.step == 0.0 || has_absolute_meshes_) {
    const double to_A = 1.0 / (1.0 - c_.alpha_f), to_a = -c_.alpha_f * to_A;
    s.a = to_A * memory_before_.acceleration + to_a * s.a;
    for (std::size_t k = 0; k < s.nodal.size(); ++k)
      SOLIDYN_PETSC(VecAXPBY(s.nodal[k].ddu, to_A, to_a, memory_before_.nodal[k]));
  }
  if (!past_.is_smooth) return;
  const double ratio = h / past_.step;
  s.a += ratio * (s.a - past_.a);
  s.lambda += ratio * (s.lambda - past_.lambda);
}

// After a step from before_ to `s`. Nodal accelerations keep the plain guess.
void GeneralizedAlpha::judge_guess(const State& s, double h) {
  if (!s.nodal.empty()) return;
  if (past_.step > 0.0) {
    const double ratio = h / past_.step;
    const double plain = weighted_size(s.a - before_.a);
    past_.is_smooth = weighted_size(s.a - before_.a - ratio * (before_.a - past_.a)) < plain;
  }
  past_.a = before_.a;
  past_.lambda = before_.lambda;
  past_.step = h;
}

// From a guess of the new accelerations.
void GeneralizedAlpha::predict(State& s, double h) {
  const double scale = 1.0 / (1.0 - c_.alpha_m);
  const VectorXd& A = memory_before_.acceleration;
  guess(s, h);
  if (first_offset_.size() > 0) s.v += first_offset_;
  memory_.acceleration =
      scale * ((1.0 - c_.alpha_f) * s.a + c_.alpha_f * before_.a - c_.alpha_m * A);
  n_ = h * s.v + h * h * ((0.5 - c_.beta) * A + c_.beta * memory_.acceleration);
  s.v += h * ((1.0 - c_.gamma) * A + c_.gamma * memory_.acceleration);
  system_.advance(before_.q, n_, s.q);
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
  tangent_is_stale_ = true;
  predict(s, h);
}

void GeneralizedAlpha::step(State& s, double h) {
  if (!(h > 0.0 && std::isfinite(h)))
    throw base::InputError(fmt::format("a step of {} s: a step is finite and longer than 0 s", h));
  before_.copy_from(s);
  // Of accepted states only: velocities of an iteration that diverges must not loosen what follows.
  largest_coordinate_ = std::max(largest_coordinate_, coordinate_size(s));
  largest_velocity_ = std::max(largest_velocity_, velocity_size(s));
  largest_acceleration_ = std::max(largest_acceleration_, acceleration_size(s));
  const bool is_first = memory_.step == 0.0;
  first_offset_.resize(0);
  given_.reset();
  corrected_start_.reset();
  given_memory_.reset();
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
    predict(s, h);
    converged = iterate(s, h, Search::none);
    if (!converged && s.nodal.empty() && (has_steep_forces_ || !slips_.empty())) {
      start_over(s, h);
      converged = iterate(s, h, Search::halves);
    }
    if (converged) require_no_rejection(s);
  } catch (...) {
    error = std::current_exception();
  }
  if (!converged || error) {
    take_memory_back();
    tangent_is_stale_ = true;
    past_ = {};
    const double t = s.t;
    try {
      if (!error) fail(s, h);
      restore(s);
      rethrow_with_time(error, t);
    } catch (const base::ResourceError&) {
      throw;
    } catch (const base::ComputationError&) {
      if (renewal_->is_of_this_step()) {
        system_.update(s);
        renew_nodal_tangents();
      }
      throw;
    }
  }
  ++statistics_.steps;
  estimate_error(h);
  judge_guess(s, h);
}

GeneralizedAlpha::Memory GeneralizedAlpha::copy_of_memory() const {
  Memory copy;
  copy.acceleration = memory_.acceleration;
  copy.step = memory_.step;
  for (const base::Vec& nodal : memory_.nodal) {
    base::Vec v;
    SOLIDYN_PETSC(VecDuplicate(nodal, v.out()));
    SOLIDYN_PETSC(VecCopy(nodal, v));
    copy.nodal.push_back(std::move(v));
  }
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
  past_ = {};
  --statistics_.steps;
  ++statistics_.rejected_steps;
}

// Positions are exact to O(h^2) times (beta - 1/6) times the change of the acceleration.
void GeneralizedAlpha::estimate_error(double h) {
  double change = weighted_size(memory_.acceleration - memory_before_.acceleration);
  // Of nodes in absolute coordinates, of which the small unknowns see the ports only.
  for (std::size_t k = 0; k < memory_.nodal.size(); ++k) {
    if (system_.layout().nodal_bodies()[k]->n_rigid() > 0) continue;
    PetscReal largest = 0.0;
    SOLIDYN_PETSC(VecWAXPY(nodal_increment_[k], -1.0, memory_before_.nodal[k], memory_.nodal[k]));
    SOLIDYN_PETSC(VecNorm(nodal_increment_[k], NORM_INFINITY, &largest));
    change = std::max(change, largest / length_);
  }
  error_estimate_ = std::abs(c_.beta - 1.0 / 6.0) * h * h * change;
}

}  // namespace solidyn::integrators
