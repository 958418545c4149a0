#include "solidyn/integrators/petsc_ts.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/timer.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::integrators {
namespace {

using Eigen::Map;
using Eigen::VectorXd;
using system::State;

// Rate at which the length of a quaternion returns to one, 1/s: slower than what drives the step.
constexpr double kQuaternionRate = 1.0;
// Newton's error as a fraction of the tolerance of a step.
constexpr double kNewtonTolerance = 0.02;
constexpr int kMaxNewtonIterations = 10;
constexpr int kJacobianLag = 3;  // a Newton iteration this long may ask for a new Jacobian
constexpr int kMaxRejections = 25;
// Another order must promise a step this much longer.
constexpr double kWorthwhile = 1.15;
constexpr double kDiverged = 1e100;
// rad that a tracked angle may turn by in a step, by the velocities at its start.
constexpr double kCountable = 0.5 * M_PI;

void check(const system::System& system, const PetscTsOptions& o) {
  if (!system.nodal_bodies().empty())
    throw base::InputError(
        fmt::format("body `{}` has a displacement for every node: `bdf` and `runge_kutta` would "
                    "have to resolve each of its frequencies",
                    system.nodal_bodies().front()->name()),
        "use `integrator: generalized_alpha`, or reduce the body to modes (`type: modal`)");
  const auto require = [](bool is_good, const char* name, double value, const char* range) {
    if (!is_good)
      throw base::InputError(fmt::format("{} of the integrator petsc_ts is {}", name, value),
                             fmt::format("give {}", range));
  };
  require(o.relative_tolerance >= 0.0, "relative_tolerance", o.relative_tolerance,
          "a number that is not negative");
  require(o.absolute_tolerance > 0.0, "absolute_tolerance", o.absolute_tolerance,
          "a positive number");
  require(o.max_order >= 1 && o.max_order <= 6, "max_order", o.max_order, "1 to 6");
  require(o.baumgarte_alpha >= 0.0, "baumgarte_alpha", o.baumgarte_alpha,
          "a rate in 1/s that is not negative");
  require(o.baumgarte_beta >= 0.0, "baumgarte_beta", o.baumgarte_beta,
          "a rate in 1/s that is not negative");
  require(o.initial_step >= 0.0, "initial_step", o.initial_step,
          "a time in s, or 0 to have it estimated");
  require(o.max_step > 0.0, "max_step", o.max_step, "a positive time in s");
}

VectorXd copy_of(::Vec v) {
  PetscInt n;
  const PetscScalar* values;
  SOLIDYN_PETSC(VecGetSize(v, &n));
  SOLIDYN_PETSC(VecGetArrayRead(v, &values));
  VectorXd copy = Map<const VectorXd>(values, n);
  SOLIDYN_PETSC(VecRestoreArrayRead(v, &values));
  return copy;
}

bool uses_bdf(::TS ts) {
  PetscBool is_bdf;
  SOLIDYN_PETSC(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ts), TSBDF, &is_bdf));
  return is_bdf;
}

}  // namespace

// C frames: nothing may be thrown through them.
struct PetscTs::Callbacks {
  static PetscErrorCode right_hand_side(::TS ts, PetscReal t, ::Vec y, ::Vec f, void* context) {
    auto& self = *static_cast<PetscTs*>(context);
    const PetscScalar* values;
    PetscScalar* result;
    PetscFunctionBegin;
    // An error that is still here has already made Newton's method fail and the step shorter.
    if (self.pending_error_) self.last_error_ = std::exchange(self.pending_error_, nullptr);
    PetscCall(VecGetArrayRead(y, &values));
    PetscCall(VecGetArrayWrite(f, &result));
    try {
      self.evaluate(t, values, result);
    } catch (...) {
      self.pending_error_ = std::current_exception();
    }
    PetscCall(VecRestoreArrayWrite(f, &result));
    PetscCall(VecRestoreArrayRead(y, &values));
    if (self.pending_error_) {
      SNES snes;
      PetscCall(VecZeroEntries(f));
      PetscCall(TSGetSNES(ts, &snes));
      PetscCall(SNESSetFunctionDomainError(snes));
    }
    PetscFunctionReturn(0);
  }

  static PetscErrorCode jacobian(::TS ts, PetscReal t, ::Vec y, ::Vec, PetscReal shift, ::Mat,
                                 ::Mat matrix, void* context) {
    auto& self = *static_cast<PetscTs*>(context);
    SNES snes;
    PetscInt iteration;
    const PetscScalar* values;
    PetscScalar* entries;
    PetscFunctionBegin;
    PetscCall(TSGetSNES(ts, &snes));
    PetscCall(SNESGetIterationNumber(snes, &iteration));
    if (iteration == 0) self.jacobian_is_new_ = false;
    // Asked again within one iteration: convergence is slow.
    if (iteration > 0 && !self.jacobian_is_new_) self.jacobian_is_stale_ = true;
    if (self.jacobian_is_stale_) {
      PetscCall(VecGetArrayRead(y, &values));
      try {
        self.compute_jacobian(t, values);
      } catch (...) {
        self.pending_error_ = std::current_exception();
      }
      PetscCall(VecRestoreArrayRead(y, &values));
      if (self.pending_error_) PetscCall(SNESSetJacobianDomainError(snes));
    }
    PetscCall(MatDenseGetArrayWrite(matrix, &entries));
    const Eigen::Index n = self.jacobian_.rows();
    Map<Eigen::MatrixXd> A(entries, n, n);
    A = -self.jacobian_;
    A.diagonal().array() += shift;
    PetscCall(MatDenseRestoreArrayWrite(matrix, &entries));
    PetscCall(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
  }

  // The error of the iterate, estimated from the last increment and the rate of convergence, in
  // units of the tolerance of the step.
  static PetscErrorCode has_converged(SNES snes, PetscInt iteration, PetscReal, PetscReal,
                                      PetscReal residual, SNESConvergedReason* reason,
                                      void* context) {
    auto& self = *static_cast<PetscTs*>(context);
    ::Vec increment, y;
    PetscFunctionBegin;
    *reason = SNES_CONVERGED_ITERATING;
    if (residual == 0.0) *reason = SNES_CONVERGED_FNORM_ABS;
    if (!std::isfinite(residual)) *reason = SNES_DIVERGED_FNORM_NAN;
    if (*reason || iteration == 0) PetscFunctionReturn(0);
    PetscCall(SNESGetSolutionUpdate(snes, &increment));
    PetscCall(SNESGetSolution(snes, &y));
    const double size = self.weighted_norm(copy_of(increment), copy_of(y));
    const double rate = iteration == 1 ? 0.3 : size / self.newton_size_;
    self.newton_size_ = size;
    if (size == 0.0 || (rate < 1.0 && size * rate / (1.0 - rate) < kNewtonTolerance))
      *reason = SNES_CONVERGED_SNORM_RELATIVE;
    else if (iteration > 1 && rate > 2.0 && self.jacobian_is_new_)
      *reason = SNES_DIVERGED_DTOL;
    PetscFunctionReturn(0);
  }

  // Asked after each stage: a stage whose evaluation failed is repeated with a shorter step.
  static PetscErrorCode is_in_domain(::TS ts, PetscReal, ::Vec, PetscBool* accept) {
    void* context;
    PetscFunctionBegin;
    PetscCall(TSGetApplicationContext(ts, &context));
    auto& self = *static_cast<PetscTs*>(context);
    *accept = self.pending_error_ ? PETSC_FALSE : PETSC_TRUE;
    if (self.pending_error_) self.last_error_ = std::exchange(self.pending_error_, nullptr);
    PetscFunctionReturn(0);
  }
};

PetscTs::PetscTs(system::System& system, const PetscTsOptions& options)
    : system_(system), options_(options) {
  check(system, options);
  solver_ = solvers::make_linear_solver(options_.preset, system_.n_unknowns());
  system_.set_pattern(*solver_);
}

void PetscTs::create(int n) {
  base::Ts ts;
  SOLIDYN_PETSC(TSCreate(PETSC_COMM_SELF, ts.out()));
  SOLIDYN_PETSC(TSSetApplicationContext(ts, this));
  SOLIDYN_PETSC(TSSetProblemType(ts, TS_NONLINEAR));
  const bool is_bdf = options_.type == PetscTsOptions::Type::bdf;
  SOLIDYN_PETSC(TSSetType(ts, is_bdf ? TSBDF : TSRK));
  if (is_bdf)
    SOLIDYN_PETSC(TSBDFSetOrder(ts, options_.max_order));
  else
    SOLIDYN_PETSC(TSRKSetType(ts, options_.rk_type.c_str()));

  base::Vec y;
  base::Mat matrix;
  SOLIDYN_PETSC(VecCreateSeq(PETSC_COMM_SELF, n, y.out()));
  SOLIDYN_PETSC(MatCreateSeqDense(PETSC_COMM_SELF, n, n, nullptr, matrix.out()));
  SOLIDYN_PETSC(TSSetRHSFunction(ts, nullptr, Callbacks::right_hand_side, this));
  SOLIDYN_PETSC(TSSetIJacobian(ts, matrix, matrix, Callbacks::jacobian, this));
  SOLIDYN_PETSC(TSSetFunctionDomainError(ts, Callbacks::is_in_domain));
  SOLIDYN_PETSC(TSSetMaxSteps(ts, PETSC_MAX_INT));
  SOLIDYN_PETSC(TSSetMaxStepRejections(ts, kMaxRejections));
  SOLIDYN_PETSC(TSSetMaxSNESFailures(ts, -1));
  SOLIDYN_PETSC(TSSetErrorIfStepFails(ts, PETSC_FALSE));
  SOLIDYN_PETSC(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
  TSAdapt adapt;
  SOLIDYN_PETSC(TSGetAdapt(ts, &adapt));
  SOLIDYN_PETSC(TSAdaptSetType(adapt, TSADAPTBASIC));
  SOLIDYN_PETSC(TSAdaptSetClip(adapt, 0.2, 5.0));

  SNES snes;
  KSP ksp;
  PC pc;
  SNESLineSearch search;
  SOLIDYN_PETSC(TSGetSNES(ts, &snes));
  SOLIDYN_PETSC(SNESSetOptionsPrefix(snes, "ts_"));
  SOLIDYN_PETSC(SNESSetType(snes, SNESNEWTONLS));
  SOLIDYN_PETSC(SNESGetLineSearch(snes, &search));
  SOLIDYN_PETSC(SNESLineSearchSetType(search, SNESLINESEARCHBASIC));
  SOLIDYN_PETSC(SNESSetConvergenceTest(snes, Callbacks::has_converged, this, nullptr));
  SOLIDYN_PETSC(SNESSetTolerances(snes, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT,
                                  kMaxNewtonIterations, PETSC_DEFAULT));
  SOLIDYN_PETSC(SNESSetLagJacobian(snes, kJacobianLag));
  SOLIDYN_PETSC(SNESSetCheckJacobianDomainError(snes, PETSC_TRUE));
  SOLIDYN_PETSC(SNESGetKSP(snes, &ksp));
  SOLIDYN_PETSC(KSPSetType(ksp, KSPPREONLY));
  SOLIDYN_PETSC(KSPGetPC(ksp, &pc));
  SOLIDYN_PETSC(PCSetType(pc, PCLU));

  ts_ = std::move(ts);
  y_ = std::move(y);
  matrix_ = std::move(matrix);
}

// A displacement, a rotation or an elastic coordinate that moves the mechanism by the same fraction
// of its length is as large an error; a velocity that does so in a second, too.
void PetscTs::set_tolerances(int n) {
  const double atol = options_.absolute_tolerance;
  const VectorXd weights = system_.increment_weights(system_.characteristic_length());
  const VectorXd velocity =
      weights.unaryExpr([atol](double w) { return w > 0.0 ? atol / w : atol; });
  absolute_.resize(n);
  absolute_.tail(system_.n_velocities()) = velocity;
  for (int b = 0; b < system_.n_bodies(); ++b) {
    const int q = system_.configuration_offset(b), v = system_.velocity_offset(b);
    const int n_e = system_.body(b).n_elastic(), n_rigid = system_.body(b).n_rigid();
    absolute_.segment(system_.elastic_offset(b), n_e) = velocity.segment(v + n_rigid, n_e);
    if (n_rigid == 0) continue;
    absolute_.segment<3>(q) = velocity.segment<3>(v);
    absolute_.segment<4>(q + 3).setConstant(atol);
  }
  base::Vec tolerance;
  SOLIDYN_PETSC(VecDuplicate(y_, tolerance.out()));
  PetscScalar* values;
  SOLIDYN_PETSC(VecGetArrayWrite(tolerance, &values));
  Map<VectorXd>(values, n) = absolute_;
  SOLIDYN_PETSC(VecRestoreArrayWrite(tolerance, &values));
  // TS keeps a reference of its own.
  SOLIDYN_PETSC(
      TSSetTolerances(ts_, PETSC_DECIDE, tolerance, options_.relative_tolerance, nullptr));
}

void PetscTs::initialize(const State& state) {
  const int n_q = system_.n_configuration(), n = n_q + system_.n_velocities();
  scratch_ = state.clone();
  system_.update(scratch_);
  create(n);
  set_tolerances(n);
  SOLIDYN_PETSC(TSSetFromOptions(ts_));
  SOLIDYN_PETSC(TSGetTolerances(ts_, nullptr, nullptr, &relative_, nullptr));

  VectorXd y(n);
  y << state.q, state.v;
  PetscScalar* values;
  SOLIDYN_PETSC(VecGetArrayWrite(y_, &values));
  Map<VectorXd>(values, n) = y;
  SOLIDYN_PETSC(VecRestoreArrayWrite(y_, &values));
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
  const double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 : 0.01 * d0 / d1;
  const VectorXd probe = y + h0 * f0;
  evaluate(t + h0, probe.data(), f1.data());
  const double d2 = weighted_norm(f1 - f0, y) / h0;
  const double largest = std::max(d1, d2);
  const double h1 =
      largest <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / largest, 1.0 / (order + 1));
  return std::min(100.0 * h0, h1);
}

void PetscTs::evaluate(double t, const double* y, double* f) {
  const int n_q = system_.n_configuration(), n_v = system_.n_velocities();
  scratch_.t = t;
  scratch_.q = Map<const VectorXd>(y, n_q);
  scratch_.v = Map<const VectorXd>(y + n_q, n_v);
  if (!(scratch_.q.lpNorm<Eigen::Infinity>() < kDiverged &&
        scratch_.v.lpNorm<Eigen::Infinity>() < kDiverged))
    throw base::ComputationError(fmt::format("t = {:.6g} s: the motion diverges", t));
  // From zero, so that f depends on t and y alone.
  scratch_.a.setZero();
  scratch_.lambda.setZero();
  {
    base::ScopedTimer timer(statistics_.solve_seconds);
    statistics_.linear_solves += solve_acceleration_equations(
        system_, scratch_,
        {options_.baumgarte_alpha, options_.baumgarte_beta, options_.regularization}, *solver_);
  }
  Map<VectorXd>(f + n_q, n_v) = scratch_.a;
  for (int b = 0; b < system_.n_bodies(); ++b) {
    const int at = system_.configuration_offset(b), from = system_.velocity_offset(b);
    const int n_e = system_.body(b).n_elastic(), n_rigid = system_.body(b).n_rigid();
    Map<VectorXd>(f + system_.elastic_offset(b), n_e) = scratch_.v.segment(from + n_rigid, n_e);
    if (n_rigid == 0) continue;
    const Eigen::Vector4d Q = scratch_.q.segment<4>(at + 3);
    const Eigen::Vector3d w = scratch_.v.segment<3>(from + 3), e = Q.tail<3>();
    Map<Eigen::Vector3d>(f + at) = scratch_.v.segment<3>(from);
    Map<Eigen::Vector4d> dQ(f + at + 3);
    dQ << -0.5 * e.dot(w), 0.5 * (Q[0] * w + e.cross(w));
    dQ += kQuaternionRate * (1.0 - Q.squaredNorm()) * Q;
  }
}

// Forward differences, with steps in proportion to each component's size or to what its absolute
// tolerance calls large.
void PetscTs::compute_jacobian(double t, const double* y) {
  const Eigen::Index n = absolute_.size();
  jacobian_.resize(n, n);
  VectorXd moved = Map<const VectorXd>(y, n), f(n), f_moved(n);
  evaluate(t, y, f.data());
  for (Eigen::Index i = 0; i < n; ++i) {
    const double scale = std::max(std::abs(y[i]), absolute_[i] / options_.absolute_tolerance);
    moved[i] = y[i] + 1.5e-8 * scale;
    evaluate(t, moved.data(), f_moved.data());
    jacobian_.col(i) = (f_moved - f) / (moved[i] - y[i]);
    moved[i] = y[i];
  }
  jacobian_is_stale_ = false;
  jacobian_is_new_ = true;
  ++statistics_.tangents;
}

double PetscTs::step(State& state, double t_end) {
  PetscReal before, after, h;
  PetscInt iterations, iterations_before, rejections, rejections_before;
  SOLIDYN_PETSC(TSGetTime(ts_, &before));
  if (!(t_end > before)) return 0.0;
  SOLIDYN_PETSC(TSSetMaxTime(ts_, t_end));
  SOLIDYN_PETSC(TSGetTimeStep(ts_, &h));
  system_.update(state);
  const double turning = system_.largest_turn(state.v);
  const double countable = turning > 0.0 ? kCountable / turning : options_.max_step;
  SOLIDYN_PETSC(TSSetTimeStep(ts_, std::min({h, options_.max_step, t_end - before, countable})));
  SOLIDYN_PETSC(TSGetSNESIterations(ts_, &iterations_before));
  SOLIDYN_PETSC(TSGetStepRejections(ts_, &rejections_before));
  last_error_ = nullptr;
  const State start = state.clone();
  scratch_.angles = state.angles;
  scratch_.memory = state.memory;
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
  const VectorXd y = copy_of(y_);
  if (max_order_ == 0 && state.memory.size() > 0) require_no_objection(after, y);
  fill(state, after, y);
  const std::string objection =
      system_.turn_objection(0.5 * (after - before) * (start.v + state.v), start.angles);
  if (!objection.empty()) {
    state.copy_from(start);
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: the step is too long: {}\n  ask for smaller tolerances", after, objection));
  }
  ++statistics_.steps;
  if (max_order_ > 0) choose_order(after, y);
  return after - before;
}

// An explicit step goes through a contact, or ends deep inside, without an error that its embedded
// formula could see, and gains energy without bound. Formulas of several steps see the stiffness.
void PetscTs::require_no_objection(double t, const VectorXd& y) {
  fill(scratch_, t, y);
  const std::string objection = system_.objection(t);
  if (objection.empty()) return;
  throw base::ComputationError(fmt::format(
      "t = {:.6g} s: the explicit steps of `runge_kutta` are too long: {}\n  use  integrator: "
      "generalized_alpha  with `adaptive`, whose steps are taken again in shorter ones, or smaller "
      "tolerances",
      t, objection));
}

void PetscTs::fill(State& state, double t, const VectorXd& y) {
  state.t = t;
  state.q = y.head(system_.n_configuration());
  state.v = y.tail(system_.n_velocities());
  for (int b = 0; b < system_.n_bodies(); ++b)
    if (system_.body(b).n_rigid() > 0)
      state.q.segment<4>(system_.configuration_offset(b) + 3).normalize();
  state.a.setZero();
  state.lambda.setZero();
  statistics_.linear_solves += solve_acceleration_equations(
      system_, state, {options_.baumgarte_alpha, options_.baumgarte_beta, options_.regularization},
      *solver_);
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
      "t = {:.6g} s: no step is acceptable, the last one tried was {:.3g} s: {}\n  try larger "
      "tolerances, a smaller `step`, or `integrator: generalized_alpha`",
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
