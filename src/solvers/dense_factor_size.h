#pragma once
#include "solidyn/solvers/linear_solver.h"

namespace solidyn::solvers {

inline FactorSize dense_factor_size(double n) { return {n * n * n / 3.0, n * n}; }

}  // namespace solidyn::solvers
