#pragma once
#include "solvers/friction/local_solver.h"

namespace solidyn::solvers::friction {

/// The problem of one contact of the law `bounded`, u_T = W_TT r_T + q_T and |r_T| <= bound,
/// exactly: it sticks, or slips with u_T = -lambda r_T, where lambda > 0 is that of
///   |(W_TT + lambda I)^-1 q_T| = bound.
/// W_TT may be singular, as that of a direction that alone can slip is.
/// Proved by tests/unit/friction/bounded_test.cpp.
void solve_bounded(const Eigen::Matrix3d& W, double bound, const Eigen::Vector3d& q,
                   LocalSolution& solution);

}  // namespace solidyn::solvers::friction
