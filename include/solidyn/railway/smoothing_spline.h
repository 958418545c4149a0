#pragma once
#include <Eigen/Dense>
#include <vector>

#include "solidyn/railway/profile.h"

namespace solidyn::railway {

/// What a spline through points does with them.
struct SplineFit {
  std::vector<Section> sections;
  double largest_deviation = 0.0;  ///< of the curve from a point, m
  double rms_deviation = 0.0;      ///< m
};

/// The natural cubic spline over the length of the polygon through the points that minimises the
/// integral of |p''|^2 among those whose root mean square distance from the points is `smoothing`
/// (Reinsch 1967); 0 interpolates.
/// @param points [2 x n], m, n > 3, none equal to the next  @param smoothing m, >= 0
/// Proved by SmoothingSpline.*
SplineFit fit_spline(const Eigen::Matrix2Xd& points, double smoothing);

}  // namespace solidyn::railway
