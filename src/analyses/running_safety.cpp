#include "solidyn/analyses/running_safety.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solidyn/math/signal.h"

namespace solidyn::analyses {

using Eigen::Index;
using Eigen::VectorXd;

double nadal_limit(double flange_angle, double friction) {
  const double slope = std::tan(flange_angle);
  return (slope - friction) / (1.0 + friction * slope);
}

// Differences of the integral at the ends, which is of second degree between samples.
VectorXd sliding_mean(const Eigen::Ref<const VectorXd>& way,
                      const Eigen::Ref<const VectorXd>& values, double length, double step) {
  const Index n = way.size();
  if (n < 2 || way[n - 1] - way[0] < length) return {};
  VectorXd integral = VectorXd::Zero(n);
  for (Index i = 1; i < n; ++i)
    integral[i] = integral[i - 1] + 0.5 * (values[i - 1] + values[i]) * (way[i] - way[i - 1]);
  const auto integral_to = [&](double x) {
    const Index i = std::min<Index>(
        std::max<Index>(std::upper_bound(way.data(), way.data() + n, x) - way.data() - 1, 0),
        n - 2);
    const double share = (x - way[i]) / (way[i + 1] - way[i]);
    const double there = values[i] + share * (values[i + 1] - values[i]);
    return integral[i] + 0.5 * (values[i] + there) * (x - way[i]);
  };
  const auto count =
      1 + static_cast<Index>(std::floor((way[n - 1] - way[0] - length) / step + 1e-9));
  VectorXd means(count);
  for (Index i = 0; i < count; ++i) {
    const double start = way[0] + static_cast<double>(i) * step;
    means[i] = (integral_to(start + length) - integral_to(start)) / length;
  }
  return means;
}

SafetyValue safety_value(const Eigen::Ref<const VectorXd>& means) {
  const std::vector<double> values(means.data(), means.data() + means.size());
  return {math::percentile(values, 0.5), math::percentile(values, 0.9985), means.maxCoeff()};
}

std::optional<SectionValues> section_values(const Eigen::Ref<const VectorXd>& means, double over,
                                            double every, double section) {
  constexpr double kRoundoff = 1e-9;
  const double way = over + every * static_cast<double>(means.size() - 1);
  const int n = static_cast<int>(std::floor(way / section + kRoundoff));
  // A shorter section may lie so that none of the means is in it as a whole.
  if (means.size() == 0 || section < (over + every) * (1.0 - kRoundoff) || n < 2)
    return std::nullopt;
  SectionValues all;
  all.n_sections = n;
  VectorXd high(n);
  for (int k = 0; k < n; ++k) {
    const auto first = static_cast<Index>(std::ceil(k * section / every - kRoundoff)),
               last =
                   static_cast<Index>(std::floor(((k + 1) * section - over) / every + kRoundoff));
    const SafetyValue value = safety_value(means.segment(first, last - first + 1));
    all.mean_median += value.median / n;
    high[k] = value.high;
  }
  all.mean_high = high.mean();
  all.deviation_high = std::sqrt((high.array() - all.mean_high).square().sum() / (n - 1));
  return all;
}

double prudhomme_limit(double axle_load) { return 10e3 + axle_load / 3.0; }

}  // namespace solidyn::analyses
