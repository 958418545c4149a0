#pragma once
#include <Eigen/Dense>

namespace solidyn::analyses {

/// Nadal's limit of Y/Q, at which a flange begins to climb: (tan(b) - mu) / (1 + mu tan(b)).
/// @param flange_angle b, rad
double nadal_limit(double flange_angle, double friction);

/// Means over a length of the way, one after another in steps (EN 14363: 2 m every 0.5 m), of a
/// signal that is linear between samples.
/// @param way [n] m, increasing   @param values [n]   @returns empty if the way is shorter than the
/// length
Eigen::VectorXd sliding_mean(const Eigen::Ref<const Eigen::VectorXd>& way,
                             const Eigen::Ref<const Eigen::VectorXd>& values, double length,
                             double step);

/// EN 14363's evaluation of one quantity.
struct SafetyValue {
  double median = 0.0, high = 0.0,
         largest = 0.0;  ///< 50 % and 99.85 % of the means, and the largest
};
SafetyValue safety_value(const Eigen::Ref<const Eigen::VectorXd>& means);

/// Prud'homme's limit of the sum of guiding forces: k (10 kN + 2 Q_0 / 3), k = 1.
/// @param axle_load 2 Q_0, N
double prudhomme_limit(double axle_load);

}  // namespace solidyn::analyses
