#pragma once
#include <Eigen/Dense>
#include <functional>

namespace solidyn::solvers {

/// x with A x = b, or with A x as near to b as can be, of a matrix that is symmetric and positive
/// semidefinite but for a small part: conjugate residuals, which also end where A is singular and b
/// not in its range, scaled by the diagonal and repeated with what is left. Of many solutions that
/// without a part of b that A maps to nothing. For thousands of unknowns that factors would fill.
/// @param tolerance of |A x - b| over |b|; more is left where round-off or b do not allow it
/// Local. Proved by SemidefiniteSolve.* in tests/unit/solvers.
using Product = std::function<void(const Eigen::VectorXd& x, Eigen::VectorXd& Ax)>;
Eigen::VectorXd solve_semidefinite(const Product& A, const Eigen::VectorXd& diagonal,
                                   const Eigen::VectorXd& b, double tolerance);

}  // namespace solidyn::solvers
