#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/spline_curvature.h"
#include "math/time_function_form.h"

namespace solidyn::math {
namespace {

using Numbers = std::vector<double>;
using Values = TimeFunction::Values;

/// y = c0 + c1 s + c2 s^2 + c3 s^3 at s after the segment's first point.
struct Cubic {
  double c0 = 0.0, c1 = 0.0, c2 = 0.0, c3 = 0.0;
  Values at(double s) const {
    return {c0 + s * (c1 + s * (c2 + s * c3)), c1 + s * (2.0 * c2 + 3.0 * s * c3),
            2.0 * c2 + 6.0 * s * c3};
  }
};

double secant(const Numbers& t, const Numbers& y, std::size_t i) {
  return (y[i + 1] - y[i]) / (t[i + 1] - t[i]);
}

std::vector<Cubic> linear_segments(const Numbers& t, const Numbers& y) {
  std::vector<Cubic> segments;
  for (std::size_t i = 0; i + 1 < t.size(); ++i)
    segments.push_back({y[i], secant(t, y, i), 0.0, 0.0});
  return segments;
}

std::vector<Cubic> spline_segments(const Numbers& t, const Numbers& y,
                                   const TimeFunction::Ends& ends) {
  const Numbers k = spline_curvature(t, y, ends);
  std::vector<Cubic> segments;
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    const double h = t[i + 1] - t[i];
    segments.push_back({y[i], secant(t, y, i) - h * (2.0 * k[i] + k[i + 1]) / 6.0, 0.5 * k[i],
                        (k[i + 1] - k[i]) / (6.0 * h)});
  }
  return segments;
}

/// Akima's slopes: of the secants on both sides, that counts more whose neighbour is more like it;
/// beyond the ends the secants go on as a parabola's, or as those of the other end.
Numbers akima_slopes(const Numbers& t, const Numbers& y, bool is_periodic) {
  const std::size_t n = t.size();
  Numbers m(n + 3);  // secants, two more on each side
  for (std::size_t i = 0; i + 1 < n; ++i) m[i + 2] = secant(t, y, i);
  if (n == 2) return {m[2], m[2]};
  m[1] = is_periodic ? m[n] : 2.0 * m[2] - m[3];
  m[0] = is_periodic ? m[n - 1] : 2.0 * m[1] - m[2];
  m[n + 1] = is_periodic ? m[2] : 2.0 * m[n] - m[n - 1];
  m[n + 2] = is_periodic ? m[3] : 2.0 * m[n + 1] - m[n];
  Numbers slopes(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double right = std::abs(m[i + 3] - m[i + 2]), left = std::abs(m[i + 1] - m[i]);
    slopes[i] = right + left > 0.0 ? (right * m[i + 1] + left * m[i + 2]) / (right + left)
                                   : 0.5 * (m[i + 1] + m[i + 2]);
  }
  return slopes;
}

std::vector<Cubic> akima_segments(const Numbers& t, const Numbers& y, bool is_periodic) {
  const Numbers slopes = akima_slopes(t, y, is_periodic);
  std::vector<Cubic> segments;
  for (std::size_t i = 0; i + 1 < t.size(); ++i) {
    const double h = t[i + 1] - t[i], m = secant(t, y, i);
    segments.push_back({y[i], slopes[i], (3.0 * m - 2.0 * slopes[i] - slopes[i + 1]) / h,
                        (slopes[i] + slopes[i + 1] - 2.0 * m) / (h * h)});
  }
  return segments;
}

/// Beyond the points.
enum class Beyond { held, straight, repeated };

class Table final : public TimeFunction::Form {
 public:
  Table(Numbers times, std::vector<Cubic> segments, Beyond beyond)
      : t_(std::move(times)), segments_(std::move(segments)), beyond_(beyond) {}
  std::unique_ptr<Form> clone() const override { return std::make_unique<Table>(*this); }
  double value(double t) const override { return evaluate(t).value; }
  std::string text() const override { return fmt::format("a table of {} points", t_.size()); }

  Values evaluate(double t) const override {
    if (beyond_ == Beyond::repeated) return within(in_first_period(t));
    if (t < t_.front()) return beyond(0, t_.front(), t);
    if (t > t_.back()) return beyond(t_.size() - 2, t_.back(), t);
    return within(t);
  }

 private:
  Values within(double t) const {
    const auto after = std::upper_bound(t_.begin() + 1, t_.end() - 1, t);
    const auto i = static_cast<std::size_t>(after - t_.begin()) - 1;
    return segments_[i].at(t - t_[i]);
  }

  Values beyond(std::size_t segment, double end, double t) const {
    Values v = segments_[segment].at(end - t_[segment]);
    if (beyond_ == Beyond::held) v.first = 0.0;
    return {v.value + v.first * (t - end), v.first, 0.0};
  }

  double in_first_period(double t) const {
    const double period = t_.back() - t_.front();
    return t - period * std::floor((t - t_.front()) / period);
  }

  Numbers t_;
  std::vector<Cubic> segments_;
  Beyond beyond_;
};

}  // namespace

std::unique_ptr<TimeFunction::Form> make_table_form(Numbers times, Numbers values,
                                                    TimeFunction::Interpolation interpolation,
                                                    const TimeFunction::Ends& ends) {
  using Interpolation = TimeFunction::Interpolation;
  const bool is_linear = interpolation == Interpolation::linear;
  const bool is_periodic = ends.kind == TimeFunction::Ends::Kind::periodic;
  std::vector<Cubic> segments = is_linear ? linear_segments(times, values)
                                : interpolation == Interpolation::cubic
                                    ? spline_segments(times, values, ends)
                                    : akima_segments(times, values, is_periodic);
  const Beyond beyond = is_periodic ? Beyond::repeated
                        : is_linear ? Beyond::held
                                    : Beyond::straight;
  return std::make_unique<Table>(std::move(times), std::move(segments), beyond);
}

}  // namespace solidyn::math
