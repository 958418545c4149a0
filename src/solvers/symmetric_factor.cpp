#include "symmetric_factor.h"

#include <algorithm>

#include "solidyn/base/mpi.h"
#include "symmetric_backend.h"

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;

// Columns that are solved for at a time: more gain nothing, and each needs a column of its own.
constexpr Eigen::Index kColumnsAtOnce = 32;

PetscErrorCode apply_factor(::PC pc, ::Vec b, ::Vec x) {
  void* factor = nullptr;
  PetscFunctionBeginUser;
  PetscCall(PCShellGetContext(pc, &factor));
  try {
    static_cast<SymmetricFactor*>(factor)->solve(b, x);
  } catch (const std::exception& error) {  // PETSc is C
    SETERRQ(PetscObjectComm(reinterpret_cast<PetscObject>(pc)), PETSC_ERR_LIB, "%s", error.what());
  }
  PetscFunctionReturn(0);
}

}  // namespace

SymmetricFactor::SymmetricFactor(MPI_Comm comm, Kind kind, Precision precision, Aim aim) {
  // Both of the others begin in double precision.
  if (kind == Kind::indefinite || (aim == Aim::memory && precision == Precision::single))
    backend_ = Backend::make_mumps(comm, kind, precision);
  else if (base::size(comm) > 1)
    backend_ = Backend::make_separated(comm, precision);
  else
    backend_ = Backend::make_supernodal(precision);
}
SymmetricFactor::~SymmetricFactor() = default;

SymmetricFactor::Outcome SymmetricFactor::factorise(::Mat A) {
  return backend_->factorise(A, error_);
}

MatrixXd SymmetricFactor::solve(const MatrixXd& B) {
  MatrixXd X(B.rows(), B.cols());
  for (Eigen::Index k = 0; k < B.cols(); k += kColumnsAtOnce) {
    const Eigen::Index n = std::min(kColumnsAtOnce, B.cols() - k);
    backend_->solve(B.col(k).data(), X.col(k).data(), static_cast<int>(n));
  }
  return X;
}

void SymmetricFactor::solve(::Vec b, ::Vec x) {
  const PetscScalar* from = nullptr;
  PetscScalar* to = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(b, &from));
  SOLIDYN_PETSC(VecGetArray(x, &to));
  backend_->solve(from, to, 1);
  SOLIDYN_PETSC(VecRestoreArray(x, &to));
  SOLIDYN_PETSC(VecRestoreArrayRead(b, &from));
}

void SymmetricFactor::act_as(::PC pc) {
  SOLIDYN_PETSC(PCSetType(pc, PCSHELL));
  SOLIDYN_PETSC(PCShellSetContext(pc, this));
  SOLIDYN_PETSC(PCShellSetName(pc, "Cholesky factor, ordered by METIS"));
  SOLIDYN_PETSC(PCShellSetApply(pc, apply_factor));
}

int SymmetricFactor::n_negative() const { return backend_->n_negative(); }
int SymmetricFactor::n_zero() const { return backend_->n_zero(); }
double SymmetricFactor::bytes() const { return backend_->bytes(); }

}  // namespace solidyn::solvers
