// Impacts: pages D01, D03, D05, D07, D11 and D12 of the reference problems.
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

constexpr double kG = 9.81;

ModelRun bouncing_ball(const Overrides& overrides) {
  return run_model(MPI_COMM_SELF, "examples/nonsmooth/bouncing_ball.yaml", overrides);
}

// D01: infinitely many impacts in 1.354570923 s; then the weight, without oscillation.
TEST(BouncingBall, ComesToRestAfterInfinitelyManyImpacts) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    for (const char* step : {"1e-3", "1e-4"}) {
      const ModelRun run =
          bouncing_ball(scheme + Overrides{std::string("analyses.dynamics.step=") + step});
      const double h = std::stod(step);
      const auto& t = run.history.at("time");
      const auto& height = run.history.at("height");
      double error = 0.0;
      for (std::size_t i = 0; i < t.size(); ++i) {
        if (t[i] > 1.354570923 + 10.0 * h) {
          EXPECT_NEAR(run.history.at("force")[i], 0.5 * kG, 1e-9) << t[i];
          EXPECT_LT(std::abs(height[i]), 1e-14) << t[i];
        }
        EXPECT_GE(height[i], -1e-14);
        double from = 0.451523641, apex = 0.25;  // of the parabola of this time
        double v = 0.5 * 4.429446918;
        if (t[i] <= from) {
          error = std::max(error, std::abs(height[i] - (1.0 - 0.5 * kG * t[i] * t[i])));
          continue;
        }
        while (apex > 1e-6 && t[i] > from + 2.0 * v / kG) {
          from += 2.0 * v / kG;
          v *= 0.5;
          apex *= 0.25;
        }
        const double s = t[i] - from, exact = apex > 1e-6 ? v * s - 0.5 * kG * s * s : 0.0;
        error = std::max(error, std::abs(height[i] - exact));
      }
      EXPECT_LT(error, 2e-6) << step;  // by the end of bouncing alone; parabolas are exact
      EXPECT_GE(run.monitor.contacts.impacts, 8);
    }
  }
}

// Where restitution is one, no impact takes or gives energy, wherever in a step it falls.
TEST(BouncingBall, KeepsItsEnergyThroughManyImpacts) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = bouncing_ball(scheme + Overrides{"contacts.floor.law.restitution=1",
                                                          "analyses.dynamics.duration=20",
                                                          "analyses.dynamics.step=7e-3"});
    EXPECT_GE(run.monitor.contacts.impacts, 20);
    EXPECT_LT(std::abs(run.monitor.contacts.energy_lost), 1e-9);
    EXPECT_LT(run.monitor.largest_drift, 1e-9);
  }
}

// D05 (b), and (a) with gaps.
TEST(Cradle, PassesTheImpulseOnAsNewtonsLawHasIt) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun touching =
        run_model(MPI_COMM_SELF, "examples/nonsmooth/newtons_cradle.yaml", scheme);
    EXPECT_NEAR(last(touching, "v1"), -1.0 / 3.0, 1e-10);
    EXPECT_NEAR(last(touching, "v2"), 2.0 / 3.0, 1e-10);
    EXPECT_NEAR(last(touching, "v3"), 2.0 / 3.0, 1e-10);
    const ModelRun apart =
        run_model(MPI_COMM_SELF, "examples/nonsmooth/newtons_cradle.yaml",
                  scheme + Overrides{"bodies.second.pose.position=[0.1001, 0, 0]",
                                     "bodies.third.pose.position=[0.2021, 0, 0]",
                                     "analyses.dynamics.duration=0.06"});
    EXPECT_NEAR(last(apart, "v1"), 0.0, 1e-10);
    EXPECT_NEAR(last(apart, "v2"), 0.0, 1e-10);
    EXPECT_NEAR(last(apart, "v3"), 1.0, 1e-10);
    const ModelRun plastic =
        run_model(MPI_COMM_SELF, "examples/nonsmooth/newtons_cradle.yaml",
                  scheme + Overrides{"contacts.first_second.law.restitution=0",
                                     "contacts.second_third.law.restitution=0"});
    for (const char* v : {"v1", "v2", "v3"}) EXPECT_NEAR(last(plastic, v), 1.0 / 3.0, 1e-10);
  }
}

// D03: impulses with friction, to the digits of the page.
struct RodCase {
  const char *theta, *mu, *e, *vx;
  double v_x, v_y, w, energy;
};

TEST(FallingRod, IsHitAsTheLawsOfImpactAndFrictionHaveIt) {
  for (const RodCase& c :
       {RodCase{"60", "0.3", "0.5", "0", 0.66162432, 0.20541440, -3.17834239, 0.66088176},
        RodCase{"60", "1.2", "0.5", "0", 0.97427858, 0.4375, -2.25, 0.78125},
        RodCase{"60", "0.3", "0.5", "3", 2.66177858, -0.53677858, -6.14711432, 5.26105716},
        RodCase{"20", "0", "0", "0", 0.0, -1.45191464, -3.09019058, 1.45191464}}) {
    const ModelRun run = nonsmooth_run(
        "rod",
        {std::string("parameters.theta=") + c.theta, std::string("parameters.mu=") + c.mu,
         std::string("parameters.restitution=") + c.e, std::string("parameters.vx=") + c.vx});
    EXPECT_NEAR(run.history.at("v.x").front(), c.v_x, 1e-8);
    EXPECT_NEAR(run.history.at("v.y").front(), c.v_y, 1e-8);
    EXPECT_NEAR(run.history.at("w").front(), c.w, 1e-8);
    EXPECT_NEAR(run.history.at("energy").front(), c.energy, 1e-8);
  }
}

// D11: no acceleration keeps the rod's end on the floor. It is hit although no gap closes.
TEST(PainlevesRod, IsHitWithoutACollision) {
  const ModelRun run = nonsmooth_run(
      "rod", {"parameters.theta=63.43494882292201", "parameters.mu=1.6", "parameters.restitution=0",
              "parameters.vx=-1", "parameters.vy=0", "parameters.g=9.81"});
  EXPECT_NEAR(run.history.at("v.x").front(), -0.6, 1e-9);
  EXPECT_NEAR(run.history.at("v.y").front(), 0.3, 1e-9);
  EXPECT_NEAR(run.history.at("w").front(), 1.341640786, 1e-9);
  EXPECT_NEAR(run.history.at("energy").front(), 0.3, 1e-9);
}

// Below the critical coefficient the force is finite.
TEST(PainlevesRod, HasAFiniteForceBelowTheCriticalCoefficient) {
  const ModelRun run = nonsmooth_run(
      "rod", {"parameters.theta=63.43494882292201", "parameters.mu=1.2", "parameters.restitution=0",
              "parameters.vx=-1", "parameters.vy=0", "parameters.g=9.81"});
  EXPECT_NEAR(run.history.at("force").front(), 61.3125, 1e-7);
}

// D07: with a consistent start the contact force has no ripple, and nothing drifts.
TEST(ClosedContact, HasItsForceFromTheFirstStep) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run("start", scheme);
    const auto& t = run.history.at("time");
    for (std::size_t i = 0; i < t.size(); ++i) {
      const double q = run.history.at("q2")[i] - 10.0;
      EXPECT_NEAR(run.history.at("force")[i], 9.81 + 10.0 * q, 1e-9) << t[i];
      EXPECT_LT(std::abs(run.history.at("q3")[i] - 20.0), 1e-14) << t[i];
      EXPECT_LT(std::abs(run.history.at("v3")[i]), 1e-14) << t[i];
    }
    EXPECT_NEAR(last(run, "q1"), 0.981 * (1.0 - std::cos(std::sqrt(10.0) * 5.0)), 0.05);
  }
}

// D12: joints carry impulses; velocities after an impact satisfy them.
TEST(DoublePendulum, HitsTheWallAsTheEventDrivenReference) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    double before = 0.0;
    for (const char* step : {"1e-4", "5e-5"}) {
      const ModelRun run = nonsmooth_run(
          "pendulum", scheme + Overrides{std::string("analyses.dynamics.step=") + step});
      const double th1 = last(run, "th1"), th2 = th1 + last(run, "th12");
      const double error = std::hypot(th1 + 1.102420482, th2 + 0.284826214);
      EXPECT_LT(error, 20.0 * std::stod(step)) << step;
      before = error;
      EXPECT_EQ(run.monitor.contacts.impacts, 3);
      EXPECT_LT(run.monitor.position_violation, 1e-9);
    }
    EXPECT_LT(before, 1e-3);
  }
}

// A ball that falls onto a floor and stays: on it, or as deep in it as it went in the step of the
// impact, where its velocity is zero either way.
TEST(Stabilisation, ClosesGapsOrLeavesThem) {
  std::vector<Overrides> schemes = nonsmooth_schemes();
  schemes.push_back({"analyses.dynamics.integrator=moreau_jean"});
  schemes.push_back({"analyses.dynamics.integrator=half_explicit"});
  for (Overrides scheme : schemes) {
    scheme =
        scheme + Overrides{"contacts.floor.law.restitution=0", "analyses.dynamics.duration=0.6"};
    const std::string ball = "examples/nonsmooth/bouncing_ball.yaml";
    const ModelRun closed = run_model(MPI_COMM_SELF, ball, scheme);
    const ModelRun left =
        run_model(MPI_COMM_SELF, ball, scheme + Overrides{"analyses.dynamics.stabilisation=none"});
    const double on_floor = last(closed, "height"), deep = on_floor - last(left, "height");
    EXPECT_LT(closed.monitor.contacts.penetration, 1e-12) << scheme.front();
    // moreau_jean takes it in the step before: it stops above the floor.
    EXPECT_GT(std::abs(deep), 1e-6) << scheme.front();
    EXPECT_LT(std::abs(deep), 4.5e-3) << scheme.front();  // a step of 1 ms at 4.43 m/s
    EXPECT_NEAR(left.monitor.contacts.penetration, std::max(0.0, deep), 1e-9) << scheme.front();
    const std::vector<double>& heights = left.history.at("height");
    EXPECT_NEAR(heights[heights.size() / 2 + 200], heights.back(), 1e-9) << scheme.front();
  }
}

}  // namespace
}  // namespace solidyn::testing_support
