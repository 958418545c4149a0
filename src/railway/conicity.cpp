#include "solidyn/railway/conicity.h"

#include <algorithm>
#include <cmath>

#include "bracketed_root.h"

namespace solidyn::railway {
namespace {

constexpr double kJumpWidth = 1e-10;  // m, between the two points of a table at a jump

struct TurningPoints {
  double low = 0.0, high = 0.0;
};

// The two turning points of a motion have the same integral of dr: its kinetic energy is zero at
// both.
std::optional<TurningPoints> turning_points(const RadiusDifference& t, double A) {
  const double first = t.y.front(), last = t.y.back();
  double centre = 0.0;
  const double f_first = t.at(first), f_last = t.at(last);
  if (f_first * f_last < 0.0)
    centre = bracketed_root([&](double y) { return t.at(y); }, first, f_first, last, f_last, 1e-15);
  const auto energy = [&](double high) { return t.integral(high) - t.integral(high - 2.0 * A); };
  const double low = std::max(first + 2.0 * A, centre + 1e-12),
               high = std::min(last, centre + 2.0 * A - 1e-12);
  if (!(low < high)) return std::nullopt;
  const double f_low = energy(low), f_high = energy(high);
  if (f_low * f_high > 0.0) return std::nullopt;
  const double found = bracketed_root(energy, low, f_low, high, f_high, 1e-16);
  return TurningPoints{found - 2.0 * A, found};
}

bool reaches(const RadiusDifference& t, double A) {
  return A > 0.0 && -A >= t.y.front() - 1e-12 && A <= t.y.back() + 1e-12;
}

}  // namespace

double RadiusDifference::at(double position) const {
  if (position <= y.front()) return dr.front();
  if (position >= y.back()) return dr.back();
  const auto i =
      static_cast<std::size_t>(std::upper_bound(y.begin(), y.end(), position) - y.begin());
  return dr[i - 1] + (position - y[i - 1]) / (y[i] - y[i - 1]) * (dr[i] - dr[i - 1]);
}

double RadiusDifference::integral(double position) const {
  double sum = 0.0;
  for (std::size_t i = 1; i < y.size(); ++i) {
    if (position <= y[i]) return sum + 0.5 * (dr[i - 1] + at(position)) * (position - y[i - 1]);
    sum += 0.5 * (dr[i - 1] + dr[i]) * (y[i] - y[i - 1]);
  }
  return sum + dr.back() * (position - y.back());
}

// Half the wavelength is the integral of dy / sqrt(2 (S(y_max) - S(y)) / (e r_0)); with y = mean +
// A sin t the integrand is smooth, and the midpoint rule converges fast. tan(gamma) =
// (pi/wavelength)^2 2 e r_0.
std::optional<double> equivalent_conicity(const RadiusDifference& table, double A) {
  const std::optional<TurningPoints> motion = turning_points(table, A);
  if (!motion) return std::nullopt;
  constexpr int n = 2000;
  const double top = table.integral(motion->high), mean = 0.5 * (motion->low + motion->high);
  double half = 0.0;
  for (int i = 0; i < n; ++i) {
    const double t = M_PI * ((i + 0.5) / n - 0.5);
    const double energy = 2.0 * (top - table.integral(mean + A * std::sin(t)));
    if (!(energy > 0.0)) return std::nullopt;
    half += A * std::cos(t) / std::sqrt(energy) * M_PI / n;
  }
  return 2.0 * std::pow(M_PI / (2.0 * half), 2);
}

std::optional<double> harmonic_conicity(const RadiusDifference& table, double A) {
  if (!reaches(table, A)) return std::nullopt;
  constexpr int n = 2000;
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    const double t = 2.0 * M_PI * (i + 0.5) / n;
    sum += table.at(A * std::sin(t)) * std::sin(t);
  }
  return sum / (n * A);
}

// The slope is (3 / (2 A^3)) times the integral of y dr; exact between the points of the table by
// Simpson's rule.
std::optional<double> regression_conicity(const RadiusDifference& table, double A) {
  if (!reaches(table, A)) return std::nullopt;
  std::vector<double> points = {-A};
  for (double y : table.y)
    if (std::abs(y) < A) points.push_back(y);
  points.push_back(A);
  double sum = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) {
    const double a = points[i - 1], b = points[i], m = 0.5 * (a + b);
    sum += (b - a) / 6.0 * (a * table.at(a) + 4.0 * m * table.at(m) + b * table.at(b));
  }
  return 0.5 * 1.5 / (A * A * A) * sum;
}

namespace {

// Contact points move by a few times the wheelset's own way; what moves further has jumped.
bool has_jumped(const WheelRailContact& a, const WheelRailContact& b, double way) {
  return std::abs(a.u - b.u) > 3.0 * way + 8e-4;
}

class Tabulation {
 public:
  Tabulation(const WheelsetOnTrack& wheelset, double step) : wheelset_(wheelset), step_(step) {}

  RadiusDifferenceTable run(double range) {
    const int n = std::max(1, static_cast<int>(std::ceil(range / step_ - 1e-9)));
    TwoSidedContact last = wheelset_.contact(-range);
    add(last);
    for (int i = -n + 1; i <= n; ++i) {
      const TwoSidedContact next = wheelset_.contact(range * i / n);
      add_jumps(last, next);
      add(next);
      last = next;
    }
    return result_;
  }

 private:
  void add(const TwoSidedContact& c) {
    if (!result_.difference.y.empty() && c.y <= result_.difference.y.back()) return;
    result_.difference.y.push_back(c.y);
    result_.difference.dr.push_back(c.radius_difference());
    const double angle = std::max(c.left.angle, c.right.angle);
    if (angle > result_.steepest.angle) result_.steepest = {std::abs(c.y), angle};
  }

  // Both sides may jump in one interval: the halves are searched one after the other.
  void add_jumps(TwoSidedContact a, TwoSidedContact b) {
    const bool left = has_jumped(a.left, b.left, b.y - a.y),
               right = has_jumped(a.right, b.right, b.y - a.y);
    if (!left && !right) return;
    if (b.y - a.y > kJumpWidth) {
      const TwoSidedContact middle = wheelset_.contact(0.5 * (a.y + b.y));
      add_jumps(a, middle);
      add_jumps(middle, b);
      return;
    }
    add(a);
    add(b);
    const double y = 0.5 * (a.y + b.y);
    if (left) result_.jumps.push_back({y, a.left.u, b.left.u, true});
    if (right) result_.jumps.push_back({y, a.right.u, b.right.u, false});
  }

  const WheelsetOnTrack& wheelset_;
  double step_;
  RadiusDifferenceTable result_;
};

}  // namespace

RadiusDifferenceTable tabulate(const WheelsetOnTrack& wheelset, double range, double step) {
  return Tabulation(wheelset, step).run(range);
}

}  // namespace solidyn::railway
