#include "solidyn/track/rounded_line.h"

#include <algorithm>

namespace solidyn::track {
namespace {

/// The rounded corner max(0, x): its integral, itself, and three derivatives.
struct RoundedCorner {
  double integral, value, first, second, third;
};

// Within |x| < h the second derivative is 3/(4 h) (1 - x^2/h^2), whose integral is 1.
RoundedCorner rounded_corner(double x, double h) {
  if (x <= -h) return {0.0, 0.0, 0.0, 0.0, 0.0};
  if (x >= h) return {0.5 * x * x + 0.1 * h * h, x, 1.0, 0.0, 0.0};
  const double c = 0.75 / h, u = x / h, u2 = u * u, x2 = x * x;
  return {c * x * x2 * (1.0 / 6.0 - u2 / 60.0) + 0.25 * x2 + 0.1875 * h * x + 0.05 * h * h,
          c * x2 * (0.5 - u2 / 12.0) + 0.5 * x + 0.1875 * h, c * x * (1.0 - u2 / 3.0) + 0.5,
          c * (1.0 - u2), -2.0 * c * u / h};
}

}  // namespace

RoundedLine::RoundedLine(std::vector<Knot> knots, double blend)
    : start_(knots.front().s), value_(knots.front().before), half_(0.5 * blend) {
  double slope = 0.0;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    const Knot& knot = knots[i];
    const bool is_last = i + 1 == knots.size();
    const double next =
        is_last ? 0.0 : (knots[i + 1].before - knot.after) / (knots[i + 1].s - knot.s);
    if (knot.after != knot.before || next != slope)
      corners_.push_back({knot.s, knot.after - knot.before, next - slope});
    slope = next;
  }
  start_integral_ = at(start_).integral;
}

RoundedLine::Values RoundedLine::at(double s) const {
  Values sum = {value_ * (s - start_) - start_integral_, value_, 0.0, 0.0};
  for (const Corner& corner : corners_) {
    if (s <= corner.s - half_) break;
    const RoundedCorner r = rounded_corner(s - corner.s, half_);
    sum.integral += corner.bend * r.integral + corner.jump * r.value;
    sum.value += corner.bend * r.value + corner.jump * r.first;
    sum.first += corner.bend * r.first + corner.jump * r.second;
    sum.second += corner.bend * r.second + corner.jump * r.third;
  }
  return sum;
}

}  // namespace solidyn::track
