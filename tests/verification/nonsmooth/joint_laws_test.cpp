// Set-valued laws in joints: friction of a given size (page D10), stops and clutches.
#include <gmock/gmock.h>

#include "nonsmooth_runs.h"
#include "solidyn/base/error.h"

namespace solidyn::testing_support {
namespace {

constexpr double kGravity = 9.81;

// D10 (a): amplitudes fall by 4 F/k per cycle; within 0.02 m friction holds the spring for ever.
TEST(RubbingGuide, StopsWhereFrictionHoldsTheSpring) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run =
        nonsmooth_run("rubbing_slide", scheme + Overrides{"analyses.dynamics.step=1e-4"});
    const auto& t = run.history.at("time");
    const double half = M_PI / 10.0;
    const std::vector<double> turns = sampled(run.history, "x", {half, 2.0 * half});
    EXPECT_NEAR(turns[0], -0.07, 1e-6);
    EXPECT_NEAR(turns[1], 0.03, 1e-6);
    EXPECT_NEAR(last(run, "x"), 0.01, 2e-6);
    EXPECT_EQ(last(run, "state"), 2.0);
    for (std::size_t i = 0; i < t.size(); ++i)
      if (t[i] > 0.95) EXPECT_LT(std::abs(run.history.at("v")[i]), 1e-14) << t[i];
    EXPECT_NEAR(last(run, "friction"), 100.0 * last(run, "x"), 1e-9);
    EXPECT_LE(largest(run, "friction"), 2.0 * (1.0 + 1e-12));
  }
}

// D10 (b), on a guide that moves with 0.1 m/s: sticks for 0.4 s, slips for 0.406888787 s.
TEST(RubbingGuide, SticksAndSlipsOnABelt) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run(
        "rubbing_slide",
        scheme + Overrides{"parameters.x0=0", "parameters.v0=0.1", "parameters.belt=0.1",
                           "parameters.mu_s=0.4", "analyses.dynamics.step=1e-4",
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
    const auto [low, high] =
        std::minmax_element(run.history.at("x").begin(), run.history.at("x").end());
    EXPECT_NEAR(*low, -0.002360680, 2e-5);
    EXPECT_NEAR(*high, 0.042360680, 2e-5);
  }
}

// The same of an angle: x0 = 0.47 rad, 2 T/k = 0.1 rad less each half turn of pi/2 s.
TEST(RubbingHinge, StopsWhereFrictionHoldsTheSpring) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run("rubbing_hinge", scheme);
    const double half = M_PI / 2.0;
    const std::vector<double> turns =
        sampled(run.history, "angle", {half, 2.0 * half, 3.0 * half, 4.0 * half});
    const double expected[] = {-0.37, 0.27, -0.17, 0.07};
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(turns[i] + 0.47, expected[i], 1e-5);
    EXPECT_NEAR(last(run, "angle") + 0.47, 0.03, 1e-5);
    EXPECT_LT(std::abs(last(run, "rate")), 1e-14);
    EXPECT_EQ(last(run, "state"), 2.0);
    EXPECT_NEAR(last(run, "torque"), 2.0 * (last(run, "angle") + 0.47), 1e-9);
  }
}

// D01 on the stop of a guide, and on those of two guides that share it: the sum is what one has.
TEST(StopOfAGuide, BouncesToRestOnIt) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run("dropped_slide", scheme);
    const auto& t = run.history.at("time");
    const double first = std::sqrt(2.0 / kGravity), speed = std::sqrt(2.0 * kGravity);
    for (std::size_t i = 0; i < t.size(); ++i) {
      EXPECT_GE(run.history.at("height")[i], -1.0 - 1e-13) << t[i];
      if (t[i] > first + 1e-3 && t[i] < 2.0 * first - 1e-3)
        EXPECT_NEAR(run.history.at("speed")[i], 0.5 * speed - kGravity * (t[i] - first), 0.02)
            << t[i];
      if (t[i] < 1.37) continue;  // at rest after 1.354570923 s
      EXPECT_NEAR(run.history.at("height")[i], -1.0, 1e-13);
      EXPECT_NEAR(run.history.at("first_force")[i] + run.history.at("second_force")[i],
                  0.5 * kGravity, 1e-8);
      EXPECT_EQ(run.history.at("state")[i], 2.0);
    }
    EXPECT_GT(run.monitor.contacts.impacts, 4);
    EXPECT_LT(run.monitor.contacts.penetration, 1e-12);
    EXPECT_NEAR(run.monitor.contacts.energy_lost, 0.5 * kGravity, 0.02);
  }
}

TEST(StopOfAGuide, RestsOnItFromTheStart) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run =
        nonsmooth_run("dropped_slide",
                      scheme + Overrides{"parameters.lower=0", "analyses.dynamics.duration=0.1"});
    EXPECT_LT(largest(run, "height"), 1e-14);
    EXPECT_LT(largest(run, "impulse"), 1e-14);
    for (std::size_t i = 0; i < run.history.at("time").size(); ++i)
      EXPECT_NEAR(run.history.at("first_force")[i] + run.history.at("second_force")[i],
                  0.5 * kGravity, 1e-9);
  }
}

TEST(StopOfAGuide, IsNotPassedAtTheStart) {
  try {
    nonsmooth_run("dropped_slide", {"parameters.lower=0.1"});
    FAIL();
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("joints.guide.limits.lower"));
    EXPECT_THAT(e.what(), testing::HasSubstr("joints.second.limits.lower"));
    EXPECT_THAT(e.what(), testing::HasSubstr("0.1 m"));
  }
}

// From level to the stop, w^2 = 3 g/L sin(angle); the impulse is I (1 + e) w, and what is left
// brings the rod up by e^2 of the height.
TEST(PendulumAgainstAStop, ReboundsByItsRestitution) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run("pendulum_stop", scheme);
    const double w = std::sqrt(3.0 * kGravity), e = 0.6;
    double impulse = 0.0, lowest = 2.0;
    std::size_t at = 0;
    const auto& angle = run.history.at("angle");
    for (std::size_t i = 0; i < angle.size(); ++i) {
      EXPECT_LE(angle[i], M_PI / 2.0 + 1e-13);
      if (run.history.at("impulse")[i] > 0.0 && at == 0) at = i;
    }
    ASSERT_GT(at, 0u);
    impulse = run.history.at("impulse")[at];
    EXPECT_NEAR(impulse, (1.0 + e) * w / 3.0, 1e-5);
    EXPECT_NEAR(run.history.at("rate")[at], -e * w, 1e-5);
    for (std::size_t i = at; i < angle.size(); ++i) lowest = std::min(lowest, angle[i]);
    EXPECT_NEAR(std::sin(lowest), 1.0 - e * e, 1e-4);
    EXPECT_LE(run.monitor.contacts.penetration, 1e-12);
  }
}

// Two turns and a third at a constant rate: the angle is counted beyond 180 degrees.
TEST(PendulumAgainstAStop, CountsItsTurns) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run(
        "pendulum_stop",
        scheme + Overrides{"parameters.gravity=0", "parameters.rate=15", "parameters.upper=15",
                           "parameters.lower=-3", "analyses.dynamics.step=1e-3",
                           "analyses.dynamics.duration=3.2"});
    // Up at 1 s, back at -9 rad/s over 18 rad to the other stop at 3 s.
    const std::vector<double> angles = sampled(run.history, "angle", {0.9, 2.0, 3.1});
    EXPECT_NEAR(angles[0], 13.5, 4e-3);  // turns to order two: 2e-4 to 2e-3
    EXPECT_NEAR(angles[1], 6.0, 2e-2);
    EXPECT_NEAR(angles[2], -3.0 + 5.4 * 0.1, 2e-2);
    EXPECT_NEAR(last(run, "rate"), 5.4, 3e-3);
    EXPECT_LE(largest(run, "angle"), 15.0 + 1e-12);
    EXPECT_EQ(run.monitor.contacts.impacts, 2);
  }
}

const std::vector<Overrides>& all_schemes() {
  static const std::vector<Overrides> schemes = [] {
    std::vector<Overrides> all = nonsmooth_schemes();
    for (const char* theta : {"0.5", "0.75", "1"})
      all.push_back({"analyses.dynamics.integrator=moreau_jean",
                     std::string("analyses.dynamics.theta=") + theta});
    return all;
  }();
  return schemes;
}

// A force that is zero at the end of a step, to round-off: the gap of a contact that parts with
// 1e-16 N was kept closed for ever, at any speed.
TEST(SlideAtItsStop, IsReleasedByAForceThatEndsWithAStep) {
  struct Pull {
    const char* force;
    double slope, released;  // N/s, s
  };
  for (const Overrides& scheme : all_schemes())
    for (const Pull& pull : {Pull{"20-40*t", 40.0, 0.5}, Pull{"20*(0.5-t)", 20.0, 0.5},
                             Pull{"20-100*t", 100.0, 0.2}, Pull{"5-20*t", 20.0, 0.25}}) {
      const ModelRun run = nonsmooth_run(
          "released",
          scheme + Overrides{std::string("loads.pull.force=[0, 0, \"") + pull.force + "\"]"});
      const double t = 1.0 - pull.released, speed = -pull.slope * t * t / 4.0;
      EXPECT_NEAR(last(run, "speed"), speed, 0.04 * std::abs(speed)) << scheme[0] << pull.force;
      EXPECT_NEAR(last(run, "z"), speed * t / 3.0, 0.06 * std::abs(speed * t))
          << scheme[0] << pull.force;
    }
}

// Impulses of moreau_jean are those of the whole step, whatever theta is.
TEST(BrakedWheel, StopsWhereItsFrictionLetsIt) {
  for (const Overrides& scheme : all_schemes()) {
    const ModelRun run = nonsmooth_run("braked_wheel", scheme);
    EXPECT_NEAR(last(run, "angle"), 2.25, 3e-3) << scheme[0];
  }
}

// The impulse of each impact is that of the two rods' mass matrix in angles, whatever the scheme,
// and takes (1 - e^2)/2 of impulse times speed over 1 + e from the energy.
TEST(Elbow, HasTheImpulsesOfItsMassMatrix) {
  for (const Overrides& scheme : nonsmooth_schemes())
    for (const double e : {0.5, 0.0}) {
      const ModelRun run =
          nonsmooth_run("elbow", scheme + Overrides{"parameters.restitution=" + std::to_string(e)});
      const auto& h = run.history;
      int n = 0;
      for (std::size_t i = 1; i < h.at("time").size(); ++i) {
        EXPECT_LE(std::abs(h.at("bend")[i]), 0.5 + 1e-12);
        const double impulse = h.at("impulse")[i];
        if (impulse < 1e-3) continue;
        ++n;
        // Of absolute angles: M = [4/3, c/2; c/2, 1/3], W = (-1, 1) along the bend.
        const double c = std::cos(h.at("bend")[i]);
        const double det = 4.0 / 9.0 - 0.25 * c * c;
        const double compliance = (1.0 / 3.0 + c + 4.0 / 3.0) / det;  // W^T M^-1 W
        const double jump = std::abs(h.at("bend_rate")[i] - h.at("bend_rate")[i - 1]);
        EXPECT_NEAR(impulse * compliance, jump, 0.02 * jump + 0.02);
        EXPECT_LE(h.at("energy")[i], h.at("energy")[i - 1] + 1e-6) << h.at("time")[i];
      }
      EXPECT_GE(n, e > 0.0 ? 2 : 1);
      EXPECT_LE(run.monitor.contacts.penetration, 1e-12);
    }
}

// The wheel goes with the lever, and stays while that swings back: 0.6 rad every pi seconds.
TEST(Ratchet, TurnsOneWayOnly) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run("ratchet", scheme);
    const auto& h = run.history;
    for (std::size_t i = 1; i < h.at("time").size(); ++i) {
      const double t = h.at("time")[i], cycle = std::floor(t / M_PI);
      const double into = t - M_PI * cycle;
      const double expected =
          0.6 * cycle + (into < M_PI / 2.0 ? 0.3 * (1.0 - std::cos(2.0 * into)) : 0.6);
      EXPECT_NEAR(h.at("wheel")[i], expected, 1e-3) << t;
      EXPECT_GE(h.at("speed")[i], -1e-12) << t;
      if (into > 0.01 && into < M_PI / 2.0 - 0.01) {
        EXPECT_EQ(h.at("state")[i], 2.0) << t;
        // Inertia and friction against the lever.
        EXPECT_NEAR(h.at("clutch")[i], 0.24 * std::cos(2.0 * into) + 0.5, 0.01) << t;
      }
      if (into > M_PI / 2.0 + 0.01 && into < M_PI - 0.01) {
        EXPECT_EQ(h.at("state")[i], 1.0) << t;
        EXPECT_EQ(h.at("clutch")[i], 0.0) << t;
        EXPECT_LT(std::abs(h.at("speed")[i]), 1e-12) << t;
      }
    }
  }
}

}  // namespace
}  // namespace solidyn::testing_support
