#include "solidyn/math/curve.h"

#include <algorithm>
#include <cmath>

namespace solidyn::math {

Curve::Curve(std::vector<double> points, std::vector<double> values,
             TimeFunction::Interpolation interpolation)
    : points_(points),
      function_(TimeFunction::table(std::move(points), std::move(values), interpolation)) {}

// Two points of Gauss are exact for the cubic between two points of the table.
double Curve::integral(double x) const {
  const double node = 0.5 / std::sqrt(3.0);
  const double low = std::min(0.0, x), high = std::max(0.0, x);
  double sum = 0.0, from = low;
  for (auto next = std::upper_bound(points_.begin(), points_.end(), low); from < high; ++next) {
    const double to = next == points_.end() ? high : std::min(*next, high);
    const double middle = 0.5 * (from + to), width = to - from;
    sum += 0.5 * width * (value(middle - node * width) + value(middle + node * width));
    from = to;
    if (next == points_.end()) break;
  }
  return x < 0.0 ? -sum : sum;
}

}  // namespace solidyn::math
