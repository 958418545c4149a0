#pragma once
#include "solvers/friction/local_solver.h"

namespace solidyn::solvers::friction {

/// The problem of one contact of the law `coulomb` with a bound c beside the cone, exactly:
///   0 <= u_N,  0 <= r_N,  u_N r_N = 0,   |r_T| <= mu r_N + c,  r_T against u_T.
/// It parts with friction of the size c alone, or has u_N = 0, for which r + (c / mu) n solves the
/// problem of a cone with q - (c / mu) W n. False: there is no solution, and `last` is unchanged.
/// Proved by tests/unit/friction/cut_cone_test.cpp.
bool solve_cut_cone(const LocalSolver& cone, double bound, const Eigen::Vector3d& q,
                    LocalSolution& last);

}  // namespace solidyn::solvers::friction
