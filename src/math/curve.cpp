#include "solidyn/math/curve.h"

#include <algorithm>
#include <cmath>

namespace solidyn::math {

Curve::Curve(std::vector<double> points, std::vector<double> values,
             TimeFunction::Interpolation interpolation, const TimeFunction::Ends& ends)
    : points_(points),
      function_(TimeFunction::table(std::move(points), std::move(values), interpolation, ends)),
      is_periodic_(ends.kind == TimeFunction::Ends::Kind::periodic) {}

// Two points of Gauss are exact for the cubic between two points of the table.
double Curve::integral_between(double low, double high) const {
  const double node = 0.5 / std::sqrt(3.0);
  double sum = 0.0, from = low;
  for (auto next = std::upper_bound(points_.begin(), points_.end(), low); from < high; ++next) {
    const double to = next == points_.end() ? high : std::min(*next, high);
    const double middle = 0.5 * (from + to), width = to - from;
    sum += 0.5 * width * (value(middle - node * width) + value(middle + node * width));
    from = to;
    if (next == points_.end()) break;
  }
  return sum;
}

double Curve::integral(double x) const {
  if (!is_periodic_) return x < 0.0 ? -integral_between(x, 0.0) : integral_between(0.0, x);
  const double first = points_.front(), last = points_.back(), period = last - first;
  const auto from_first = [&](double to) {
    const double periods = std::floor((to - first) / period);
    return periods * integral_between(first, last) + integral_between(first, to - periods * period);
  };
  return from_first(x) - from_first(0.0);
}

}  // namespace solidyn::math
