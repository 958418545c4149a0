#pragma once
#include <cstddef>
#include <functional>

#include "integrators/contact_compliance.h"
#include "integrators/saddle_point_solve.h"

namespace solidyn::integrators {

/// The factors of an iteration matrix, as what contacts do with them needs them.
struct ContactFactors {
  SaddlePointSolve& whole;
  /// Of the compliance of so many points: the same, or for many (kPointsWithOwnSolutions)
  /// ClusterFactors.
  std::function<SaddlePointSolve&(std::size_t n_points)> for_points;
  double row_scale = 1.0;
  int number = 0;        ///< another one with each factorisation
  UnitSolutions& units;  ///< of `whole`
};

}  // namespace solidyn::integrators
