#include "solidyn/integrators/petsc_ts.h"

#include <fmt/format.h>

#include <cmath>

#include "integrators/index_one_form.h"
#include "integrators/step_remedy.h"
#include "integrators/vector_copy.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/base/timer.h"

namespace solidyn::integrators {
namespace {

using Eigen::Map;
using Eigen::VectorXd;
using system::State;

// Another order must promise a step this much longer.
constexpr double kWorthwhile = 1.15;
constexpr double kDiverged = 1e100;
// rad that a tracked angle may turn by in a step, by the velocities at its start.
constexpr double kCountable = 0.5 * M_PI;

bool uses_bdf(::TS ts) {
  PetscBool is_bdf;
  SOLIDYN_PETSC(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ts), TSBDF, &is_bdf));
  return is_bdf;
}

}  // namespace

void PetscTs::write_solution(const VectorXd& y) {
  PetscScalar* values;
  SOLIDYN_PETSC(VecGetArrayWrite(y_, &values));
  Map<VectorXd>(values, y.size()) = y;
  SOLIDYN_PETSC(VecRestoreArrayWrite(y_, &values));
}

void PetscTs::initialize(const State& state) {
  scratch_ = state.clone();
  system_.update(scratch_);
  if (!form_)
    form_ = options_.is_relative ? make_relative_form(system_, options_)
                                 : make_absolute_form(system_, options_);
  const int n = form_->size() + system_.connectivity().n_islands();
  create(n);
  set_tolerances(n);
  base::obey_options({"the integrator", "ts_"}, [this] { return TSSetFromOptions(ts_); });
  SOLIDYN_PETSC(TSGetTolerances(ts_, nullptr, nullptr, &relative_, nullptr));

  VectorXd y(n);
  work_.setZero(system_.connectivity().n_islands());
  largest_kinetic_ = work_;
  form_->start(scratch_, y.head(form_->size()));
  y.tail(work_.size()) = work_;
  write_solution(y);
  SOLIDYN_PETSC(TSSetSolution(ts_, y_));
  SOLIDYN_PETSC(TSSetTime(ts_, state.t));

  max_order_ = 0;
  if (uses_bdf(ts_)) {
    PetscInt order;
    SOLIDYN_PETSC(TSBDFGetOrder(ts_, &order));
    max_order_ = static_cast<int>(order);
    SOLIDYN_PETSC(TSBDFSetOrder(ts_, std::min(2, max_order_)));
  }
  jacobian_is_stale_ = true;
  pending_error_ = last_error_ = nullptr;
  steps_at_order_ = 0;
  times_.assign(1, state.t);
  solutions_.assign(1, y);
  const double h = options_.initial_step > 0.0 ? options_.initial_step
                                               : estimate_step(state.t, y, max_order_ > 0 ? 1 : 5);
  SOLIDYN_PETSC(TSSetTimeStep(ts_, std::min(h, options_.max_step)));
}

double PetscTs::weighted_norm(const VectorXd& d, const VectorXd& y) const {
  return std::sqrt((d.array() / (absolute_.array() + relative_ * y.array().abs())).square().mean());
}

// Hairer, Norsett & Wanner, Solving ODEs I, II.4: from the first and a rough second derivative.
double PetscTs::estimate_step(double t, const VectorXd& y, int order) {
  VectorXd f0(y.size()), f1(y.size());
  evaluate(t, y.data(), f0.data());
  const double d0 = weighted_norm(y, y), d1 = weighted_norm(f0, y);
  // Round-off of rates that are zero makes ages of it, over which laws cannot be looked at.
  const double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : std::min(options_.max_step, 0.01 * d0 / d1);
  const VectorXd probe = y + h0 * f0;
  evaluate(t + h0, probe.data(), f1.data());
  const double d2 = weighted_norm(f1 - f0, y) / h0;
  const double largest = std::max(d1, d2);
  const double h1 =
      largest <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / largest, 1.0 / (order + 1));
  return std::min(100.0 * h0, h1);
}

void PetscTs::evaluate(double t, const double* y, double* f) {
  const Eigen::Index n = form_->size();
  if (!(Map<const VectorXd>(y, n).lpNorm<Eigen::Infinity>() < kDiverged))
    throw base::ComputationError(fmt::format("t = {:.6g} s: the motion diverges", t));
  scratch_.t = t;
  {
    base::ScopedTimer timer(statistics_.solve_seconds);
    statistics_.linear_solves += form_->evaluate(y, scratch_, f);
  }
  Map<VectorXd> power(f + n, system_.connectivity().n_islands());
  if (form_->exchanges_energy())
    power = system_.external_powers(scratch_);
  else
    power.setZero();
}

// Forward differences, with steps in proportion to each component's size or to what its absolute
// tolerance calls large.
void PetscTs::compute_jacobian(double t, const double* y) {
  const Eigen::Index n = absolute_.size();
  jacobian_.resize(n, n);
  VectorXd moved = Map<const VectorXd>(y, n), f(n), f_moved(n);
  evaluate(t, y, f.data());
  jacobian_.rightCols(system_.connectivity().n_islands()).setZero();  // nothing depends on the work
  for (Eigen::Index i = 0; i < n - system_.connectivity().n_islands(); ++i) {
    const double scale = std::max(std::abs(y[i]), absolute_[i] / options_.absolute_tolerance);
    moved[i] = y[i] + 1.5e-8 * scale;
    evaluate(t, moved.data(), f_moved.data());
    jacobian_.col(i) = (f_moved - f) / (moved[i] - y[i]);
    moved[i] = y[i];
  }
  jacobian_is_stale_ = false;
  jacobian_is_new_ = true;
  n_corrections_ = 0;
  ++statistics_.tangents;
}

namespace {

std::string why_not_projected(system::System& system, const State& before, double t,
                              const std::string& what) {
  const std::string contradiction = contradiction_in_step(system, before, t);
  return contradiction.empty() ? what + singularity_in_step(system, before, t) : contradiction;
}

}  // namespace

double PetscTs::step(State& state, double t_end) {
  PetscReal before, after, h;
  PetscInt iterations, iterations_before, rejections, rejections_before;
  SOLIDYN_PETSC(TSGetTime(ts_, &before));
  if (!(t_end > before)) return 0.0;
  SOLIDYN_PETSC(TSSetMaxTime(ts_, t_end));
  SOLIDYN_PETSC(TSGetTimeStep(ts_, &h));
  system_.update(state);
  set_tolerances_of_work(state);
  const double turning =
      system_.angles().largest_turn(system_.kinematics(), system_.layout(), state.v);
  const double countable = turning > 0.0 ? kCountable / turning : options_.max_step;
  SOLIDYN_PETSC(TSSetTimeStep(ts_, std::min({h, options_.max_step, t_end - before, countable})));
  SOLIDYN_PETSC(TSGetSNESIterations(ts_, &iterations_before));
  SOLIDYN_PETSC(TSGetStepRejections(ts_, &rejections_before));
  last_error_ = nullptr;
  const State start = state.clone();
  scratch_.angles = state.angles;
  scratch_.memory = state.memory;
  before_ = copy_of(y_);
  SOLIDYN_PETSC(TSStep(ts_));
  SOLIDYN_PETSC(TSGetSNESIterations(ts_, &iterations));
  SOLIDYN_PETSC(TSGetStepRejections(ts_, &rejections));
  statistics_.newton_iterations += iterations - iterations_before;
  statistics_.rejected_steps += rejections - rejections_before;
  TSConvergedReason reason;
  SOLIDYN_PETSC(TSGetConvergedReason(ts_, &reason));
  if (reason < 0 || pending_error_) fail(before);

  SOLIDYN_PETSC(TSGetTime(ts_, &after));
  // Round-off must not leave a last step of no length.
  if (t_end - after < 1e-12 * (after - before)) {
    after = t_end;
    SOLIDYN_PETSC(TSSetTime(ts_, t_end));
  }
  VectorXd y = copy_of(y_);
  if (max_order_ == 0 && state.memory.size() > 0) require_no_rejection(after, y);
  try {
    take(state, after, y);
    try {
      if (options_.projection) project(state, y);
    } catch (const base::ComputationError& e) {
      throw base::ComputationError(why_not_projected(system_, start, after, e.what()));
    }
    fill(state, after, y);
    if (options_.projection) form_->settle(state);
  } catch (...) {
    state.copy_from(start);
    throw;
  }
  const std::string rejection =
      system_.angles().rejection(system_.kinematics(), system_.layout(),
                                 0.5 * (after - before) * (start.v + state.v), start.angles);
  if (!rejection.empty()) {
    state.copy_from(start);
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: the step is too long: {}\n  use smaller tolerances", after, rejection));
  }
  ++statistics_.steps;
  work_ = y.tail(system_.connectivity().n_islands());
  if (max_order_ > 0) choose_order(after, y);
  return after - before;
}

// TSBDF takes the solution over into its history when the next step begins; formulas of
// Runge-Kutta that go on from their last stage must look at it again.
void PetscTs::project(State& state, VectorXd& y) {
  statistics_.linear_solves += form_->project(y, state);
  write_solution(y);
  if (max_order_ == 0) SOLIDYN_PETSC(TSRestartStep(ts_));
}

// Of Newton's correction from `before` to `after` what slips allow: friction is steep where they
// reverse. @return whether that is a part
bool PetscTs::limit_slips(const VectorXd& before, VectorXd& after) {
  take(scratch_, scratch_.t, before);
  system_.update(scratch_);
  const std::vector<forces::Slip> slips = system_.slips();
  take(scratch_, scratch_.t, after);
  system_.update(scratch_);
  const double share = forces::share_before_reversal(slips, system_.slips());
  if (share == 1.0) return false;
  after = before + share * (after - before);
  return true;
}

// A step goes through a contact, or ends deep inside, without an error that its formula could see;
// an explicit one then gains energy without bound.
void PetscTs::require_no_rejection(double t, const VectorXd& y) {
  fill(scratch_, t, y);
  const std::string rejection = system_.rejection(t);
  if (rejection.empty()) return;
  if (max_order_ > 0) throw base::ComputationError(rejection);
  throw base::ComputationError(fmt::format(
      "t = {:.6g} s: the explicit steps of `runge_kutta` are too long: {}\n  use  integrator: generalized_alpha  with `adaptive`, which repeats such steps with shorter ones, or smaller tolerances",
      t, rejection));
}

void PetscTs::take(State& state, double t, const VectorXd& y) {
  state.t = t;
  form_->take(y, state);
}

void PetscTs::fill(State& state, double t, const VectorXd& y) {
  state.t = t;
  statistics_.linear_solves += form_->fill(y, state);
}

void PetscTs::fail(double t) {
  PetscReal h;
  SOLIDYN_PETSC(TSGetTimeStep(ts_, &h));
  std::string cause = "the error stays above the tolerance, or Newton does not converge";
  if (pending_error_) last_error_ = std::exchange(pending_error_, nullptr);
  if (last_error_) {
    try {
      std::rethrow_exception(last_error_);
    } catch (const std::exception& e) {
      cause = e.what();
    }
  }
  throw base::ComputationError(fmt::format(
      "t = {:.6g} s: no step was accepted, the last attempt was {:.3g} s: {}\n  try larger tolerances, a smaller `step`, or `integrator: generalized_alpha`",
      t, h, cause));
}

int PetscTs::order() const {
  if (max_order_ == 0) return 0;
  PetscInt order;
  SOLIDYN_PETSC(TSBDFGetOrder(ts_, &order));
  return static_cast<int>(order);
}

// PETSc controls the step at a given order; we give it the order whose local error
//   h^(k+1) |y^(k+1)| / (k+1),  y^(k+1) from divided differences,
// would allow the longest step, as Gear's codes do. An order is kept for k+1 steps first.
void PetscTs::choose_order(double t, const VectorXd& y) {
  times_.push_front(t);
  solutions_.push_front(y);
  const int k = order();
  if (static_cast<int>(times_.size()) > max_order_ + 3) {
    times_.pop_back();
    solutions_.pop_back();
  }
  const int n_points = static_cast<int>(times_.size());
  if (++steps_at_order_ <= k + 1 || n_points < k + 2) return;

  const double h = times_[0] - times_[1];
  std::vector<VectorXd> differences(solutions_.begin(), solutions_.end());
  const int top = std::min({k + 1, max_order_, n_points - 2});
  double scale = 1.0, longest = 0.0, present = 0.0;  // scale: h^(level) (level - 1)!
  int best = k;
  for (int level = 1; level <= top + 1; ++level) {
    for (int i = 0; i + level < n_points; ++i)
      differences[i] = (differences[i] - differences[i + 1]) / (times_[i] - times_[i + level]);
    scale *= level > 1 ? h * (level - 1) : h;
    const int candidate = level - 1;
    if (candidate < std::max(1, k - 1)) continue;
    const double error = scale * weighted_norm(differences[0], y);
    const double factor = std::pow(std::max(error, 1e-30), -1.0 / level);
    if (candidate == k) present = factor;
    if (factor > longest) {
      longest = factor;
      best = candidate;
    }
  }
  if (best == k || longest < kWorthwhile * present) return;
  SOLIDYN_PETSC(TSBDFSetOrder(ts_, best));
  steps_at_order_ = 0;
}

}  // namespace solidyn::integrators
