#include "reduction/eigen/spectrum_count.h"

#include <fmt/format.h>

#include "solidyn/base/mpi.h"
#include "solidyn/math/constants.h"
#include "solidyn/math/dense.h"
#include "solvers/symmetric_factor.h"

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
  using Factor = solvers::SymmetricFactor;

 public:
  IndefiniteFactor(const FreeBody& body, double frequency)
      : pencil_(body.pencil),
        frequency_(frequency),
        factor_(pencil_.comm, Factor::Kind::indefinite) {
    const double omega = math::kTwoPi * frequency;
    matrix_ = make_shifted(body, -omega * omega);
    if (factor_.factorise(matrix_) != Factor::Outcome::done)
      throw base::ComputationError(fmt::format(
          "the factorisation of K - omega^2 M at {} Hz failed ({})", frequency, factor_.error()));
    prepare_frame_masses(omega * omega);
  }
  int n_negative() const { return n_negative_of_nodes() + n_negative_of_frame_masses_; }
  MultiVector solve(const MultiVector& f) {
    MultiVector u = factor_.solve(f);
    if (pencil_.has_frame_masses())
      u.noalias() -= frame_mass_solutions_ * frame_mass_factor_.solve(inner_products(
                                                 pencil_.comm, pencil_.frame_masses, u));
    return u;
  }

 private:
  int n_negative_of_nodes() const {
    if (factor_.n_zero() > 0)
      throw base::ComputationError(fmt::format(
          "{} Hz coincides with a natural frequency of the body to rounding, so that the modes below it cannot be counted\n  choose a slightly higher or lower frequency",
          frequency_));
    return factor_.n_negative();
  }
  // By Woodbury's formula, and Haynsworth's: A - sigma V V^T has the negative eigenvalues of A and
  // those of I / sigma - V^T A^-1 V.
  void prepare_frame_masses(double sigma) {
    if (!pencil_.has_frame_masses()) return;
    frame_mass_solutions_ = factor_.solve(pencil_.frame_masses);
    const MatrixXd G = inner_products(pencil_.comm, pencil_.frame_masses, frame_mass_solutions_);
    MatrixXd C = -0.5 * (G + G.transpose());
    C.diagonal().array() += 1.0 / sigma;
    const VectorXd values = math::symmetric_eigenvalues(C);
    n_negative_of_frame_masses_ = static_cast<int>((values.array() < 0.0).count());
    frame_mass_factor_.compute(-C);
  }
  const Pencil& pencil_;
  double frequency_;
  base::Mat matrix_;
  Factor factor_;
  int n_negative_of_frame_masses_ = 0;
  MultiVector frame_mass_solutions_;
  math::FullLuFactor frame_mass_factor_;
};

}  // namespace

int count_free_modes_below(const FreeBody& body, double frequency) {
  return IndefiniteFactor(body, frequency).n_negative() - 6;
}

int count_held_modes_below(const FreeBody& body, const MultiVector& F, double frequency) {
  IndefiniteFactor factor(body, frequency);
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
