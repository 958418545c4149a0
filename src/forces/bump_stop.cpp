#include "solidyn/forces/bump_stop.h"

#include <algorithm>
#include <cmath>

namespace solidyn::forces {

BumpStop::BumpStop(Options options) : o_(std::move(options)) {
  // Curves are constant, or bent otherwise, beyond their last point.
  constexpr double kInside = 1e-9;
  const math::Curve& f = *o_.force;
  last_slope_ = f.slope(f.last() - kInside * (f.last() - f.first()));
}

Effort BumpStop::effort(double x, double rate, double) const {
  const math::Curve& f = *o_.force;
  const double travel = std::abs(x), sign = x > 0.0 ? 1.0 : -1.0;
  Effort e;
  if (!acts(x) || travel <= f.first()) return e;
  const bool is_beyond = travel > f.last();
  const double push =
      is_beyond ? f.value(f.last()) + last_slope_ * (travel - f.last()) : f.value(travel);
  e.stored = sign * push;
  const double factor = 1.0 + o_.damping * sign * rate;
  if (factor <= 0.0) return e;
  e.value = e.stored * factor;
  e.by_x = (is_beyond ? last_slope_ : f.slope(travel)) * factor;
  e.by_rate = push * o_.damping;
  return e;
}

double BumpStop::energy(double x) const {
  const math::Curve& f = *o_.force;
  const double travel = std::abs(x);
  if (!acts(x) || travel <= f.first()) return 0.0;
  const double within = f.integral(std::min(travel, f.last())) - f.integral(f.first());
  const double beyond = std::max(0.0, travel - f.last());
  return within + (f.value(f.last()) + 0.5 * last_slope_ * beyond) * beyond;
}

double BumpStop::extension(double x) const {
  const double depth = std::abs(x) - o_.force->first();
  if (!acts(x) || depth <= 0.0) return 0.0;
  return x > 0.0 ? depth : -depth;
}

}  // namespace solidyn::forces
