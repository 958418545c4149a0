#include "solidyn/math/sparse_lu.h"

#include <Eigen/SparseLU>

namespace solidyn::math {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class SparseLu::Factor : public Eigen::SparseLU<Eigen::SparseMatrix<double>> {};

SparseLu::SparseLu() : factor_(std::make_unique<Factor>()) {}

SparseLu::SparseLu(const Eigen::SparseMatrix<double>& A) : SparseLu() { compute(A); }

SparseLu::~SparseLu() = default;

void SparseLu::compute(const Eigen::SparseMatrix<double>& A) { factor_->compute(A); }

bool SparseLu::has_failed() const { return factor_->info() != Eigen::Success; }

int SparseLu::sign_of_determinant() const { return static_cast<int>(factor_->signDeterminant()); }

VectorXd SparseLu::solve(const VectorXd& b) const { return factor_->solve(b); }

MatrixXd SparseLu::solve_columns(const MatrixXd& b) const { return factor_->solve(b); }

}  // namespace solidyn::math
