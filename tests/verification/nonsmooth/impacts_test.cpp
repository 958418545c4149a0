// Impacts: pages D01, D03, D05, D07, D11 and D12 of the reference problems.
#include <Eigen/Dense>

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

// Generalized-alpha as the paper prints it, for page D07: steps of 0.05 s, a constraint of
// velocities or accelerations in place of the contact, and accelerations at the start with or
// without its force.
struct PrintedStart {
  double q3 = 0.0, v3 = 0.0;
  std::vector<double> q2, force_errors;
};

PrintedStart printed_start(double rho, bool on_velocities, bool is_consistent) {
  const double k = 10.0, h = 0.05, g = 9.81;
  const double am = (2.0 * rho - 1.0) / (rho + 1.0), af = rho / (rho + 1.0);
  const double gamma = 0.5 - am + af, beta = 0.25 * std::pow(0.5 + gamma, 2);
  const double c = (1.0 - af) / (1.0 - am);
  Eigen::Matrix3d K;
  K << 2, -1, 0, -1, 2, -1, 0, -1, 1;
  K *= k;
  const Eigen::Vector3d f(g, g, g);
  const Eigen::Matrix3d H = (Eigen::Matrix3d::Identity() + h * h * beta * c * K).inverse();
  Eigen::Vector3d q = Eigen::Vector3d::Zero(), v = q, a = f;
  if (is_consistent) a[2] = 0.0;
  Eigen::Vector3d A = a;
  PrintedStart result;
  for (int i = 0; i < 100; ++i) {
    const Eigen::Vector3d kept = (af * a - am * A) / (1.0 - am);
    const Eigen::Vector3d x = q + h * v + h * h * ((0.5 - beta) * A + beta * kept);
    Eigen::Vector3d next = H * (f - K * x);
    const double force =
        on_velocities ? -(v[2] + h * ((1.0 - gamma) * A[2] + gamma * (c * next[2] + kept[2]))) /
                            (h * gamma * c * H(2, 2))
                      : -next[2] / H(2, 2);
    next += H.col(2) * force;
    const Eigen::Vector3d next_A = c * next + kept;
    q = x + h * h * beta * c * next;
    v += h * ((1.0 - gamma) * A + gamma * next_A);
    a = next;
    A = next_A;
    result.q2.push_back(q[1]);
    result.force_errors.push_back(force + g + k * q[1]);
  }
  result.q3 = q[2];
  result.v3 = v[2];
  return result;
}

// Figs 17 and 18: with (25), which leaves the contact force out, forces ring and the mass drifts.
// With the consistent start nothing of that is left, and the steps are those of the program, but
// for the little that its filter takes of the accelerations at the start.
TEST(ClosedContact, RingsAndDriftsByThePrintedStartAlone) {
  struct Printed {
    double rho, q3, first, second, fourth, last;
  };
  for (const Printed& p : {Printed{0.8, -7.569444e-5, -9.4545, 8.5837, 6.4270, 7.6e-4},
                           Printed{0.0, -6.131250e-3, -3.3109, -1.1445, -0.1817, 6.1e-2}}) {
    const PrintedStart run = printed_start(p.rho, true, false);
    EXPECT_NEAR(run.q3, p.q3, 1e-9);
    EXPECT_NEAR(run.force_errors[0], p.first, 1e-4);
    EXPECT_NEAR(run.force_errors[1], p.second, 1e-4);
    EXPECT_NEAR(run.force_errors[3], p.fourth, 1e-4);
    EXPECT_NEAR(std::abs(run.force_errors.back()), p.last, 0.02 * p.last);
  }
  EXPECT_NEAR(printed_start(0.8, false, false).q3, 1.219892, 1e-6);
  EXPECT_NEAR(printed_start(0.0, false, false).q3, 1.201725, 1e-6);
  EXPECT_NEAR(printed_start(0.8, false, false).v3, 9.81 * 0.05 / 2.0, 1e-12);
  for (const char* rho : {"0.8", "0"}) {
    const ModelRun program =
        nonsmooth_run("start", {"analyses.dynamics.integrator=generalized_alpha",
                                std::string("analyses.dynamics.rho_infinity=") + rho});
    for (const bool on_velocities : {true, false}) {
      const PrintedStart run = printed_start(std::stod(rho), on_velocities, true);
      EXPECT_LT(std::abs(run.q3), 1e-14);
      for (std::size_t i = 0; i < run.q2.size(); ++i) {
        EXPECT_LT(std::abs(run.force_errors[i]), 1e-11) << i;
        EXPECT_NEAR(program.history.at("q2")[i + 1] - 10.0, run.q2[i], 1e-4) << rho << " " << i;
      }
    }
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
