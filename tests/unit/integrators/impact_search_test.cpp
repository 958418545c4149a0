// Where within a step a gap closes, by repeated steps of a motion that is known.
#include "solidyn/integrators/impact_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace solidyn::integrators {
namespace {

using GapOfTime = std::function<double(double)>;
constexpr double kAllowed = 1e-10;

double rate_of(const GapOfTime& gap, double t) {
  constexpr double d = 1e-6;
  return (gap(t + d) - gap(t - d)) / (2.0 * d);
}

ImpactSearch::Gaps gaps_of(const std::vector<GapOfTime>& motions, double t, double h) {
  ImpactSearch::Gaps gaps;
  const auto n = static_cast<Eigen::Index>(motions.size());
  gaps.first.resize(n);
  gaps.first_rate = gaps.last = gaps.last_rate = gaps.first;
  gaps.allowed.setConstant(n, kAllowed);
  for (Eigen::Index i = 0; i < n; ++i) {
    const GapOfTime& gap = motions[static_cast<std::size_t>(i)];
    gaps.first[i] = gap(t);
    gaps.first_rate[i] = rate_of(gap, t);
    gaps.last[i] = gap(t + h);
    gaps.last_rate[i] = rate_of(gap, t + h);
  }
  return gaps;
}

struct Found {
  double length;
  int tries;
};
Found find(ImpactSearch& search, const std::vector<GapOfTime>& motions, double t, double h) {
  for (int tries = 1;; ++tries) {
    try {
      search.look(t, h, gaps_of(motions, t, h));
      return {h, tries};
    } catch (const ImpactWithinStep& impact) {
      EXPECT_LT(tries, 30);
      if (tries >= 30) return {h, tries};
      h = impact.length;
    }
  }
}

TEST(ImpactSearch, EndsStepsWhereTheGapCloses) {
  ImpactSearch search;
  const auto falls = [](double t) { return 1.0 - 0.5 * 9.81 * t * t; };
  const Found free = find(search, {falls}, 0.4, 0.05);
  EXPECT_EQ(free.tries, 1);
  const Found cut = find(search, {falls}, 0.44, 0.05);
  EXPECT_NEAR(0.44 + cut.length, std::sqrt(2.0 / 9.81), 2.0 * kAllowed);
  EXPECT_LE(falls(0.44 + cut.length), 0.0);
  EXPECT_GE(falls(0.44 + cut.length), -kAllowed);
  EXPECT_LE(cut.tries, 3);
}

// Not a cubic: the bracket closes in on it from both sides.
TEST(ImpactSearch, FollowsAStiffMotion) {
  ImpactSearch search;
  const auto swings = [](double t) { return 0.2 + 0.01 * std::cos(60.0 * t) - 0.25 * t; };
  const Found cut = find(search, {swings}, 0.1, 1.0);
  const double gap = swings(0.1 + cut.length);
  EXPECT_LE(gap, 0.0);
  EXPECT_GE(gap, -kAllowed);
  EXPECT_LE(cut.tries, 12);
}

TEST(ImpactSearch, TakesTheEarliestOfSeveral) {
  ImpactSearch search;
  const std::vector<GapOfTime> motions = {[](double t) { return 0.7 - t; },
                                          [](double t) { return 0.3 - t; },
                                          [](double) { return 1.0; }};
  EXPECT_NEAR(find(search, motions, 0.0, 1.0).length, 0.3, 2.0 * kAllowed);
}

// A point that has just been hit leaves, and comes back within the step.
TEST(ImpactSearch, SeesWhatLeavesAndComesBack) {
  ImpactSearch search;
  const Found cut = find(search, {[](double t) { return t * (0.6 - t); }}, 0.0, 1.0);
  EXPECT_NEAR(cut.length, 0.6, 1e-9);
}

// Steps are not cut to less than 1e-3 of the longest, at either end.
TEST(ImpactSearch, LeavesNoSlivers) {
  ImpactSearch search;
  EXPECT_NEAR(find(search, {[](double t) { return 1e-6 - t; }}, 0.0, 1.0).length, 1e-3, 1e-15);
  EXPECT_EQ(find(search, {[](double t) { return 1.9999 - t; }}, 1.0, 1.0).length, 1.0);
  // What is left after an impact may be as short, and is not cut again.
  EXPECT_EQ(find(search, {[](double t) { return 2.9995 - t; }}, 2.999, 1e-3).length, 1e-3);
}

}  // namespace
}  // namespace solidyn::integrators
