#pragma once
#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <vector>

/// Sparse orthogonal factorisations (SuiteSparseQR) for what dense ones cannot do in a mechanism of
/// many bodies.
namespace solidyn::system {

using SparseMatrix = Eigen::SparseMatrix<double>;

/// The x that minimises |B x - b|^2 + damping^2 |x|^2. A damping far below the singular values that
/// count gives the least-squares solution of least norm, whatever the rank of B; where b is not in
/// the range of B, one far above the root of those that are round-off too. Backward stable:
/// the least-norm solution of [B, damping I] [x; s] = b, in which s is what remains.
/// @pre damping > 0
Eigen::VectorXd damped_solution(const SparseMatrix& B, const Eigen::VectorXd& b, double damping);

/// Columns that depend on the columns before them: their part orthogonal to those is at most
/// `threshold` times themselves. Ascending.
std::vector<int> dependent_columns(const SparseMatrix& A, double threshold);

}  // namespace solidyn::system
