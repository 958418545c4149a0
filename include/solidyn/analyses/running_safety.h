#pragma once
#include <Eigen/Dense>
#include <optional>

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

/// EN 14363's evaluation over sections of the way: of each the values above, then of the sections.
struct SectionValues {
  int n_sections = 0;
  double mean_median = 0.0;     ///< of the sections' 50 %: the quasi-static part
  double mean_high = 0.0;       ///< of their 99.85 %
  double deviation_high = 0.0;  ///< standard deviation of these from one section to another
  /// The largest value that is expected: 3 standard deviations above, as for safety.
  double expected() const { return mean_high + 3.0 * deviation_high; }
};
/// @param means  as sliding_mean() gives them   @param over, every  length and step of these, m
/// @param section  length of a section, m; of each the means that lie in it as a whole
/// @returns none where there are fewer than two sections, or a section is shorter than
/// over + every, in which there may be no mean
std::optional<SectionValues> section_values(const Eigen::Ref<const Eigen::VectorXd>& means,
                                            double over, double every, double section);

/// Prud'homme's limit of the sum of guiding forces: k (10 kN + 2 Q_0 / 3), k = 1.
/// @param axle_load 2 Q_0, N
double prudhomme_limit(double axle_load);

}  // namespace solidyn::analyses
