#include "solidyn/math/dense.h"

namespace solidyn::math {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

void LuFactor::compute(const Eigen::Ref<const MatrixXd>& A) { lu_.compute(A); }

MatrixXd LuFactor::solve_columns(const MatrixXd& b) const { return lu_.solve(b); }

VectorXd LuFactor::solve_vector(const VectorXd& b) const { return lu_.solve(b); }

MatrixXd LuFactor::inverse() const { return lu_.inverse(); }

double LuFactor::smallest_pivot() const { return lu_.matrixLU().diagonal().cwiseAbs().minCoeff(); }

FullLuFactor::FullLuFactor(const MatrixXd& A, std::optional<double> threshold) {
  if (threshold) lu_.setThreshold(*threshold);
  lu_.compute(A);
}

void FullLuFactor::compute(const MatrixXd& A) { lu_.compute(A); }

Index FullLuFactor::rank() const { return lu_.rank(); }

bool FullLuFactor::is_invertible() const { return lu_.isInvertible(); }

MatrixXd FullLuFactor::kernel() const { return lu_.kernel(); }

MatrixXd FullLuFactor::solve_columns(const MatrixXd& b) const { return lu_.solve(b); }

VectorXd FullLuFactor::solve_vector(const VectorXd& b) const { return lu_.solve(b); }

void CholeskyFactor::compute(const MatrixXd& A) { llt_.compute(A); }

bool CholeskyFactor::is_positive_definite() const { return llt_.info() == Eigen::Success; }

MatrixXd CholeskyFactor::solve_columns(const MatrixXd& b) const { return llt_.solve(b); }

VectorXd CholeskyFactor::solve_vector(const VectorXd& b) const { return llt_.solve(b); }

MatrixXd CholeskyFactor::divide_by_upper(const MatrixXd& X) const {
  return llt_.matrixU().solve<Eigen::OnTheRight>(X);
}

MatrixXd solve_symmetric(const MatrixXd& A, const MatrixXd& b) { return A.ldlt().solve(b); }

VectorXd solve_symmetric(const MatrixXd& A, const VectorXd& b) { return A.ldlt().solve(b); }

Eigen::VectorXcd solve_complex(const Eigen::MatrixXcd& A, const Eigen::VectorXcd& b) {
  return A.partialPivLu().solve(b);
}

Vector6d solve(const Matrix6d& A, const Vector6d& b) { return A.partialPivLu().solve(b); }

Matrix6d inverse(const Matrix6d& A) { return A.inverse(); }

}  // namespace solidyn::math
