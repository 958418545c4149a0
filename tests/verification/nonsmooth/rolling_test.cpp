// Rolling and drilling friction against closed forms. A ball (I = 2/5 m r^2) that rolls without
// slip, M = mu_r N against its turning: m a = -F, (2/5) m r a = r F - M, so a = -(5/7) mu_r g / r.
// One that spins about the normal: (2/5) m r^2 dw/dt = -mu_d m g.
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

constexpr double kWeightPerMass = 9.81, kR = 0.05, kMass = 2.0, kInertia = 0.4 * kMass * kR * kR;

std::vector<Overrides> schemes_with_moments() {
  std::vector<Overrides> schemes = nonsmooth_schemes();
  schemes.push_back({"analyses.dynamics.integrator=moreau_jean"});
  schemes.push_back({"analyses.dynamics.integrator=half_explicit"});
  return schemes;
}

Overrides with(const char* key, double value) {
  return {std::string("parameters.") + key + "=" + std::to_string(value)};
}

Overrides lasting(double duration) {
  return {"analyses.dynamics.duration=" + std::to_string(duration)};
}

TEST(RollingBall, IsSlowedDownByItsMoment) {
  constexpr double kSlowing = 5.0 / 7.0 * 0.002 * kWeightPerMass / kR;
  for (const Overrides& scheme : schemes_with_moments()) {
    const ModelRun run = nonsmooth_run("rolling_ball", scheme + with("speed", 0.5));
    EXPECT_NEAR(last(run, "v.x"), 0.5 - 0.2 * kSlowing, 1e-9) << scheme.front();
    EXPECT_NEAR(last(run, "w.y") * kR, last(run, "v.x"), 1e-9);
    EXPECT_NEAR(last(run, "p.x"), 0.5 * 0.2 - 0.5 * kSlowing * 0.04,
                scheme.front() == schemes_with_moments()[6].front() ? 1e-4 : 1e-9)
        << scheme.front();
    EXPECT_NEAR(last(run, "rolling"), -0.002 * kMass * kWeightPerMass, 1e-8);
    EXPECT_EQ(last(run, "drilling"), 0.0);
    EXPECT_EQ(last(run, "state"), 2.0);
    EXPECT_LT(run.monitor.balance.imbalance, 1e-6) << scheme.front();
  }
}

// It would stop at v / a = 0.3569 s, after v^2 / (2 a), and stays there to the last digit.
TEST(RollingBall, StopsWhereItShouldAndStays) {
  constexpr double kSlowing = 5.0 / 7.0 * 0.002 * kWeightPerMass / kR, kSpeed = 0.1;
  for (const Overrides& scheme : schemes_with_moments()) {
    const ModelRun run =
        nonsmooth_run("rolling_ball", scheme + with("speed", kSpeed) + lasting(0.6));
    EXPECT_NEAR(last(run, "p.x"), 0.5 * kSpeed * kSpeed / kSlowing, 2e-4) << scheme.front();
    const std::vector<double>&time = run.history.at("time"), &v = run.history.at("v.x"),
          &p = run.history.at("p.x");
    for (std::size_t i = 0; i < time.size(); ++i) {
      if (time[i] < kSpeed / kSlowing - 2e-3) EXPECT_GT(v[i], 1e-4) << scheme.front();
      if (time[i] < kSpeed / kSlowing + 2e-3) continue;
      EXPECT_LT(std::abs(v[i]), 1e-13) << scheme.front();
      EXPECT_NEAR(p[i], p.back(), 1e-13) << scheme.front();
    }
    EXPECT_NEAR(last(run, "rolling"), 0.0, 1e-9);
  }
}

// At t = (2/5) r^2 w / (mu_d g) = 0.1529 s.
TEST(SpinningBall, IsStoppedByDrillingFriction) {
  constexpr double kSpin = 6.0, kStop = 0.4 * kR * kR * kSpin / (0.004 * kWeightPerMass);
  for (const Overrides& scheme : schemes_with_moments()) {
    const Overrides spins = scheme + with("spin", kSpin) + with("drilling", 0.004);
    const ModelRun before = nonsmooth_run("rolling_ball", spins + lasting(0.1));
    EXPECT_NEAR(last(before, "w.z"), kSpin * (1.0 - 0.1 / kStop), 1e-8) << scheme.front();
    EXPECT_NEAR(last(before, "drilling"), -0.004 * kMass * kWeightPerMass, 1e-8);
    EXPECT_LT(std::hypot(last(before, "w.x"), last(before, "w.y")), 1e-9);
    const ModelRun after = nonsmooth_run("rolling_ball", spins + lasting(0.2));
    for (std::size_t i = 0; i < after.history.at("time").size(); ++i)
      EXPECT_EQ(std::abs(after.history.at("w.z")[i]) < 1e-12, after.history.at("time")[i] > kStop)
          << scheme.front();
  }
}

// tan(alpha) = mu_r / r is 2.29 degrees; beyond it a = (g sin - mu_r / r g cos) / (7/5).
TEST(BallOnIncline, HoldsBelowTheAngleOfRollingAndRollsAbove) {
  for (const Overrides& scheme : schemes_with_moments()) {
    const ModelRun holds = nonsmooth_run("rolling_ball", scheme + with("angle", 2.25));
    EXPECT_LT(largest(holds, "p.x"), 1e-13) << scheme.front();
    EXPECT_LT(largest(holds, "w.y"), 1e-12) << scheme.front();
    const double alpha = 2.25 * M_PI / 180.0;
    EXPECT_NEAR(last(holds, "rolling"), -kMass * kWeightPerMass * std::sin(alpha) * kR, 1e-8);
    const ModelRun rolls = nonsmooth_run("rolling_ball", scheme + with("angle", 4.0));
    const double beyond = 4.0 * M_PI / 180.0;
    const double a = kWeightPerMass * (std::sin(beyond) - 0.002 / kR * std::cos(beyond)) / 1.4;
    EXPECT_NEAR(last(rolls, "v.x"), 0.2 * a, 1e-9) << scheme.front();
    EXPECT_NEAR(last(rolls, "w.y"), 0.2 * a / kR, 1e-7) << scheme.front();
  }
}

// A ball that may not turn is a block; with sliding friction of none it turns against its moment
// alone.
TEST(BallOnIncline, SlidesAsABlockWhereMomentsAreLarge) {
  for (const Overrides& scheme : schemes_with_moments()) {
    const ModelRun block = nonsmooth_run(
        "rolling_ball", scheme + with("rolling", 100.0) + with("mu", 0.2) + with("angle", 30.0));
    EXPECT_NEAR(last(block, "v.x"), 0.2 * 3.205858158, 1e-8) << scheme.front();
    EXPECT_LT(largest(block, "w.y"), 1e-10) << scheme.front();
    const ModelRun smooth =
        nonsmooth_run("rolling_ball", scheme + with("mu", 0.0) + with("speed", 0.5) + lasting(0.1));
    EXPECT_NEAR(last(smooth, "v.x"), 0.5, 1e-12) << scheme.front();
    EXPECT_NEAR(last(smooth, "w.y"), 10.0 - 0.1 * 0.002 * kMass * kWeightPerMass / kInertia, 1e-7)
        << scheme.front();
  }
}

TEST(RollingBall, WithoutCoefficientsMovesAsWithoutTheKeysToTheLastBit) {
  for (const Overrides& scheme : schemes_with_moments()) {
    const Overrides rolls = scheme + with("speed", 0.5) + with("spin", 3.0) + with("angle", 20.0);
    const ModelRun zero = nonsmooth_run("rolling_ball", rolls + with("rolling", 0.0));
    const ModelRun none =
        nonsmooth_run("rolling_ball", rolls + Overrides{"contacts.floor.friction={static: 0.5}"});
    for (const auto& [column, values] : zero.history)
      EXPECT_EQ(values, none.history.at(column)) << column;
  }
}

// Four corners share the moment in any way: 3 m g / 3 = (I_z dw/dt) / mu_d.
TEST(SpinningBox, IsStoppedByFourCornersTogether) {
  constexpr double kSlowing = 0.004 * 3.0 * kWeightPerMass / 0.04;
  for (const Overrides& scheme : schemes_with_moments()) {
    const ModelRun before = nonsmooth_run("spinning_box", scheme + lasting(0.5));
    EXPECT_NEAR(last(before, "w.z"), 3.0 - 0.5 * kSlowing, 1e-8) << scheme.front();
    EXPECT_NEAR(last(before, "torque"), -0.004 * 3.0 * kWeightPerMass, 1e-8);
    EXPECT_NEAR(last(before, "force"), 3.0 * kWeightPerMass, 1e-7);
    const ModelRun after = nonsmooth_run("spinning_box", scheme);
    EXPECT_LT(std::abs(last(after, "w.z")), 1e-12) << scheme.front();
    EXPECT_LT(std::hypot(last(after, "p.x"), last(after, "p.y")), 1e-12);
  }
}

// P_N = (1 + e) m v, and moments of mu P_N turn it back: about the tangents against (12, 16) / 20.
TEST(DroppedBall, LosesSpinByTheImpulsesOfMoments) {
  constexpr double kImpulse = 1.5 * kMass * 1.0;
  const double rolls = 20.0 - 0.003 * kImpulse / kInertia,
               spins = 30.0 - 0.002 * kImpulse / kInertia;
  for (const char* law : {"newton", "poisson"})
    for (const Overrides& scheme : schemes_with_moments()) {
      if (law == std::string("poisson") && scheme.back().find("moreau") != std::string::npos)
        continue;
      const Overrides by = scheme + Overrides{std::string("contacts.floor.law.impact_law=") + law};
      for (const char* multiple : {"simultaneous", "sequential"}) {
        if (multiple == std::string("sequential") &&
            scheme.back().find("moreau") != std::string::npos)
          continue;
        const ModelRun run = nonsmooth_run(
            "dropped_spin",
            by + Overrides{std::string("analyses.dynamics.multiple_impacts=") + multiple});
        EXPECT_NEAR(last(run, "v.z"), 0.5, 1e-10) << scheme.front() << law << multiple;
        // The theta scheme has the directions at the end of a step, in which the body turns.
        const double off = scheme.back().find("moreau") == std::string::npos ? 1e-8 : 0.04;
        EXPECT_NEAR(last(run, "w.x"), 0.6 * rolls, off) << scheme.front() << law << multiple;
        EXPECT_NEAR(last(run, "w.y"), 0.8 * rolls, off) << scheme.front() << law << multiple;
        EXPECT_NEAR(last(run, "w.z"), spins, off) << scheme.front() << law << multiple;
      }
      // As large as it takes, and no larger: it leaves without turning.
      const ModelRun stops = nonsmooth_run(
          "dropped_spin", by + with("rolling", 1.0) + with("drilling", 1.0) + with("mu", 0.3));
      for (const char* w : {"w.x", "w.y", "w.z"})
        EXPECT_LT(std::abs(last(stops, w)), 1e-10) << scheme.front() << law;
    }
}

// Moments take energy and never give any.
TEST(RollingBall, NeverGainsEnergy) {
  for (const Overrides& scheme : schemes_with_moments()) {
    const ModelRun run = nonsmooth_run("rolling_bowl", scheme);
    const std::vector<double>& energy = run.history.at("energy");
    EXPECT_LT(energy.back(), energy.front() - 0.1);
    for (std::size_t i = 1; i < energy.size(); ++i)
      EXPECT_LT(energy[i], energy[i - 1] + 1e-10 * std::abs(energy[0])) << scheme.front();
  }
}

// A box on corners and a ball that rolls on it, with moments in both contacts.
TEST(MomentsOfGroups, AreThoseOfPairs) {
  const Overrides moments = {
      "contacts.floor.friction.rolling=0.004", "contacts.floor.friction.drilling=0.003",
      "contacts.top.friction.rolling=0.002", "contacts.top.friction.drilling=0.001"};
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun pairs = nonsmooth_run("tumbling_pair", scheme + moments);
    const ModelRun groups = nonsmooth_run("tumbling_group", scheme + moments);
    const ModelRun without = nonsmooth_run("tumbling_pair", scheme);
    EXPECT_GT(largest_difference(pairs.history.at("w.z"), without.history.at("w.z")), 1e-2);
    for (const auto& [column, values] : pairs.history)
      EXPECT_LT(largest_difference(groups.history.at(column), values),
                1e-9 * (1.0 + largest(pairs, column)))
          << column << " " << scheme.front();
  }
}

// In a bowl, where the direction of rolling turns: against steps of 1/16 of the shortest by the
// same scheme.
TEST(RollingBall, ConvergesWithTheOrderOfTheScheme) {
  for (const Overrides& scheme : schemes_with_moments()) {
    const auto end = [&](double step) {
      const ModelRun run = nonsmooth_run(
          "rolling_bowl",
          scheme + Overrides{"analyses.dynamics.step=" + std::to_string(step)} + lasting(0.2));
      return Eigen::Vector4d(last(run, "p.x"), last(run, "p.y"), last(run, "p.z"),
                             kR * last(run, "w.z"));
    };
    const Eigen::Vector4d exact = end(1.25e-4);
    const double coarse = (end(4e-3) - exact).norm(), fine = (end(2e-3) - exact).norm();
    const double order = std::log2(coarse / fine);
    const bool is_moreau = scheme.front().find("moreau") != std::string::npos;
    EXPECT_GT(order, is_moreau ? 0.9 : 1.8) << scheme.front();
  }
}

// Points with moments have more directions than balls have motions, and turn within a step: with
// directions of an earlier correction no forces met the laws to round-off, and all methods were
// tried, of which the last one takes 10,000 sweeps.
TEST(FourBalls, AreSolvedByTheFirstMethods) {
  struct Case {
    const char *scheme, *rolling, *drilling;
  };
  for (const Case& c : {Case{"bathe", "0.002", "0.0005"}, Case{"moreau_jean", "0.006", "0.001"},
                        Case{"generalized_alpha", "0.006", "0.001"}}) {
    const ModelRun run = nonsmooth_run(
        "four_balls", Overrides{std::string("analyses.dynamics.integrator=") + c.scheme,
                                std::string("parameters.rolling=") + c.rolling,
                                std::string("parameters.drilling=") + c.drilling});
    EXPECT_LT(run.monitor.contacts.solver.most_iterations, 1000) << c.scheme;
    EXPECT_GE(run.monitor.contacts.most_closed, 5) << c.scheme;
    EXPECT_LT(run.monitor.contacts.solver.relative_residual, 1e-8) << c.scheme;
  }
}

}  // namespace
}  // namespace solidyn::testing_support
