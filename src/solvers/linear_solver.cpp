#include "solidyn/solvers/linear_solver.h"

#include <fmt/format.h>

#include "dense_factor_size.h"
#include "klu_solver.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/math/dense.h"

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class DenseSolver final : public LinearSolver {
 public:
  DenseSolver() : LinearSolver(Layout::dense) {}
  const char* name() const override { return "dense LU"; }
  FactorSize factor_size() const override { return dense_factor_size(n_); }
  void factor() override {
    const base::LogStage stage(base::Stage::factor);
    lu_.compute(Eigen::Map<const Eigen::MatrixXd>(values_.data(), n_, n_));
    if (n_ > 0 && !(lu_.smallest_pivot() > 0.0)) throw_singular();
  }
  void solve(const VectorXd& b, VectorXd& x) override {
    const base::LogStage stage(base::Stage::solve);
    x = lu_.solve(b);
  }
  MatrixXd solve_columns(const MatrixXd& B) override {
    const base::LogStage stage(base::Stage::solve);
    return lu_.solve(B);
  }

 private:
  void pattern_changed() override {}
  math::LuFactor lu_;
};

// Zero diagonals delay pivots, for which MUMPS would find no room with its standard 35 % more than
// the analysis asks for; it then calls the matrix singular.
constexpr PetscInt kMumpsWorkspace = 14, kWorkspacePercent = 200;

const base::OptionsReader kReader = {"the mechanism's solver", "system_"};

// One block, which all of a matrix on one rank is where no more are asked for, and its factor.
bool has_factor_of_whole(const std::string& type) {
  if (type != PCBJACOBI && type != PCASM) return false;
  const auto sub = base::option_word(kReader.prefix, "-sub_pc_type");
  if (!sub || *sub != PCLU) return false;
  for (const char* number : {"_blocks", "_local_blocks"})
    if (base::option_count(kReader.prefix, "-pc_" + type + number).value_or(1) > 1) return false;
  return true;
}

// One application of them is no solution.
void refuse_preconditioner_alone(::KSP ksp) {
  PetscBool is_alone = PETSC_FALSE, is_incomplete = PETSC_FALSE;
  PC pc;
  PCType type = nullptr;
  SOLIDYN_PETSC(KSPGetPC(ksp, &pc));
  SOLIDYN_PETSC(PCGetType(pc, &type));
  SOLIDYN_PETSC(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(ksp), KSPPREONLY, &is_alone));
  SOLIDYN_PETSC(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(pc), &is_incomplete, PCNONE,
                                          PCJACOBI, PCPBJACOBI, PCBJACOBI, PCSOR, PCEISENSTAT,
                                          PCICC, PCILU, PCASM, PCGASM, PCGAMG, PCMG, PCHYPRE, ""));
  if (is_alone && is_incomplete && !has_factor_of_whole(type))
    throw base::InputError(
        fmt::format("option -system_pc_type {0} alone takes one application of {0} for a solution",
                    type),
        "give an iteration too, for example  -system_ksp_type gmres");
}

class PetscSolver final : public LinearSolver {
 public:
  PetscSolver() : LinearSolver(Layout::rows) {}
  const char* name() const override { return "PETSc KSP"; }

  void factor() override {
    const base::LogStage stage(base::Stage::factor);
    // The values were written without PETSc's knowledge; assembling again notifies it.
    SOLIDYN_PETSC(MatAssemblyBegin(A_, MAT_FINAL_ASSEMBLY));
    SOLIDYN_PETSC(MatAssemblyEnd(A_, MAT_FINAL_ASSEMBLY));
    SOLIDYN_PETSC(KSPSetOperators(ksp_, A_, A_));
    base::obey_options(kReader, [this] { return KSPSetUp(ksp_); });
    KSPConvergedReason reason;
    SOLIDYN_PETSC(KSPGetConvergedReason(ksp_, &reason));
    if (reason == KSP_DIVERGED_PC_FAILED) fail();
  }

  void solve(const VectorXd& b, VectorXd& x) override {
    const base::LogStage stage(base::Stage::solve);
    x.resize(n_);
    SOLIDYN_PETSC(VecPlaceArray(b_, b.data()));
    SOLIDYN_PETSC(VecPlaceArray(x_, x.data()));
    SOLIDYN_PETSC(KSPSolve(ksp_, b_, x_));
    SOLIDYN_PETSC(VecResetArray(b_));
    SOLIDYN_PETSC(VecResetArray(x_));
    KSPConvergedReason reason;
    SOLIDYN_PETSC(KSPGetConvergedReason(ksp_, &reason));
    if (reason == KSP_DIVERGED_PC_FAILED) fail();
    if (reason < 0) throw_unconverged(reason);
  }

 private:
  // Of iterations that options have chosen: the matrix need not be at fault.
  [[noreturn]] void throw_unconverged(KSPConvergedReason reason) const {
    PetscInt n = 0;
    PetscReal residual = 0.0;
    SOLIDYN_PETSC(KSPGetIterationNumber(ksp_, &n));
    SOLIDYN_PETSC(KSPGetResidualNorm(ksp_, &residual));
    throw NotConverged(fmt::format(
        "the linear solver of the mechanism stopped after {} iterations ({}), the residual is {:.2g}\n  the options were{}: allow more iterations with -system_ksp_max_it, or remove them for a factor",
        n, KSPConvergedReasons[reason], residual, base::options_given(kReader)));
  }
  // MUMPS refuses to factorise again after a failure, so the next factor() has to start anew.
  [[noreturn]] void fail() {
    SOLIDYN_PETSC(KSPReset(ksp_));
    throw_singular();
  }
  void pattern_changed() override {
    columns_.assign(indices_.begin(), indices_.end());
    rows_.assign(starts_.begin(), starts_.end());
    base::Mat A;
    SOLIDYN_PETSC(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n_, n_, rows_.data(), columns_.data(),
                                            values_.data(), A.out()));
    base::Vec b, x;
    SOLIDYN_PETSC(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n_, nullptr, b.out()));
    SOLIDYN_PETSC(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n_, nullptr, x.out()));
    base::Ksp ksp;
    SOLIDYN_PETSC(KSPCreate(PETSC_COMM_SELF, ksp.out()));
    SOLIDYN_PETSC(KSPSetOptionsPrefix(ksp, "system_"));
    SOLIDYN_PETSC(KSPSetOperators(ksp, A, A));
    SOLIDYN_PETSC(KSPSetType(ksp, KSPPREONLY));
    PC pc;
    SOLIDYN_PETSC(KSPGetPC(ksp, &pc));
    SOLIDYN_PETSC(PCSetType(pc, PCLU));
    SOLIDYN_PETSC(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    SOLIDYN_PETSC(PCFactorSetUpMatSolverType(pc));
    ::Mat factor = nullptr;
    SOLIDYN_PETSC(PCFactorGetMatrix(pc, &factor));
    SOLIDYN_PETSC(MatMumpsSetIcntl(factor, kMumpsWorkspace, kWorkspacePercent));
    base::obey_options(kReader, [&] { return KSPSetFromOptions(ksp); });
    refuse_preconditioner_alone(ksp);
    A_ = std::move(A);
    b_ = std::move(b);
    x_ = std::move(x);
    ksp_ = std::move(ksp);
  }

  std::vector<PetscInt> rows_, columns_;
  base::Mat A_;
  base::Vec b_, x_;
  base::Ksp ksp_;
};

}  // namespace

MatrixXd LinearSolver::solve_columns(const MatrixXd& B) {
  MatrixXd X(B.rows(), B.cols());
  VectorXd x;
  for (Eigen::Index column = 0; column < B.cols(); ++column) {
    solve(B.col(column), x);
    X.col(column) = x;
  }
  return X;
}

void LinearSolver::throw_singular() const {
  throw base::ComputationError(std::string("the iteration matrix is singular (") + name() + ")");
}

std::unique_ptr<LinearSolver> make_linear_solver(Preset preset, int n) {
  if (preset == Preset::direct) return std::make_unique<PetscSolver>();
  if (n <= kDenseUpTo) return std::make_unique<DenseSolver>();
  return std::make_unique<KluSolver>();
}

}  // namespace solidyn::solvers
