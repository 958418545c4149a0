#include "model/analyses/law_corners.h"

#include <algorithm>
#include <cmath>

namespace solidyn::model {
namespace {

constexpr int kIntervals = 400, kHalvings = 12;
// Of the jump over the first interval: what is left over the last, 1/4096 of it.
constexpr double kRemains = 0.5, kGrows = 8.0;
// Of the largest rate: smaller jumps are none.
constexpr double kLeast = 1e-3;

/// Rates over the intervals before and after an instant.
struct Rates {
  double t = 0.0, before = 0.0, after = 0.0;
  double jump() const { return std::abs(after - before); }
};

Rates rates_at(const math::TimeFunction& law, double t, double width) {
  const double here = law.value(t);
  return {t, (here - law.value(t - width)) / width, (law.value(t + width) - here) / width};
}

Rates sharper(const Rates& a, const Rates& b) { return b.jump() > a.jump() ? b : a; }

}  // namespace

std::optional<LawCorner> find_corner(const math::TimeFunction& law, double end) {
  double width = end / kIntervals, largest_rate = 0.0;
  Rates worst;
  for (int i = 1; i < kIntervals; ++i) {
    const Rates here = rates_at(law, i * width, width);
    largest_rate = std::max({largest_rate, std::abs(here.before), std::abs(here.after)});
    worst = sharper(worst, here);
  }
  const double first = worst.jump();
  if (first <= kLeast * largest_rate) return std::nullopt;
  for (int i = 0; i < kHalvings; ++i) {
    width *= 0.5;
    const double t = worst.t;
    worst = rates_at(law, t, width);
    for (const double beside : {t - width, t + width})
      worst = sharper(worst, rates_at(law, beside, width));
  }
  if (worst.jump() < kRemains * first) return std::nullopt;
  return LawCorner{worst.t, worst.before, worst.after, worst.jump() > kGrows * first};
}

}  // namespace solidyn::model
