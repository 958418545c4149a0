// What BodySolver knows of the signs of its matrix' eigenvalues, by the way in which it solves.
#include <algorithm>
#include <cmath>

#include "bodies/nodal_view.h"
#include "body_solver.h"
#include "solidyn/base/log.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/mpi.h"

namespace solidyn::bodies {
namespace {

// Above, CHOLMOD makes L L^T of all but the slenderest bodies, which stops at a negative pivot.
constexpr PetscInt kFewRows = 20000;
// Relative residual of the search. With positive Ritz values alone the residual's part along an
// eigenvector of a negative eigenvalue grows: |p(lambda)| > 1 for lambda < 0, where p(0) = 1 and
// all roots are positive. So a search that gets there has no such part above this one; that of a
// random field is about one over the square root of the number of unknowns.
constexpr double kSearched = 1e-6;

// Random, but the same whatever the partition: by the global number of the row.
void fill_roughly(::Vec b) {
  PetscInt first = 0;
  SOLIDYN_PETSC(VecGetOwnershipRange(b, &first, nullptr));
  WritableNodalView view(b);
  auto values = view.flat();
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    std::uint64_t z = static_cast<std::uint64_t>(first + i + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    values[i] = static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53 - 0.5;
  }
}

bool is_by_cholmod(::PC pc) {
  MatSolverType type = nullptr;
  SOLIDYN_PETSC(PCFactorGetMatSolverType(pc, &type));
  return type && std::string(type) == MATSOLVERCHOLMOD;
}

}  // namespace

BodySolver::Negatives BodySolver::count_negatives() {
  if (!negatives_) negatives_ = find_negatives();
  return *negatives_;
}

BodySolver::Negatives BodySolver::find_negatives() {
  if (indefinite_) return {indefinite_->n_negative(), true};
  // MUMPS counts its negative pivots, and a factor in single precision is used only where the
  // condition number is far from its round-off.
  if (factor_ || uses_single_) return {};
  return is_iterative_ ? search_negatives() : negatives_of_own_factor();
}

// CHOLMOD takes small matrices apart as L D L^T, and goes on over negative pivots without a word;
// so does the LU of other libraries.
BodySolver::Negatives BodySolver::negatives_of_own_factor() {
  ::Mat A = nullptr;
  ::PC pc = nullptr;
  PetscInt n_rows = 0;
  SOLIDYN_PETSC(KSPGetOperators(ksp_, nullptr, &A));
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  SOLIDYN_PETSC(MatGetSize(A, &n_rows, nullptr));
  if (n_rows > kFewRows && is_by_cholmod(pc)) return {};
  const base::LogStage stage(base::Stage::factor);
  Factor factor(comm_, Factor::Kind::indefinite);
  const bool is_done = factor.factorise(A) == Factor::Outcome::done;
  return {is_done ? factor.n_negative() : 0, is_done};
}

// Conjugate gradients stop at a direction p with p.A p < 0, which proves that there is a negative
// eigenvalue; for a field that has a part of every eigenvector they cannot converge without one.
BodySolver::Negatives BodySolver::search_negatives() {
  const base::LogStage stage(base::Stage::solve);
  ::Mat A = nullptr, P = nullptr;
  ::PC pc = nullptr;
  PetscInt most = 0, n = 0;
  SOLIDYN_PETSC(KSPGetOperators(ksp_, &A, &P));
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  SOLIDYN_PETSC(KSPGetTolerances(ksp_, nullptr, nullptr, nullptr, &most));
  base::Ksp search;  // by that name the method itself, whatever the options have made of ksp_
  base::Vec b, x;
  SOLIDYN_PETSC(KSPCreate(comm_, search.out()));
  SOLIDYN_PETSC(KSPSetType(search, KSPCG));
  SOLIDYN_PETSC(KSPSetPC(search, pc));
  SOLIDYN_PETSC(KSPSetOperators(search, A, P));
  SOLIDYN_PETSC(KSPSetTolerances(search, kSearched, 0.0, PETSC_DEFAULT, most));
  SOLIDYN_PETSC(MatCreateVecs(A, x.out(), b.out()));
  fill_roughly(b);
  SOLIDYN_PETSC(KSPSolve(search, b, x));
  KSPConvergedReason reason;
  SOLIDYN_PETSC(KSPGetConvergedReason(search, &reason));
  SOLIDYN_PETSC(KSPGetIterationNumber(search, &n));
  iterations_ += static_cast<int>(n);
  const bool is_found = reason == KSP_DIVERGED_INDEFINITE_MAT;
  if (!std::exchange(has_told_of_search_, true))
    base::log_info(
        "body {}: whether an equilibrium is stable conjugate gradients examine by a solution for a random load: {} ({} iterations)",
        name_,
        is_found      ? "there is a direction of negative stiffness"
        : reason >= 0 ? "no direction of negative stiffness"
                      : fmt::format("not known, {}", KSPConvergedReasons[reason]),
        n);
  return {is_found ? 1 : 0, reason >= 0};
}

}  // namespace solidyn::bodies
