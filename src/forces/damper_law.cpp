#include "solidyn/forces/damper_law.h"

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::forces {

DamperLaw::DamperLaw(double damping, std::optional<math::Curve> by_rate)
    : damping_(damping), by_rate_(std::move(by_rate)), least_(damping) {
  SOLIDYN_ASSERT(damping > 0.0);
  if (!by_rate_) return;
  constexpr int kSamples = 1000;
  constexpr double kShare = 0.001;  // of the table's forces, over which slopes are blended
  const double from = by_rate_->first(), length = by_rate_->last() - from;
  least_ = std::min(resistance(from - length), resistance(from + 2.0 * length));
  for (int i = 0; i <= kSamples; ++i)
    least_ = std::min(least_, resistance(from + length * i / kSamples));
  // Of a spline that falls between samples; any positive one will do.
  least_ = std::max(least_, 1e-3 * damping_);
  width_ = kShare * (force(from + length) - force(from));
}

// Newton's steps within a bracket, which is halved where they leave it.
double DamperLaw::rate(double force) const {
  if (!by_rate_ || force == 0.0) return force / damping_;
  constexpr int kMostSteps = 200;
  double a = 0.0, b = force / least_;
  while ((this->force(b) - force) * force < 0.0 && std::isfinite(b)) b *= 2.0;
  double w = b;
  for (int i = 0; i < kMostSteps; ++i) {
    const double miss = this->force(w) - force;
    if (miss == 0.0) break;
    (miss * force > 0.0 ? b : a) = w;
    double next = w - miss / resistance(w);
    if (!((next - a) * (b - next) > 0.0)) next = 0.5 * (a + b);
    if (next == w || std::abs(next - w) <= 1e-15 * std::abs(w)) break;
    w = next;
  }
  return w;
}

DamperLaw::Compliance DamperLaw::compliance(double force) const {
  if (!by_rate_) return {1.0 / damping_, 0.0};
  const double after = rate(force + width_), before = rate(force - width_);
  return {(after - before) / (2.0 * width_),
          (1.0 / resistance(after) - 1.0 / resistance(before)) / (2.0 * width_)};
}

}  // namespace solidyn::forces
