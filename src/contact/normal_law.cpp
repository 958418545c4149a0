#include "solidyn/contact/normal_law.h"

#include <algorithm>
#include <cmath>

namespace solidyn::contact {
namespace {

// alpha - ln(1 + alpha) + b + ln(1 - b), b = alpha e: positive while e is below the restitution.
double balance(double alpha, double b) { return alpha - std::log1p(alpha) + b + std::log1p(-b); }

// The root of a function that is positive at `low` and negative at `high`.
template <class Function>
double bisect(Function&& f, double low, double high) {
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// alpha grows as e falls, below 1/e.
double exact_dissipation(double e) {
  if (e >= 1.0) return 0.0;
  return bisect([&](double alpha) { return e - restitution(alpha) < 0.0 ? 1.0 : -1.0; }, 0.0,
                1.0 / e);
}

}  // namespace

double dissipation(Dissipation type, double e) {
  switch (type) {
    case Dissipation::none:
      return 0.0;
    case Dissipation::lankarani_nikravesh:
      return 0.75 * (1.0 - e * e);
    case Dissipation::hunt_crossley:
      return 1.5 * (1.0 - e);
    case Dissipation::flores:
      return 1.6 * (1.0 - e) / e;
    case Dissipation::exact_restitution:
      return exact_dissipation(e);
  }
  return 0.0;
}

double restitution(double alpha) {
  // e = 1 - 2 alpha / 3 + O(alpha^2): where the logarithms would cancel to less.
  if (alpha < 1e-5) return 1.0 - 2.0 * alpha / 3.0;
  const double b =
      bisect([&](double trial) { return balance(alpha, trial); }, 0.0, std::min(1.0, alpha));
  return b / alpha;
}

NormalLaw::Value NormalLaw::at(double d, double rate, double impact_speed) const {
  Value v;
  if (d <= 0.0) return v;
  const double c = dissipation / std::max(impact_speed, slow_speed);
  v.elastic = stiffness * std::pow(d, exponent);
  v.energy = v.elastic * d / (exponent + 1.0);
  const double x = damping > 0.0 ? std::min(1.0, d / damping_depth) : 0.0;
  const double step = x * x * (3.0 - 2.0 * x);
  v.force = v.elastic * (1.0 + c * rate) + damping * step * rate;
  if (v.force <= 0.0) {
    v.force = 0.0;
    return v;
  }
  v.by_penetration = exponent * v.elastic / d * (1.0 + c * rate);
  if (x < 1.0 && damping > 0.0)
    v.by_penetration += damping * 6.0 * x * (1.0 - x) / damping_depth * rate;
  v.by_rate = c * v.elastic + damping * step;
  return v;
}

}  // namespace solidyn::contact
