// Friction: pages D02, D09 and D10 of the reference problems.
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

// D02: a = g (sin - mu cos), and forces mu N at every step.
TEST(Incline, SlidesWithTheAccelerationOfCoulombsLaw) {
  for (const Overrides& scheme : nonsmooth_schemes())
    for (const auto& [mu, a] : {std::pair{"0.2", 3.205858158}, std::pair{"0.5", 0.657145394}}) {
      const ModelRun run =
          nonsmooth_run("incline", scheme + Overrides{std::string("parameters.mu=") + mu});
      EXPECT_NEAR(last(run, "a.x"), a, 1e-9);
      EXPECT_NEAR(last(run, "v.x"), 0.2 * a, 1e-9);
      EXPECT_NEAR(last(run, "p.x"), 0.5 * a * 0.04, 1e-9);
      EXPECT_NEAR(last(run, "p.z"), 0.1, 1e-14);
      for (std::size_t i = 0; i < run.history.at("time").size(); ++i)
        EXPECT_LE(run.history.at("friction")[i],
                  std::stod(mu) * run.history.at("force")[i] * (1.0 + 1e-10));
    }
}

TEST(Incline, HoldsTheBlockWithoutAnyCreep) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run("incline", scheme + Overrides{"parameters.mu=0.7"});
    EXPECT_NEAR(last(run, "friction"), 2.0 * 4.905, 1e-9);
    EXPECT_LT(largest(run, "p.x"), 1e-14);
    EXPECT_LT(largest(run, "v.x"), 1e-14);
    EXPECT_EQ(last(run, "state"), 2.0);
  }
}

// Launched up the slope it stops, and slides back or stays.
TEST(Incline, ReturnsOrStaysWhereItHasStopped) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const Overrides up = scheme + Overrides{"parameters.uphill=3", "analyses.dynamics.step=1e-4"};
    const ModelRun back = nonsmooth_run(
        "incline", up + Overrides{"parameters.mu=0.3", "analyses.dynamics.duration=1.118331978"});
    EXPECT_NEAR(last(back, "p.x"), 0.0, 2e-4);
    EXPECT_NEAR(last(back, "v.x"), 1.686743494, 2e-4);
    const ModelRun stays = nonsmooth_run(
        "incline", up + Overrides{"parameters.mu=0.7", "analyses.dynamics.duration=0.4"});
    EXPECT_NEAR(last(stays, "p.x"), -0.414670243, 1e-6);
    EXPECT_LT(std::abs(last(stays, "v.x")), 1e-14);
  }
}

// D09 (b): the direction of friction is that of the slip; a pyramid misses this by per cents.
TEST(Puck, TurnsDownTheSlopeAsTheConeHasIt) {
  const Overrides across = {"parameters.angle=20", "parameters.across=2",
                            "analyses.dynamics.step=1e-4"};
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run(
        "incline",
        scheme + across + Overrides{"parameters.mu=0.5", "analyses.dynamics.duration=0.3"});
    EXPECT_NEAR(last(run, "p.x"), 0.110510703, 1e-6);
    EXPECT_NEAR(last(run, "p.y"), 0.399101193, 1e-6);
    EXPECT_NEAR(last(run, "v.x"), 0.587252266, 1e-6);
    EXPECT_NEAR(last(run, "v.y"), 0.711406354, 1e-6);
  }
  const ModelRun stops = nonsmooth_run(
      "incline", across + Overrides{"parameters.mu=0.5", "analyses.dynamics.duration=1"});
  EXPECT_NEAR(last(stops, "p.x"), 0.335952838, 1e-4);
  EXPECT_NEAR(last(stops, "p.y"), 0.500175982, 1e-4);
  EXPECT_LT(std::hypot(last(stops, "v.x"), last(stops, "v.y")), 1e-14);
}

// D09 (a).
TEST(Groove, SharesTheWeightBetweenItsSides) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run("groove", scheme);
    EXPECT_NEAR(last(run, "a"), 2.502050562, 1e-9);
    EXPECT_NEAR(last(run, "force"), 3.0 * 6.007373594, 1e-8);
    const ModelRun other = nonsmooth_run(
        "groove",
        scheme + Overrides{"parameters.beta=30", "parameters.phi=60", "parameters.mu=0.3"});
    EXPECT_NEAR(last(other, "a"), 1.962, 1e-9);
    EXPECT_NEAR(last(other, "force"), 3.0 * 4.905, 1e-8);
    const ModelRun sticks = nonsmooth_run(
        "groove",
        scheme + Overrides{"parameters.beta=20", "parameters.phi=30", "parameters.mu=0.3"});
    EXPECT_LT(largest(sticks, "v"), 1e-14);
    // On each side alone friction is not determined: across the line the sides may press each
    // other.
    EXPECT_NEAR(last(sticks, "left_x") + last(sticks, "right_x"), -2.0 * 3.0 * 1.677608803, 1e-8);
  }
}

// D09 (d): over its lower edge, at once.
TEST(Box, TipsOverItsLowerEdge) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run(
        "box",
        scheme + Overrides{"parameters.x=0.2", "parameters.y=0.2", "parameters.z=0.6",
                           "parameters.mu=1", "parameters.angle=25",
                           "analyses.dynamics.duration=2e-3", "analyses.dynamics.step=1e-4"});
    EXPECT_NEAR(run.history.at("alpha").front(), 2.660082039, 1e-8);
    EXPECT_NEAR(run.history.at("force").front(), 9.156887595, 1e-8);
    EXPECT_NEAR(run.history.at("friction").front(), 3.347860536, 1e-8);
    EXPECT_NEAR(last(run, "alpha"), 2.660082039, 2e-2);
    EXPECT_LT(run.monitor.contacts.penetration, 1e-12);
  }
}

// D09 (e): it slides flat until it stops; methods for the associated law lift it.
TEST(Box, SlidesFlatUntilItStops) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run(
        "box", scheme + Overrides{"parameters.v=6", "analyses.dynamics.duration=1.3"});
    EXPECT_NEAR(last(run, "p.x"), 3.669724771, 1e-3);
    EXPECT_LT(std::abs(last(run, "v.x")), 1e-12);
    for (const double z : run.history.at("p.z")) EXPECT_NEAR(z, 0.05, 1e-10);
    EXPECT_LT(largest(run, "w.y"), 1e-9);
  }
}

// D10 (a): amplitudes fall by 0.04 m, until the spring no longer moves the mass; then it rests for
// ever.
TEST(FrictionOscillator, StopsWhereFrictionHoldsTheSpring) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run =
        nonsmooth_run("oscillator", scheme + Overrides{"analyses.dynamics.step=1e-4"});
    EXPECT_NEAR(last(run, "x"), 0.01, 2e-6);
    EXPECT_EQ(last(run, "state"), 2.0);
    const auto& t = run.history.at("time");
    for (std::size_t i = 0; i < t.size(); ++i)
      if (t[i] > 0.95) EXPECT_LT(std::abs(run.history.at("v")[i]), 1e-14) << t[i];
    EXPECT_NEAR(last(run, "friction"), 100.0 * last(run, "x"), 1e-9);
  }
}

// D10 (b): sticks for 0.4 s, slips for 0.406888787 s.
TEST(FrictionOscillator, SticksAndSlipsOnABelt) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run =
        nonsmooth_run("oscillator", scheme + Overrides{"parameters.x0=0", "parameters.v0=0.1",
                                                       "parameters.belt=0.1", "parameters.mu_s=0.4",
                                                       "analyses.dynamics.step=1e-4",
                                                       "analyses.dynamics.duration=2.5"});
    const auto& t = run.history.at("time");
    const auto& state = run.history.at("state");
    std::vector<double> begins, ends;  // of slips
    for (std::size_t i = 1; i < t.size(); ++i) {
      if (state[i] == 1.0 && state[i - 1] == 2.0) begins.push_back(t[i]);
      if (state[i] == 2.0 && state[i - 1] == 1.0) ends.push_back(t[i]);
    }
    ASSERT_GE(begins.size(), 3u);
    EXPECT_NEAR(begins[0], 0.4, 2e-4);
    EXPECT_NEAR(ends[0] - begins[0], 0.406888787, 4e-4);
    EXPECT_NEAR(begins[2] - begins[0], 2.0 * 0.806888787, 1e-3);
    EXPECT_NEAR(*std::max_element(run.history.at("x").begin(), run.history.at("x").end()),
                0.042360680, 5e-6);
    EXPECT_NEAR(*std::min_element(run.history.at("x").begin(), run.history.at("x").end()),
                -0.002360680, 5e-6);
  }
}

// mu g h = 4.9e-3 m/s: slip of less ends within the first step. Its energy is what friction takes.
TEST(Slip, ThatEndsWithinAStepTakesItsEnergyAndNoMore) {
  std::vector<Overrides> schemes = nonsmooth_schemes();
  schemes.push_back({"analyses.dynamics.integrator=half_explicit"});
  for (const Overrides& scheme : schemes)
    for (const double v : {1e-4, 1e-3, 4e-3}) {
      const ModelRun run =
          nonsmooth_run("box", scheme + Overrides{"parameters.v=" + std::to_string(v),
                                                  "analyses.dynamics.duration=0.01"});
      const double energy = 0.5 * v * v;
      EXPECT_NEAR(run.monitor.contacts.friction_loss, energy, 1e-6 * energy) << scheme.front() << v;
      EXPECT_LT(std::abs(run.monitor.balance.imbalance), 1e-6 * energy) << scheme.front() << v;
      EXPECT_LT(std::abs(last(run, "v.x")), 1e-12);
    }
}

}  // namespace
}  // namespace solidyn::testing_support
