#include "solidyn/integrators/impact_search.h"

#include <algorithm>
#include <cmath>

namespace solidyn::integrators {

namespace {

// Of the longest step: no step is cut to less.
constexpr double kShortestCut = 1e-3;
// A bracket that is found no better by so many steps is left: the last one stands.
constexpr int kMaxTriesOfCuts = 12;
// Steps that differ by round-off.
constexpr double kSameCut = 1e-9;

// Of the cubic with these values and rates at both ends, the first root of its fall to `level`
// between them, by bisection: it is above the level after the first one and below at the last.
double fall_of_cubic(double h0, double g0, double u0, double h1, double g1, double u1,
                     double level) {
  const double d = h1 - h0;
  const auto value = [&](double s) {
    const double r = 1.0 - s;
    return r * r * ((1.0 + 2.0 * s) * g0 + s * d * u0) +
           s * s * ((3.0 - 2.0 * s) * g1 - r * d * u1);
  };
  double above = 0.0, below = 1.0;
  for (int k = 0; k < 100 && below - above > 1e-15; ++k) {
    const double middle = 0.5 * (above + below);
    (value(middle) > level ? above : below) = middle;
  }
  return h0 + below * d;
}

}  // namespace

ImpactWithinStep::ImpactWithinStep(double length)
    : base::ComputationError("a gap closes within the step"), length(length) {}

double ImpactSearch::cut(double length) const { return std::max(length, kShortestCut * longest_); }

void ImpactSearch::look(double t, double h, const Gaps& gaps) {
  longest_ = std::max(longest_, h);
  if (t != t_) {
    t_ = t;
    first_ = h;
    aim_ = 0.0;
    n_tries_ = 0;
  }
  const bool is_aimed = aim_ > 0.0 && std::abs(h - aim_) <= kSameCut * aim_;
  if (h <= (1.0 + kSameCut) * kShortestCut * longest_ || n_tries_ == kMaxTriesOfCuts) return;
  // The earliest of those that have gone too far.
  double earliest = h;
  int first = -1;
  for (Eigen::Index i = 0; i < gaps.last.size(); ++i) {
    if (!(gaps.last[i] < -gaps.allowed[i])) continue;
    const double length = fall_of_cubic(0.0, gaps.first[i], gaps.first_rate[i], h, gaps.last[i],
                                        gaps.last_rate[i], -0.5 * gaps.allowed[i]);
    if (first >= 0 && length >= earliest) continue;
    earliest = length;
    first = static_cast<int>(i);
  }
  const int of = first >= 0 ? first : is_aimed ? point_ : -1;
  if (of < 0) return;
  const End end{h, gaps.last[of], gaps.last_rate[of]};
  const double level = -0.5 * gaps.allowed[of];
  if (of != point_ || aim_ == 0.0) {
    open_ = {0.0, gaps.first[of], gaps.first_rate[of]};
    beyond_ = end;
  } else if (first >= 0) {
    beyond_ = end;
  } else if (end.gap > 0.0) {
    open_ = end;
  } else {
    return;  // closed as far as is asked for
  }
  point_ = of;
  ++n_tries_;
  aim_ = cut(
      fall_of_cubic(open_.h, open_.gap, open_.rate, beyond_.h, beyond_.gap, beyond_.rate, level));
  // What would be left of the step is no step, and one that differs by round-off no other.
  if (aim_ > first_ - kShortestCut * longest_ || std::abs(aim_ - h) <= kSameCut * h) return;
  throw ImpactWithinStep(aim_);
}

}  // namespace solidyn::integrators
