#include "nodal_mass.h"

#include <limits>

#include "nodal_view.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::bodies {
namespace {

constexpr double kTolerance = 1e-14;

}  // namespace

NodalMass::NodalMass(const fem::ElasticBody& body, fem::MassKind kind, MatType format)
    : kind_(kind) {
  SOLIDYN_PETSC(VecCreateMPI(body.comm, 3 * body.n_owned(), PETSC_DETERMINE, diagonal_.out()));
  SOLIDYN_PETSC(VecSetBlockSize(diagonal_, 3));
  PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArray(diagonal_, &values));
  for (Eigen::Index k = 0; k < body.lumped_mass.size(); ++k)
    Eigen::Map<Eigen::Vector3d>(values + 3 * k).setConstant(body.lumped_mass[k]);
  SOLIDYN_PETSC(VecRestoreArray(diagonal_, &values));
  if (kind_ == fem::MassKind::lumped) return;
  M_ = fem::make_mass(body, kind_, format);
  SOLIDYN_PETSC(KSPCreate(body.comm, ksp_.out()));
  SOLIDYN_PETSC(KSPSetOperators(ksp_, M_, M_));
  SOLIDYN_PETSC(KSPSetType(ksp_, KSPCG));
  SOLIDYN_PETSC(KSPSetTolerances(ksp_, kTolerance, PETSC_DEFAULT, PETSC_DEFAULT, 1000));
  PC pc;
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  SOLIDYN_PETSC(PCSetType(pc, PCJACOBI));
}

void NodalMass::hold(const std::vector<PetscInt>& rows, const NodalAxes& axes) {
  PetscInt first = 0;
  SOLIDYN_PETSC(VecGetOwnershipRange(diagonal_, &first, nullptr));
  if (kind_ == fem::MassKind::lumped) {
    SOLIDYN_PETSC(VecDuplicate(diagonal_, diagonal_held_.out()));
    SOLIDYN_PETSC(VecCopy(diagonal_, diagonal_held_));
    PetscScalar* values = nullptr;
    SOLIDYN_PETSC(VecGetArray(diagonal_held_, &values));
    for (PetscInt row : rows) values[row] = 1.0;
    SOLIDYN_PETSC(VecRestoreArray(diagonal_held_, &values));
    return;
  }
  std::vector<PetscInt> global(rows);
  for (PetscInt& row : global) row += first;
  if (axes.is_empty())
    SOLIDYN_PETSC(MatDuplicate(M_, MAT_COPY_VALUES, M_held_.out()));
  else
    M_held_ = axes.turned(M_);
  SOLIDYN_PETSC(MatZeroRowsColumns(M_held_, static_cast<PetscInt>(global.size()), global.data(),
                                   1.0, nullptr, nullptr));
  SOLIDYN_PETSC(KSPSetOperators(ksp_, M_held_, M_held_));
}

base::Vec NodalMass::make_vector() const {
  base::Vec x;
  SOLIDYN_PETSC(VecDuplicate(diagonal_, x.out()));
  SOLIDYN_PETSC(VecZeroEntries(x));
  return x;
}

void NodalMass::multiply(::Vec x, ::Vec y) const {
  if (kind_ == fem::MassKind::lumped)
    SOLIDYN_PETSC(VecPointwiseMult(y, diagonal_, x));
  else
    SOLIDYN_PETSC(MatMult(M_, x, y));
}

void NodalMass::solve(::Vec b, ::Vec x) {
  if (kind_ == fem::MassKind::lumped) {
    const bool is_held = diagonal_held_.get() != nullptr;
    SOLIDYN_PETSC(VecPointwiseDivide(x, b, is_held ? diagonal_held_ : diagonal_));
    return;
  }
  SOLIDYN_PETSC(KSPSolve(ksp_, b, x));
  iterations_ += base::iterations_of(ksp_, "the consistent mass");
}

Eigen::MatrixXd NodalMass::solve(const Eigen::MatrixXd& B) {
  const base::Vec b = make_vector(), x = make_vector();
  return apply_to_columns(B, b, x, [this](::Vec from, ::Vec to) { solve(from, to); });
}

Eigen::SparseMatrix<double> NodalMass::solve_sparse(const Eigen::SparseMatrix<double>& B) const {
  SOLIDYN_ASSERT(kind_ == fem::MassKind::lumped && !diagonal_held_.get());
  return NodalView(diagonal_).flat().cwiseInverse().asDiagonal() * B;
}

void NodalMass::add_to(double shift, Mat A) const {
  if (kind_ == fem::MassKind::lumped) {
    base::Vec scaled = make_vector();
    SOLIDYN_PETSC(VecAXPY(scaled, shift, diagonal_));
    SOLIDYN_PETSC(MatDiagonalSet(A, scaled, ADD_VALUES));
    return;
  }
  // The patterns are the same, but with this hint PETSc 3.18 drops values of blocks on several
  // ranks.
  SOLIDYN_PETSC(MatAXPY(A, shift, M_, SUBSET_NONZERO_PATTERN));
}

void NodalMass::get_diagonal(::Vec diagonal) const {
  if (kind_ == fem::MassKind::lumped)
    SOLIDYN_PETSC(VecCopy(diagonal_, diagonal));
  else
    SOLIDYN_PETSC(MatGetDiagonal(M_, diagonal));
}

double NodalMass::stiffness_ratio(Mat A, double factor) const {
  if (factor == 0.0) return std::numeric_limits<double>::infinity();
  const base::Vec ratio = make_vector();
  PetscReal largest = 0.0;
  SOLIDYN_PETSC(MatGetDiagonal(A, ratio));
  SOLIDYN_PETSC(VecPointwiseDivide(ratio, ratio, diagonal_));
  SOLIDYN_PETSC(VecMax(ratio, nullptr, &largest));
  return largest / factor - 1.0;
}

MassMoments find_mass_moments(const NodalMass& mass, const mesh::DistributedMesh& mesh) {
  using Eigen::Matrix3d;
  const auto x = mesh.x.leftCols(mesh.n_owned);
  const base::Vec field = mass.make_vector(), product = mass.make_vector();
  MassMoments moments;
  SOLIDYN_PETSC(VecSet(field, 1.0));
  mass.multiply(field, product);
  moments.m = NodalView(product).nodes().row(0).transpose();
  WritableNodalView(field).nodes() = x;
  mass.multiply(field, product);
  moments.mx = NodalView(product).nodes();
  Eigen::Matrix<double, 13, 1> sums;
  sums[0] = moments.m.sum();
  sums.segment<3>(1) = moments.mx.rowwise().sum();
  Eigen::Map<Matrix3d>(sums.data() + 4) = x * moments.mx.transpose();
  base::sum_in_place(mesh.comm, sums.data(), 13);
  fem::MassProperties& p = moments.properties;
  p.mass = sums[0];
  p.center_of_mass = sums.segment<3>(1) / sums[0];
  const Matrix3d D = Eigen::Map<Matrix3d>(sums.data() + 4) -
                     p.mass * p.center_of_mass * p.center_of_mass.transpose();
  p.inertia = D.trace() * Matrix3d::Identity() - D;
  return moments;
}

}  // namespace solidyn::bodies
