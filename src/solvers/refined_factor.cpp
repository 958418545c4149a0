#include "refined_factor.h"

#include <algorithm>
#include <cmath>

#include "solidyn/base/mpi.h"

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// A refinement that leaves more than this of the change before it leads nowhere.
constexpr double kStalls = 0.3;
constexpr int kMaxRefinements = 20;

}  // namespace

RefinedFactor::RefinedFactor(MPI_Comm comm, Aim aim)
    : comm_(comm),
      factor_(comm, SymmetricFactor::Kind::positive_definite, Precision::single, aim) {}

RefinedFactor::Outcome RefinedFactor::factorise(::Mat A) {
  SOLIDYN_PETSC(PetscObjectReference(reinterpret_cast<PetscObject>(A)));
  base::Mat kept;
  *kept.out() = A;
  A_ = std::move(kept);
  from_ = base::Vec();
  to_ = base::Vec();
  SOLIDYN_PETSC(MatCreateVecs(A_, from_.out(), to_.out()));
  const Outcome outcome = factor_.factorise(A_);
  if (outcome == Outcome::done) measure();
  return outcome;
}

// Errors along soft shapes are those that stay: what the factor makes of a rough field has them.
void RefinedFactor::measure() {
  PetscInt first = 0, last = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(A_, &first, &last));
  const bool is_known = base::sum(comm_, std::int64_t{soft_.size() != last - first}) == 0;
  MatrixXd error(last - first, 1);
  if (is_known)
    error.col(0) = soft_;
  else
    for (PetscInt i = first; i < last; ++i)
      error(i - first) = std::sin(1.0 + 1.7 * i * (i % 7 + 1));
  rate_ = 0.0;
  soft_.resize(0);
  for (int i = 0; i < (is_known ? 1 : 2); ++i) {
    const double before = norms(error)[0];
    error -= factor_.solve(multiply(error));
    const double after = norms(error)[0];
    rate_ = before > 0.0 ? std::max(rate_, after / before) : rate_;
    if (!std::isfinite(after)) rate_ = after;
    if (after > 0.0 && std::isfinite(after)) soft_ = error.col(0) / after;
  }
}

MatrixXd RefinedFactor::multiply(const MatrixXd& X) {
  MatrixXd Y(X.rows(), X.cols());
  for (Eigen::Index k = 0; k < X.cols(); ++k) {
    SOLIDYN_PETSC(VecPlaceArray(from_, X.col(k).data()));
    SOLIDYN_PETSC(VecPlaceArray(to_, Y.col(k).data()));
    SOLIDYN_PETSC(MatMult(A_, from_, to_));
    SOLIDYN_PETSC(VecResetArray(from_));
    SOLIDYN_PETSC(VecResetArray(to_));
  }
  return Y;
}

// Of the columns, over all ranks.
VectorXd RefinedFactor::norms(const MatrixXd& X) const {
  VectorXd sums = X.colwise().squaredNorm().transpose();
  base::sum_in_place(comm_, sums.data(), static_cast<int>(sums.size()));
  return sums.cwiseSqrt();
}

bool RefinedFactor::solve(const MatrixXd& B, MatrixXd& X, double tolerance) {
  X = factor_.solve(B);
  double error = rate_, before = 1.0;  // of X, and the last change, of the worst column
  for (int i = 0; error > tolerance; ++i) {
    const MatrixXd change = factor_.solve(B - multiply(X));
    X += change;
    const VectorXd sizes = norms(X), changes = norms(change);
    double largest = 0.0;
    for (Eigen::Index k = 0; k < sizes.size(); ++k)
      if (changes[k] > 0.0) largest = std::max(largest, changes[k] / sizes[k]);
    if (!std::isfinite(sizes.sum() + changes.sum())) return false;
    error = rate_ * largest;
    if (error <= tolerance) break;
    if (largest > kStalls * before || i == kMaxRefinements) return false;
    before = largest;
  }
  return true;
}

bool RefinedFactor::solve(::Vec b, ::Vec x, double tolerance) {
  PetscInt n = 0;
  SOLIDYN_PETSC(VecGetLocalSize(b, &n));
  const PetscScalar* given = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(b, &given));
  const MatrixXd B = Eigen::Map<const VectorXd>(given, n);
  SOLIDYN_PETSC(VecRestoreArrayRead(b, &given));
  MatrixXd X;
  const bool is_solved = solve(B, X, tolerance);
  PetscScalar* found = nullptr;
  SOLIDYN_PETSC(VecGetArray(x, &found));
  Eigen::Map<VectorXd>(found, n) = X.col(0);
  SOLIDYN_PETSC(VecRestoreArray(x, &found));
  return is_solved;
}

}  // namespace solidyn::solvers
