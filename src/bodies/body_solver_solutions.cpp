// How BodySolver solves, by what it has set up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bodies/nodal_view.h"
#include "bodies/worst_nodes.h"
#include "body_solver.h"
#include "solidyn/base/log.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/timer.h"

namespace solidyn::bodies {
namespace {

using Eigen::MatrixXd;

// By which one iteration should make the residual smaller: by less a body is told to be slow.
constexpr double kSlowCycle = 1.1, kSlowBlocks = 1.01;

// Borrows the columns' memory.
base::Mat wrap(MPI_Comm comm, const MatrixXd& X) {
  base::Mat wrapped;
  SOLIDYN_PETSC(MatCreateDense(comm, static_cast<PetscInt>(X.rows()), PETSC_DECIDE, PETSC_DETERMINE,
                               static_cast<PetscInt>(X.cols()), const_cast<double*>(X.data()),
                               wrapped.out()));
  return wrapped;
}

}  // namespace

void BodySolver::solve(::Vec b, ::Vec x) {
  if (uses_single_) return solve_roughly(b, x, kIterativeTolerance);
  const base::LogStage stage(base::Stage::solve);
  if (Factor* factor = own_factor()) {
    factor->solve(b, x);
    ++iterations_;
    return;
  }
  if (is_iterative_) return iterate(b, x);
  SOLIDYN_PETSC(KSPSolve(ksp_, b, x));
  iterations_ += base::iterations_of(ksp_, "body " + name_);
}

void BodySolver::iterate(::Vec b, ::Vec x) {
  const base::Timer timer;
  SOLIDYN_PETSC(KSPSolve(ksp_, b, x));
  throw_unless_converged(b, x);
  const int n = base::iterations_of(ksp_, "body " + name_);
  iterations_ += n;
  PetscBool has_guess = PETSC_FALSE;
  SOLIDYN_PETSC(KSPGetInitialGuessNonzero(ksp_, &has_guess));
  if (!has_guess) tell_convergence(n, timer.seconds());
}

// After each set-up, of the first solution from zero: how fast iterations converge, and what they
// cost. One iteration alone does not say it.
void BodySolver::tell_convergence(int n, double seconds) {
  if (has_told_ || n < 2) return;
  has_told_ = true;
  PetscReal tolerance = 0.0;
  SOLIDYN_PETSC(KSPGetTolerances(ksp_, &tolerance, nullptr, nullptr, nullptr));
  const double gain = std::pow(tolerance, -1.0 / n);
  const std::string words =
      fmt::format("{} iterations for a residual of {:.0e}, each makes it {:.3g} times smaller", n,
                  tolerance, gain);
  base::log_info("body {}: {} and takes {:.2g} s", name_, words, seconds / n);
  const bool has_blocks = logged_ == "the nodes' blocks";
  if (has_warned_ || gain > (has_blocks ? kSlowBlocks : kSlowCycle)) return;
  has_warned_ = true;
  base::log_warning(
      "body {}: conjugate gradients converge slowly: {}\n  stretched elements, Poisson's ratios near 0.5 and jumps of stiffness are slow: {}",
      name_, words,
      has_blocks
          ? fmt::format("try -{}pc_type mg, or gamg", prefix_)
          : fmt::format(
                "try -{}mg_levels_ksp_max_it 4, or where memory allows a factor, -{}pc_type cholesky",
                prefix_, prefix_));
}

void BodySolver::throw_unless_converged(::Vec b, ::Vec x) const {
  KSPConvergedReason reason;
  SOLIDYN_PETSC(KSPGetConvergedReason(ksp_, &reason));
  if (reason >= 0 || !mesh_) return;
  PetscInt n = 0;
  SOLIDYN_PETSC(KSPGetIterationNumber(ksp_, &n));
  if (reason == KSP_DIVERGED_INDEFINITE_MAT || reason == KSP_DIVERGED_INDEFINITE_PC)
    throw NotPositiveDefinite(fmt::format(
        "body {}: the linear solver stopped after {} iterations: the matrix is not positive definite, or an element is nearly inverted\n  take smaller steps, or where memory allows a factor, -{}pc_type cholesky instead of -{}ksp_type cg",
        name_, n, prefix_, prefix_));
  throw base::ComputationError(fmt::format(
      "body {}: the linear solver stopped after {} iterations ({})\n  the residual is largest at the nodes {}: look at the elements there; a factor does not depend on their shape (-{}pc_type cholesky)",
      name_, n, KSPConvergedReasons[reason], describe_worst_nodes(ksp_, b, x, *mesh_), prefix_));
}

template <class Solve>
auto BodySolver::with_tolerance(double tolerance, Solve&& solve) {
  PetscReal before = 0.0;
  SOLIDYN_PETSC(KSPGetTolerances(ksp_, &before, nullptr, nullptr, nullptr));
  struct Restore {
    BodySolver& solver;
    double tolerance;
    ~Restore() {  // no error of PETSc's may leave a destructor; it has taken this number before
      KSPSetTolerances(solver.ksp_, tolerance, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT);
    }
  } restore{*this, before};
  set_tolerance(std::max(before, tolerance));
  return solve();
}

void BodySolver::solve_roughly(::Vec b, ::Vec x, double tolerance) {
  if (uses_single_) {
    const base::LogStage stage(base::Stage::solve);
    ++iterations_;
    if (single_->solve(b, x, tolerance)) return;
    factorise_again("refinement stalls");
  }
  if (!is_iterative_) return solve(b, x);
  with_tolerance(tolerance, [&] { solve(b, x); });
}

MatrixXd BodySolver::solve_roughly(const MatrixXd& B, double tolerance, const MatrixXd& guess) {
  if (uses_single_ && B.cols() > 0) {
    const base::LogStage stage(base::Stage::solve);
    MatrixXd X;
    ++iterations_;
    if (single_->solve(B, X, tolerance)) return X;
    factorise_again("refinement stalls");
  }
  const bool iterates = is_iterative_ && !own_factor();
  return iterates ? with_tolerance(tolerance, [&] { return iterate(B, guess); }) : solve(B);
}

// One by one: KSPMatSolve() forgets a column that did not converge.
MatrixXd BodySolver::iterate(const MatrixXd& B, const MatrixXd& guess) {
  const base::LogStage stage(base::Stage::solve);
  MatrixXd X(B.rows(), B.cols());
  if (B.cols() == 0) return X;
  ::Mat A = nullptr;
  base::Vec b, x;
  SOLIDYN_PETSC(KSPGetOperators(ksp_, &A, nullptr));
  SOLIDYN_PETSC(MatCreateVecs(A, x.out(), b.out()));
  const bool has_guess = guess.cols() == B.cols();
  struct Restore {
    ::KSP ksp;
    PetscBool before = PETSC_FALSE;
    ~Restore() { KSPSetInitialGuessNonzero(ksp, before); }  // as in with_tolerance()
  } restore{ksp_};
  SOLIDYN_PETSC(KSPGetInitialGuessNonzero(ksp_, &restore.before));
  if (has_guess) SOLIDYN_PETSC(KSPSetInitialGuessNonzero(ksp_, PETSC_TRUE));
  for (Eigen::Index j = 0; j < B.cols(); ++j) {
    WritableNodalView(b).flat() = B.col(j);
    if (has_guess) WritableNodalView(x).flat() = guess.col(j);
    iterate(b, x);
    X.col(j) = NodalView(x).flat();
  }
  return X;
}

MatrixXd BodySolver::solve(const MatrixXd& B) {
  const base::LogStage stage(base::Stage::solve);
  if (B.cols() == 0) return B;
  if (uses_single_) return solve_roughly(B, kIterativeTolerance);
  if (Factor* factor = own_factor()) {
    ++iterations_;
    return factor->solve(B);
  }
  if (is_iterative_) return iterate(B, {});
  MatrixXd X = MatrixXd::Zero(B.rows(), B.cols());
  const base::Mat rhs = wrap(comm_, B), solution = wrap(comm_, X);
  SOLIDYN_PETSC(KSPMatSolve(ksp_, rhs, solution));
  iterations_ += base::iterations_of(ksp_, "body " + name_);
  return X;
}

}  // namespace solidyn::bodies
