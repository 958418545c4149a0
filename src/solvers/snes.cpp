#include "solidyn/solvers/snes.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "solidyn/base/petsc_options.h"

namespace solidyn::solvers {
namespace {

using Eigen::VectorXd;

VectorXd values_of(::Vec v) {
  PetscInt n = 0;
  const PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetLocalSize(v, &n));
  SOLIDYN_PETSC(VecGetArrayRead(v, &values));
  VectorXd result = Eigen::Map<const VectorXd>(values, n);
  SOLIDYN_PETSC(VecRestoreArrayRead(v, &values));
  return result;
}

void set_values(::Vec v, const VectorXd& from) {
  PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArrayWrite(v, &values));
  Eigen::Map<VectorXd>(values, from.size()) = from;
  SOLIDYN_PETSC(VecRestoreArrayWrite(v, &values));
}

void check_options(::SNES snes) {
  PetscBool is_linear = PETSC_FALSE;
  SOLIDYN_PETSC(
      PetscObjectTypeCompare(reinterpret_cast<PetscObject>(snes), SNESKSPONLY, &is_linear));
  const std::string test = base::option_word("system_", "-snes_convergence_test").value_or("");
  if (is_linear || test == "skip")
    throw base::InputError(fmt::format("-system_snes_{} takes what is no solution for one",
                                       is_linear ? "type ksponly" : "convergence_test skip"),
                           "remove it, or choose newtonls or newtontr");
  for (const char* name : {"-snes_rtol", "-snes_atol", "-snes_stol"})
    if (base::has_option("system_", name) && test != "default")
      throw base::InputError(
          fmt::format("-system_{} has no effect: the tolerance is that of the analysis", name + 1),
          "remove it, or give  -system_snes_convergence_test default  too");
  for (const char* name : {"-snes_fd", "-snes_fd_color", "-snes_mf"})
    if (base::has_option("system_", name))
      throw base::InputError(
          fmt::format("-system_{} needs a matrix of its own, and there is that of `preset` alone",
                      name + 1),
          "take  -system_snes_mf_operator  for products by differences");
}

}  // namespace

// Exceptions do not pass through PETSc: they wait until it has returned.
struct Snes::Callbacks {
  static PetscErrorCode residual(::SNES snes, ::Vec y, ::Vec f, void* context) {
    auto& self = *static_cast<Snes*>(context);
    PetscFunctionBegin;
    try {
      self.equations_.evaluate(values_of(y), self.scratch_);
      self.pending_error_ = nullptr;  // of a longer step, which the line search has left
    } catch (...) {
      self.pending_error_ = std::current_exception();
      self.scratch_.setConstant(std::numeric_limits<double>::infinity());
      PetscCall(SNESSetFunctionDomainError(snes));
    }
    set_values(f, self.scratch_);
    PetscFunctionReturn(0);
  }

  static PetscErrorCode jacobian(::SNES, ::Vec y, ::Mat J, ::Mat, void* context) {
    auto& self = *static_cast<Snes*>(context);
    PetscFunctionBegin;
    self.has_factors_ = false;
    try {
      self.equations_.linearise(values_of(y));
      self.has_factors_ = true;
    } catch (...) {
      self.pending_error_ = std::current_exception();
    }
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
  }

  static PetscErrorCode product(::Mat J, ::Vec x, ::Vec y) {
    void* context = nullptr;
    PetscFunctionBegin;
    PetscCall(MatShellGetContext(J, &context));
    set_values(y, static_cast<Snes*>(context)->equations_.product(values_of(x)));
    PetscFunctionReturn(0);
  }

  static PetscErrorCode solve(::PC pc, ::Vec b, ::Vec x) {
    void* context = nullptr;
    PetscFunctionBegin;
    PetscCall(PCShellGetContext(pc, &context));
    auto& self = *static_cast<Snes*>(context);
    VectorXd solution = VectorXd::Zero(self.scratch_.size());
    bool is_solved = self.has_factors_;
    try {
      if (is_solved) self.equations_.solve(values_of(b), solution);
    } catch (...) {
      self.pending_error_ = std::current_exception();
      is_solved = false;
    }
    PetscCall(PCSetFailedReason(pc, is_solved ? PC_NOERROR : PC_SUBPC_ERROR));
    set_values(x, solution);
    PetscFunctionReturn(0);
  }

  static PetscErrorCode has_converged(::SNES snes, PetscInt iteration, PetscReal, PetscReal,
                                      PetscReal residual, SNESConvergedReason* reason,
                                      void* context) {
    auto& self = *static_cast<Snes*>(context);
    ::Vec y = nullptr;
    PetscFunctionBegin;
    *reason = SNES_CONVERGED_ITERATING;
    PetscCall(SNESGetSolution(snes, &y));
    const VectorXd now = values_of(y);
    if (!std::isfinite(residual)) {
      *reason = SNES_DIVERGED_FNORM_NAN;
    } else if (self.has_trust_region_ && self.has_asked_ && now == self.last_) {
      // Of steps that a trust region refuses PETSc does not take SNORM for convergence.
      if (self.n_refused_++ == 0 && self.is_at_round_off(now)) *reason = SNES_CONVERGED_FNORM_ABS;
    } else if (iteration > 0) {
      self.n_refused_ = 0;
      if (self.equations_.has_converged(now - self.last_)) *reason = SNES_CONVERGED_SNORM_RELATIVE;
    } else if (residual == 0.0) {
      *reason = SNES_CONVERGED_FNORM_ABS;
    }
    self.has_asked_ = true;
    self.last_ = now;
    PetscFunctionReturn(0);
  }
};

Snes::Snes(NonlinearEquations& equations, int n, int max_iterations, const char* line_search)
    : equations_(equations), scratch_(VectorXd::Zero(n)) {
  SOLIDYN_PETSC(VecCreateSeq(PETSC_COMM_SELF, n, y_.out()));
  SOLIDYN_PETSC(VecDuplicate(y_, f_.out()));
  SOLIDYN_PETSC(MatCreateShell(PETSC_COMM_SELF, n, n, n, n, this, J_.out()));
  SOLIDYN_PETSC(
      MatShellSetOperation(J_, MATOP_MULT, reinterpret_cast<void (*)()>(Callbacks::product)));
  SOLIDYN_PETSC(SNESCreate(PETSC_COMM_SELF, snes_.out()));
  SOLIDYN_PETSC(SNESSetOptionsPrefix(snes_, "system_"));
  SOLIDYN_PETSC(SNESSetType(snes_, SNESNEWTONLS));
  SOLIDYN_PETSC(SNESSetFunction(snes_, f_, Callbacks::residual, this));
  SOLIDYN_PETSC(SNESSetJacobian(snes_, J_, J_, Callbacks::jacobian, this));
  SOLIDYN_PETSC(SNESSetConvergenceTest(snes_, Callbacks::has_converged, this, nullptr));
  SOLIDYN_PETSC(SNESSetTolerances(snes_, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT,
                                  max_iterations, PETSC_DEFAULT));
  SOLIDYN_PETSC(SNESSetErrorIfNotConverged(snes_, PETSC_FALSE));
  ::SNESLineSearch search = nullptr;
  SOLIDYN_PETSC(SNESGetLineSearch(snes_, &search));
  SOLIDYN_PETSC(SNESLineSearchSetType(search, line_search));
  // The KSP of preset `direct` has the prefix -system_.
  ::KSP ksp = nullptr;
  ::PC pc = nullptr;
  SOLIDYN_PETSC(SNESGetKSP(snes_, &ksp));
  SOLIDYN_PETSC(KSPSetOptionsPrefix(ksp, "system_snes_"));
  SOLIDYN_PETSC(KSPSetType(ksp, KSPPREONLY));
  SOLIDYN_PETSC(KSPGetPC(ksp, &pc));
  SOLIDYN_PETSC(PCSetType(pc, PCSHELL));
  SOLIDYN_PETSC(PCShellSetContext(pc, this));
  SOLIDYN_PETSC(PCShellSetApply(pc, Callbacks::solve));
  base::obey_options({"SNES", "system_snes_"}, [this] { return SNESSetFromOptions(snes_); });
  check_options(snes_);
  PetscBool has_trust_region = PETSC_FALSE;
  SOLIDYN_PETSC(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(snes_.get()),
                                          &has_trust_region, SNESNEWTONTR, SNESNEWTONTRDC, ""));
  has_trust_region_ = has_trust_region == PETSC_TRUE;
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) SOLIDYN_PETSC(SNESMonitorCancel(snes_));
}

bool Snes::solve(VectorXd& y) {
  pending_error_ = nullptr;
  has_asked_ = false;
  n_refused_ = 0;
  last_ = y;
  set_values(y_, y);
  SOLIDYN_PETSC(SNESSolve(snes_, nullptr, y_));
  PetscInt iterations = 0;
  SOLIDYN_PETSC(SNESGetIterationNumber(snes_, &iterations));
  SOLIDYN_PETSC(SNESGetConvergedReason(snes_, &reason_));
  iterations_ = static_cast<int>(iterations);
  y = values_of(y_);
  const std::exception_ptr error = std::exchange(pending_error_, nullptr);
  if (reason_ < 0 && error) std::rethrow_exception(error);
  if (reason_ == SNES_DIVERGED_LINE_SEARCH) return equations_.is_at_round_off(y);
  return reason_ > 0;
}

// Where PETSc asks, which exceptions do not pass through.
bool Snes::is_at_round_off(const VectorXd& y) {
  try {
    return equations_.is_at_round_off(y);
  } catch (...) {
    pending_error_ = std::current_exception();
    return false;
  }
}

std::string Snes::reason() const { return SNESConvergedReasons[reason_]; }

}  // namespace solidyn::solvers
