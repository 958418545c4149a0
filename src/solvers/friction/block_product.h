#pragma once
#include <Eigen/Dense>

namespace solidyn::solvers::friction {

/// Three numbers in the first lanes of a vector register; the fourth holds what happens to follow.
using Lanes = Eigen::Vector4d;

/// sum += B r of a 3x3 block, column by column; ten numbers are read at `values`.
inline void add_product(const double* values, const double* r, Lanes& sum) {
  using Column = Eigen::Map<const Lanes, Eigen::Unaligned>;
  sum += Column(values) * r[0];
  sum += Column(values + 3) * r[1];
  sum += Column(values + 6) * r[2];
}

}  // namespace solidyn::solvers::friction
