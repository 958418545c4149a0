// Contacts between groups of bodies: the motion is that of a contact for each pair.
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

std::vector<Overrides> schemes_and_moreau() {
  std::vector<Overrides> schemes = nonsmooth_schemes();
  schemes.push_back({"analyses.dynamics.integrator=moreau_jean"});
  return schemes;
}

std::size_t n_impacts(const ModelRun& run) { return run.monitor.contacts.impacts; }

TEST(Groups, MoveTheirBodiesAsPairsDo) {
  for (const Overrides& scheme : schemes_and_moreau()) {
    const ModelRun pairs = nonsmooth_run("tumbling_pair", scheme);
    const ModelRun groups = nonsmooth_run("tumbling_group", scheme);
    EXPECT_GT(n_impacts(pairs), 3u);
    EXPECT_EQ(n_impacts(groups), n_impacts(pairs));
    ASSERT_EQ(groups.history.size(), pairs.history.size());
    for (const auto& [column, values] : pairs.history)
      EXPECT_LT(largest_difference(groups.history.at(column), values),
                1e-10 * (1.0 + largest(pairs, column)))
          << column << " " << scheme.front();
    EXPECT_NEAR(groups.monitor.balance.imbalance, pairs.monitor.balance.imbalance, 1e-10);
  }
}

// D05 (b), and (a) with gaps.
TEST(Groups, PassImpulsesOnAsNewtonsLawHasIt) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun touching = nonsmooth_run("cradle_group", scheme);
    EXPECT_NEAR(last(touching, "v1"), -1.0 / 3.0, 1e-10);
    EXPECT_NEAR(last(touching, "v2"), 2.0 / 3.0, 1e-10);
    EXPECT_NEAR(last(touching, "v3"), 2.0 / 3.0, 1e-10);
    // Of both pairs together: the first ball gives the second 4/15, and that the third 2/15 N s.
    EXPECT_NEAR(largest(touching, "impulse"), 0.2 * (4.0 / 3.0 + 2.0 / 3.0), 1e-10);
    const ModelRun apart = nonsmooth_run(
        "cradle_group", scheme + Overrides{"bodies.ball2.pose.position=[0.1001, 0, 0]",
                                           "bodies.ball3.pose.position=[0.2021, 0, 0]",
                                           "analyses.dynamics.duration=0.06"});
    EXPECT_NEAR(last(apart, "v1"), 0.0, 1e-10);
    EXPECT_NEAR(last(apart, "v2"), 0.0, 1e-10);
    EXPECT_NEAR(last(apart, "v3"), 1.0, 1e-10);
  }
}

TEST(Groups, LetATowerRest) {
  constexpr double kWeight = 22.0 * 9.81, kBetween = (21.0 + 20.0) * 9.81;
  for (const Overrides& scheme : schemes_and_moreau()) {
    const ModelRun run = nonsmooth_run("tower_group", scheme);
    for (std::size_t row = 0; row < run.history.at("force").size(); ++row) {
      EXPECT_NEAR(run.history.at("force")[row], kWeight, 1e-7 * kWeight) << scheme.front();
      EXPECT_NEAR(run.history.at("boxes")[row], kBetween, 1e-7 * kBetween) << scheme.front();
    }
    EXPECT_LT(largest_change(run.history.at("top.x")), 1e-10);
    EXPECT_LT(largest_change(run.history.at("top.z")), 1e-10);
  }
}

// Faster than 400 times its size in a step: without a look ahead the ball would be behind the next
// one before it was near.
TEST(Groups, MissNoPairThatAStepLeadsThroughEachOther) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run(
        "cradle_group",
        scheme + Overrides{"parameters.speed=400", "bodies.ball1.pose.position=[-3.05, 0, 0]",
                           "bodies.ball2.pose.position=[0.1001, 0, 0]",
                           "bodies.ball3.pose.position=[0.2021, 0, 0]"});
    // Gaps that close in one step are one impact, those of several follow each other; either way
    // the third ball goes on, and neither momentum nor energy is lost.
    const double v1 = last(run, "v1"), v2 = last(run, "v2"), v3 = last(run, "v3");
    EXPECT_LT(v1, 1e-7);
    EXPECT_GT(v3, 250.0);
    EXPECT_NEAR(v1 + v2 + v3, 400.0, 1e-7);
    EXPECT_NEAR(v1 * v1 + v2 * v2 + v3 * v3, 400.0 * 400.0, 1e-4);
  }
}

// By the smallest motion in the metric of the masses, from the first row on: the lower ball up to
// the floor and the upper one beyond it, two balls by the inverse of their masses, a flap back to
// its stop.
TEST(Groups, AreMovedApartAtTheStartWhereTheModelSaysSo) {
  for (const Overrides& scheme : schemes_and_moreau()) {
    const ModelRun run = nonsmooth_run("overlapping", scheme);
    for (const std::size_t row : {std::size_t{0}, run.history.at("time").size() - 1}) {
      const auto at = [&](const char* column) { return run.history.at(column)[row]; };
      EXPECT_NEAR(at("low.z"), 0.1, 1e-9);
      EXPECT_NEAR(at("high.z"), 0.3, 1e-9);
      EXPECT_NEAR(at("left.x"), 2.0 - 0.03 * 0.5 / 2.5, 1e-9);
      EXPECT_NEAR(at("right.x"), 2.17 + 0.03 * 2.0 / 2.5, 1e-9);
      EXPECT_NEAR(at("angle"), -0.05, 1e-9);
      EXPECT_NEAR(at("flap.y"), 3.0, 1e-9);
    }
    EXPECT_EQ(n_impacts(run), 0u);
    EXPECT_NEAR(run.monitor.balance.imbalance, 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace solidyn::testing_support
