#include "patch_curvature.h"

#include <algorithm>
#include <cmath>

#include "contact_points.h"
#include "interpenetration.h"

namespace solidyn::railway {
namespace {

/// Between two points, over the distance x from the first, less the level that the area is above.
struct Cell {
  double f0, f1, m0, m1, width;
  // Hermite's cubic.
  double at(double x) const {
    const double s = x / width, r = 1.0 - s;
    return r * r * (1.0 + 2.0 * s) * f0 + s * s * (1.0 + 2.0 * r) * f1 +
           width * s * r * (r * m0 - s * m1);
  }
  // The end of what is above zero, of a cubic from f0 >= 0 to f1 < 0.
  double end() const {
    double a = 0.0, b = width;
    for (int i = 0; i < 40; ++i) (at(0.5 * (a + b)) > 0.0 ? a : b) = 0.5 * (a + b);
    return a;
  }
  // Simpson's rule is exact for cubics.
  double area(double x) const { return x / 6.0 * (at(0.0) + 4.0 * at(0.5 * x) + at(x)); }
};

/// The area on one side of the summit between the level and the lowest overlap on the way, which
/// is continuous where other summits rise above the level or are swallowed.
class Side {
 public:
  Side(const PositionDual& summit, double y, const PositionDual& level)
      : level_(level), lowest_(summit - level), y_(y) {}
  /// @returns whether the next point counts too
  bool add(const FixedOverlap& next) {
    const double width = std::abs(next.y - y_), slope = next.y > y_ ? next.slope : -next.slope;
    const PositionDual f = next.overlap - level_;
    if (f.value < lowest_.value && slope <= 0.0 && slope_ <= 0.0) {
      const Cell cell{lowest_.value, f.value, slope_, slope, width};
      const double x = f.value < 0.0 ? cell.end() : width, middle = 0.5 * x / width;
      area = area + PositionDual(cell.area(x), x * ((1.0 - middle) * lowest_.by + middle * f.by));
    } else {
      const PositionDual least = f.value < lowest_.value ? f : lowest_;
      const double x =
          least.value < 0.0 ? width * lowest_.value / (lowest_.value - least.value) : width;
      const double end = std::max(least.value, 0.0), middle = 0.5 * x / width;
      area = area + PositionDual(0.5 * x * (lowest_.value + end),
                                 x * ((1.0 - middle) * lowest_.by + middle * least.by));
    }
    if (f.value < lowest_.value) lowest_ = f;
    slope_ = slope;
    y_ = next.y;
    return lowest_.value > 0.0;
  }
  PositionDual area;

 private:
  PositionDual level_, lowest_;
  double y_, slope_ = 0.0;
};

}  // namespace

// A parabola F - B_v y^2 has the area S = 4/3 d sqrt(d / B_v) above F - d.
PositionDual curvature_of_overlap(const WheelOnRail& pair, const WheelPosition& at,
                                  const WheelPlace& summit, const PositionDual& overlap,
                                  const PositionDual& angle) {
  const auto top = fixed_overlap(pair, at, summit.section, summit.parameter);
  const PositionDual c = cos(angle), depth = kInterpenetration * overlap;
  if (!top) return PositionDual(0.0);
  const auto& samples = pair.samples();
  const auto next = [&](std::size_t i) {
    return fixed_overlap(pair, at, samples[i].section, samples[i].parameter);
  };
  PositionDual area(0.0);
  Side outer(top->overlap, top->y, top->overlap - depth), inner = outer;
  for (std::size_t i = summit.sample + 1; i < samples.size(); ++i) {
    const auto point = next(i);
    if (!point || !outer.add(*point)) break;
  }
  for (std::size_t i = summit.sample + 1; i-- > 0;) {
    const auto point = next(i);
    if (!point || !inner.add(*point)) break;
  }
  area = outer.area + inner.area;
  return (16.0 / 9.0) * depth * depth * depth / (area * area) * c * c * c;
}

}  // namespace solidyn::railway
