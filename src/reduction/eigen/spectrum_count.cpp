#include "reduction/eigen/spectrum_count.h"

#include <fmt/format.h>

#include "solidyn/base/mpi.h"
#include "solidyn/math/constants.h"
#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

base::Mat make_shifted(const FreeBody& body, double shift) {
  const Pencil& pencil = body.pencil;
  const MatType type = base::size(pencil.comm) == 1 ? MATAIJ : MATSBAIJ;
  if (!pencil.expansion && !body.imported) {
    base::Mat A = fem::make_stiffness(body.matrices, type, shift, body.mass_kind);
    SOLIDYN_PETSC(MatSetOption(A, MAT_SPD, PETSC_FALSE));
    return A;
  }
  base::Mat A;
  SOLIDYN_PETSC(MatDuplicate(pencil.K, MAT_COPY_VALUES, A.out()));
  SOLIDYN_PETSC(MatAXPY(A, shift, pencil.M, DIFFERENT_NONZERO_PATTERN));
  SOLIDYN_PETSC(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE));
  return A;
}

// K - sigma M as L D L^T.
class IndefiniteFactor {
 public:
  IndefiniteFactor(const FreeBody& body, double frequency)
      : pencil_(body.pencil), frequency_(frequency) {
    const double omega = math::kTwoPi * frequency;
    matrix_ = make_shifted(body, -omega * omega);
    PC pc;
    SOLIDYN_PETSC(KSPCreate(body.pencil.comm, ksp_.out()));
    SOLIDYN_PETSC(KSPSetOptionsPrefix(ksp_, "modes_count_"));
    SOLIDYN_PETSC(KSPSetOperators(ksp_, matrix_, matrix_));
    SOLIDYN_PETSC(KSPSetType(ksp_, KSPPREONLY));
    SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
    SOLIDYN_PETSC(PCSetType(pc, PCCHOLESKY));
    SOLIDYN_PETSC(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    SOLIDYN_PETSC(PCFactorSetUpMatSolverType(pc));
    SOLIDYN_PETSC(PCFactorGetMatrix(pc, &factor_));
    SOLIDYN_PETSC(MatMumpsSetIcntl(factor_, 24, 1));  // null pivots are detected and counted
    SOLIDYN_PETSC(KSPSetFromOptions(ksp_));
    SOLIDYN_PETSC(KSPSetUp(ksp_));
    prepare_frame_masses(omega * omega);
  }
  int n_negative() const { return n_negative_of_nodes() + n_negative_of_frame_masses_; }
  MultiVector solve(const MultiVector& f) const {
    MultiVector u = solve_sparse(f);
    if (pencil_.has_frame_masses())
      u.noalias() -= frame_mass_solutions_ * frame_mass_factor_.solve(inner_products(
                                                 pencil_.comm, pencil_.frame_masses, u));
    return u;
  }

 private:
  int n_negative_of_nodes() const {
    PetscInt negative = 0, zero = 0, positive = 0;
    SOLIDYN_PETSC(MatGetInertia(factor_, &negative, &zero, &positive));
    if (zero > 0)
      throw base::ComputationError(fmt::format(
          "{} Hz coincides with a natural frequency of the body to rounding, so that the modes below it cannot be counted\n  choose a slightly higher or lower frequency",
          frequency_));
    return static_cast<int>(negative);
  }
  // By Woodbury's formula, and Haynsworth's: A - sigma V V^T has the negative eigenvalues of A and
  // those of I / sigma - V^T A^-1 V.
  void prepare_frame_masses(double sigma) {
    if (!pencil_.has_frame_masses()) return;
    frame_mass_solutions_ = solve_sparse(pencil_.frame_masses);
    const MatrixXd G = inner_products(pencil_.comm, pencil_.frame_masses, frame_mass_solutions_);
    MatrixXd C = -0.5 * (G + G.transpose());
    C.diagonal().array() += 1.0 / sigma;
    const VectorXd values = math::symmetric_eigenvalues(C);
    n_negative_of_frame_masses_ = static_cast<int>((values.array() < 0.0).count());
    frame_mass_factor_.compute(-C);
  }
  MultiVector solve_sparse(const MultiVector& f) const {
    MultiVector u(f.rows(), f.cols());
    const base::Mat F = wrap_dense(f), U = wrap_dense(u);
    SOLIDYN_PETSC(KSPMatSolve(ksp_, F, U));
    return u;
  }
  base::Mat wrap_dense(const MultiVector& X) const {
    base::Mat out;
    SOLIDYN_PETSC(MatCreateDense(PetscObjectComm(reinterpret_cast<PetscObject>(ksp_.get())),
                                 static_cast<PetscInt>(X.rows()), PETSC_DECIDE, PETSC_DETERMINE,
                                 static_cast<PetscInt>(X.cols()), const_cast<double*>(X.data()),
                                 out.out()));
    return out;
  }
  const Pencil& pencil_;
  double frequency_;
  base::Mat matrix_;
  base::Ksp ksp_;
  ::Mat factor_ = nullptr;  // borrowed from ksp_
  int n_negative_of_frame_masses_ = 0;
  MultiVector frame_mass_solutions_;
  math::FullLuFactor frame_mass_factor_;
};

}  // namespace

int count_free_modes_below(const FreeBody& body, double frequency) {
  return IndefiniteFactor(body, frequency).n_negative() - 6;
}

int count_held_modes_below(const FreeBody& body, const MultiVector& F, double frequency) {
  const IndefiniteFactor factor(body, frequency);
  const MatrixXd C = inner_products(body.pencil.comm, F, factor.solve(F));
  // Metres and radians on one scale; dependent frames leave zeros, which count neither way.
  const VectorXd scale = C.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = 0.5 * scale.asDiagonal() * (C + C.transpose()) * scale.asDiagonal();
  const VectorXd values = math::symmetric_eigenvalues(scaled);
  const double rounding = 1e-12 * values.cwiseAbs().maxCoeff();
  const int n_positive = static_cast<int>((values.array() > rounding).count());
  const int n_nonzero = static_cast<int>((values.array().abs() > rounding).count());
  return factor.n_negative() + n_positive - n_nonzero;
}

}  // namespace solidyn::reduction
