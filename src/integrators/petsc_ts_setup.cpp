// PETSc's objects, and what it calls.
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "integrators/index_one_form.h"
#include "integrators/vector_copy.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/integrators/petsc_ts.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {
namespace {

using Eigen::Map;
using Eigen::VectorXd;

// Newton's error as a fraction of the tolerance of a step.
constexpr double kNewtonTolerance = 0.02;
constexpr int kMaxNewtonIterations = 10;
constexpr int kJacobianLag = 3;  // a Newton iteration this long may ask for a new Jacobian
// Of an island's largest kinetic energy: nothing depends on the work but the energy balance
// what it is worth. A stop's damper works for a moment only.
constexpr double kOfKinetic = 1e-4;
constexpr double kAnyWork = 1e100;  // J, while all are at rest

void check(const system::System& system, const PetscTsOptions& o) {
  if (!system.layout().nodal_bodies().empty())
    throw base::InputError(
        fmt::format(
            "body `{}` keeps all nodal displacements: `bdf` and `runge_kutta` would have to resolve all of its frequencies",
            system.layout().nodal_bodies().front()->name()),
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
          "a time in s, or 0 for an estimate");
  require(o.max_step > 0.0, "max_step", o.max_step, "a positive time in s");
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

  // TSRK takes a rejected step back by subtracting it. One far too long for what is stiff is so
  // large that its round-off would be left.
  static PetscErrorCode restore_solution(::TS ts, PetscReal) {
    void* context;
    PetscFunctionBegin;
    PetscCall(TSGetApplicationContext(ts, &context));
    auto& self = *static_cast<PetscTs*>(context);
    PetscScalar* values;
    PetscCall(VecGetArrayWrite(self.y_, &values));
    Map<VectorXd>(values, self.before_.size()) = self.before_;
    PetscCall(VecRestoreArrayWrite(self.y_, &values));
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
    const bool was_limited = std::exchange(self.was_limited_, iteration > 0 && self.is_limited_);
    if (residual == 0.0) *reason = SNES_CONVERGED_FNORM_ABS;
    if (!std::isfinite(residual)) *reason = SNES_DIVERGED_FNORM_NAN;
    if (*reason || iteration == 0) PetscFunctionReturn(0);
    PetscCall(SNESGetSolutionUpdate(snes, &increment));
    PetscCall(SNESGetSolution(snes, &y));
    const double size = self.weighted_norm(copy_of(increment), copy_of(y));
    // A Jacobian that has met steep friction gives small corrections where it is not steep. The
    // rate is therefore measured there, between two corrections of one Jacobian that were taken
    // whole.
    const bool is_measured = self.has_slips_ ? self.n_corrections_ > 1 && !was_limited &&
                                                   !self.is_limited_ && iteration > 1
                                             : iteration > 1;
    const double rate = is_measured ? size / self.newton_size_ : 0.3;
    const bool is_known = is_measured || !self.has_slips_;
    self.newton_size_ = size;
    if (size == 0.0 || (is_known && rate < 1.0 && size * rate / (1.0 - rate) < kNewtonTolerance))
      *reason = SNES_CONVERGED_SNORM_RELATIVE;
    else if (iteration > 1 && rate > 2.0 && self.jacobian_is_new_)
      *reason = SNES_DIVERGED_DTOL;
    PetscFunctionReturn(0);
  }

  // Asked with each correction of Newton's method, which may be taken in part.
  static PetscErrorCode limit_correction(SNESLineSearch, ::Vec y, ::Vec, ::Vec corrected,
                                         PetscBool*, PetscBool* is_changed, void* context) {
    auto& self = *static_cast<PetscTs*>(context);
    PetscFunctionBegin;
    try {
      VectorXd after = copy_of(corrected);
      self.is_limited_ = self.limit_slips(copy_of(y), after);
      ++self.n_corrections_;
      PetscScalar* values;
      PetscCall(VecGetArrayWrite(corrected, &values));
      Map<VectorXd>(values, after.size()) = after;
      PetscCall(VecRestoreArrayWrite(corrected, &values));
      *is_changed = PETSC_TRUE;
    } catch (...) {
      self.pending_error_ = std::current_exception();
    }
    PetscFunctionReturn(0);
  }

  // Asked after each stage: a stage whose evaluation failed, and a step of several steps' formula
  // over a contact, which its error estimate has not seen, are repeated with a shorter step.
  static PetscErrorCode is_in_domain(::TS ts, PetscReal t, ::Vec y, PetscBool* accept) {
    void* context;
    PetscFunctionBegin;
    PetscCall(TSGetApplicationContext(ts, &context));
    auto& self = *static_cast<PetscTs*>(context);
    if (!self.pending_error_ && self.max_order_ > 0 && self.scratch_.memory.size() > 0) {
      try {
        self.require_no_rejection(t, copy_of(y));
      } catch (...) {
        self.pending_error_ = std::current_exception();
      }
    }
    *accept = self.pending_error_ ? PETSC_FALSE : PETSC_TRUE;
    if (self.pending_error_) self.last_error_ = std::exchange(self.pending_error_, nullptr);
    PetscFunctionReturn(0);
  }
};

PetscTs::PetscTs(system::System& system, const PetscTsOptions& options)
    : system_(system), options_(options) {
  check(system, options);
}

PetscTs::~PetscTs() = default;

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
  SOLIDYN_PETSC(TSSetRHSFunction(ts, nullptr, Callbacks::right_hand_side, this));
  if (is_bdf) {  // 3 GB of a chain of 10,000 links
    SOLIDYN_PETSC(MatCreateSeqDense(PETSC_COMM_SELF, n, n, nullptr, matrix.out()));
    SOLIDYN_PETSC(TSSetIJacobian(ts, matrix, matrix, Callbacks::jacobian, this));
  }
  SOLIDYN_PETSC(TSSetFunctionDomainError(ts, Callbacks::is_in_domain));
  if (!is_bdf) SOLIDYN_PETSC(TSSetPreStage(ts, Callbacks::restore_solution));
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
  has_slips_ = !system_.slips().empty();
  if (has_slips_)
    SOLIDYN_PETSC(SNESLineSearchSetPostCheck(search, Callbacks::limit_correction, this));
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
  const VectorXd weights = increment_weights(system_, characteristic_length(system_));
  const VectorXd velocity =
      weights.unaryExpr([atol](double w) { return w > 0.0 ? atol / w : atol; });
  absolute_.resize(n);
  absolute_ << form_->tolerances(velocity, atol),
      VectorXd::Constant(system_.connectivity().n_islands(), kAnyWork);
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

// @pre System::update(state)
void PetscTs::set_tolerances_of_work(const system::State& state) {
  const std::vector<bodies::Energy> energies = system_.energies(state);
  for (int i = 0; i < system_.connectivity().n_islands(); ++i) {
    largest_kinetic_[i] = std::max(largest_kinetic_[i], energies[i].kinetic);
    absolute_[absolute_.size() - system_.connectivity().n_islands() + i] =
        largest_kinetic_[i] > 0.0 ? kOfKinetic * largest_kinetic_[i] : kAnyWork;
  }
  ::Vec tolerance;
  PetscScalar* values;
  SOLIDYN_PETSC(TSGetTolerances(ts_, nullptr, &tolerance, nullptr, nullptr));
  SOLIDYN_PETSC(VecGetArrayWrite(tolerance, &values));
  Map<VectorXd>(values, absolute_.size()) = absolute_;
  SOLIDYN_PETSC(VecRestoreArrayWrite(tolerance, &values));
}

}  // namespace solidyn::integrators
