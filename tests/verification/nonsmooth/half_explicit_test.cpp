// The half-explicit scheme: its orders, pages D01, D02, D04, D05 and D10 of the reference problems,
// energy, and steps that are too long for it.
#include "nonsmooth_runs.h"
#include "solidyn/base/error.h"

namespace solidyn::testing_support {
namespace {

constexpr double kFalls = 9.81;
const Overrides kHalfExplicitScheme = {"analyses.dynamics.integrator=half_explicit"};
const char* const kBouncingBall = "examples/nonsmooth/bouncing_ball.yaml";
const char* const kSliderWithPlay = "examples/nonsmooth/slider_crank_clearance.yaml";

Overrides steps_of(const std::string& h) { return {"analyses.dynamics.step=" + h}; }

double difference_at_end(const ModelRun& run, const ModelRun& exact,
                         const std::vector<std::string>& columns) {
  double error = 0.0;
  for (const std::string& column : columns)
    error = std::max(error, std::abs(last(run, column) - last(exact, column)));
  return error;
}

TEST(HalfExplicit, HasOrderTwoForABodyThatTumbles) {
  const std::vector<std::string> e = {"e.x", "e.y", "e.z"};
  const ModelRun exact = nonsmooth_run("spinning_body", steps_of("2e-4"));
  const double coarse = difference_at_end(
                   nonsmooth_run("spinning_body", kHalfExplicitScheme + steps_of("1e-2")), exact,
                   e),
               fine = difference_at_end(
                   nonsmooth_run("spinning_body", kHalfExplicitScheme + steps_of("5e-3")), exact,
                   e);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << coarse << " " << fine;
}

// The wall is far away. Joints hold on both levels; the energy is that of Verlet's scheme, which
// does not drift.
TEST(HalfExplicit, HasOrderTwoForADoublePendulum) {
  const Overrides free = {"parameters.wall=-9", "analyses.dynamics.duration=1"};
  const ModelRun exact = nonsmooth_run("pendulum", free + steps_of("5e-5"));
  const ModelRun first = nonsmooth_run("pendulum", kHalfExplicitScheme + free + steps_of("2e-3")),
                 second = nonsmooth_run("pendulum", kHalfExplicitScheme + free + steps_of("1e-3"));
  const double coarse = difference_at_end(first, exact, {"th1", "th12"}),
               fine = difference_at_end(second, exact, {"th1", "th12"});
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1) << coarse << " " << fine;
  EXPECT_LT(second.monitor.position_violation, 1e-13);
  EXPECT_LT(second.monitor.velocity_violation, 1e-12);
  EXPECT_LT(second.monitor.acceleration_violation, 1e-9);
  EXPECT_LT(second.monitor.largest_drift, 1e-3);
}

// D01, to rest in 1.354570923 s.
TEST(HalfExplicit, LetsABallBounceToRest) {
  const ModelRun run =
      run_model(MPI_COMM_SELF, kBouncingBall, kHalfExplicitScheme + steps_of("1e-3"));
  const auto &t = run.history.at("time"), &height = run.history.at("height");
  for (std::size_t i = 0; i < t.size(); ++i) {
    EXPECT_GE(height[i], -1e-14) << t[i];
    if (t[i] < 1.36) continue;
    EXPECT_LT(std::abs(height[i]), 1e-14) << t[i];
    EXPECT_NEAR(run.history.at("force")[i], 0.5 * kFalls, 1e-9) << t[i];
  }
  EXPECT_NEAR(run.monitor.contacts.energy_lost, 0.5 * kFalls, 0.02);
  EXPECT_LT(run.monitor.largest_drift, 1e-9);
}

TEST(HalfExplicit, KeepsTheEnergyOfElasticImpacts) {
  const ModelRun run =
      run_model(MPI_COMM_SELF, kBouncingBall,
                kHalfExplicitScheme +
                    Overrides{"contacts.floor.law.restitution=1", "analyses.dynamics.duration=20",
                              "analyses.dynamics.step=7e-3", "sensors.energy={type: energy}"});
  EXPECT_GE(run.monitor.contacts.impacts, 20);
  EXPECT_LT(run.monitor.largest_drift, 1e-9);
  const std::vector<double>& energy = run.history.at("energy");
  EXPECT_NEAR(energy.back(), energy.front(), 1e-9);
}

// D02.
TEST(HalfExplicit, SlidesAndSticksOnAnIncline) {
  for (const auto& [mu, a] : {std::pair{"0.2", 3.205858158}, std::pair{"0.5", 0.657145394}}) {
    const ModelRun run = nonsmooth_run(
        "incline", kHalfExplicitScheme + Overrides{std::string("parameters.mu=") + mu});
    EXPECT_NEAR(last(run, "a.x"), a, 1e-9);
    EXPECT_NEAR(last(run, "v.x"), 0.2 * a, 1e-9);
    EXPECT_NEAR(last(run, "p.x"), 0.5 * a * 0.04, 1e-9);
    EXPECT_NEAR(last(run, "p.z"), 0.1, 1e-14);
  }
  const ModelRun rests =
      nonsmooth_run("incline", kHalfExplicitScheme + Overrides{"parameters.mu=0.7"});
  EXPECT_NEAR(last(rests, "friction"), 2.0 * 4.905, 1e-9);
  EXPECT_LT(largest(rests, "p.x"), 1e-14);
  EXPECT_EQ(last(rests, "state"), 2.0);
}

// D05 (b), and (a) with gaps.
TEST(HalfExplicit, SolvesTheCradle) {
  const std::string model = "examples/nonsmooth/newtons_cradle.yaml";
  const ModelRun touching = run_model(MPI_COMM_SELF, model, kHalfExplicitScheme);
  EXPECT_NEAR(last(touching, "v1"), -1.0 / 3.0, 1e-10);
  EXPECT_NEAR(last(touching, "v2"), 2.0 / 3.0, 1e-10);
  EXPECT_NEAR(last(touching, "v3"), 2.0 / 3.0, 1e-10);
  const ModelRun apart =
      run_model(MPI_COMM_SELF, model,
                kHalfExplicitScheme + Overrides{"bodies.second.pose.position=[0.11, 0, 0]",
                                                "bodies.third.pose.position=[0.23, 0, 0]",
                                                "analyses.dynamics.duration=0.2"});
  EXPECT_NEAR(last(apart, "v1"), 0.0, 1e-10);
  EXPECT_NEAR(last(apart, "v2"), 0.0, 1e-10);
  EXPECT_NEAR(last(apart, "v3"), 1.0, 1e-10);
}

// D07: forces of closed contacts are those of the accelerations, and do not ring.
TEST(HalfExplicit, HasTheForceOfAClosedContactFromTheFirstStep) {
  const ModelRun run = nonsmooth_run("start", kHalfExplicitScheme);
  const auto& t = run.history.at("time");
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double q = run.history.at("q2")[i] - 10.0;
    EXPECT_NEAR(run.history.at("force")[i], 9.81 + 10.0 * q, 1e-9) << t[i];
    EXPECT_LT(std::abs(run.history.at("v3")[i]), 1e-14) << t[i];
  }
}

// D10 (a) and (b).
TEST(HalfExplicit, StopsAFrictionOscillatorAndLetsItStickOnABelt) {
  const ModelRun run = nonsmooth_run("oscillator", kHalfExplicitScheme + steps_of("1e-4"));
  EXPECT_NEAR(last(run, "x"), 0.01, 2e-6);
  EXPECT_EQ(last(run, "state"), 2.0);
  const auto& t = run.history.at("time");
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] > 0.95) EXPECT_LT(std::abs(run.history.at("v")[i]), 1e-14) << t[i];
  EXPECT_NEAR(last(run, "friction"), 100.0 * last(run, "x"), 1e-9);
  const ModelRun belt = nonsmooth_run(
      "oscillator", kHalfExplicitScheme + steps_of("1e-4") +
                        Overrides{"parameters.x0=0", "parameters.v0=0.1", "parameters.belt=0.1",
                                  "parameters.mu_s=0.4", "analyses.dynamics.duration=2.5"});
  const auto& x = belt.history.at("x");
  EXPECT_NEAR(*std::max_element(x.begin(), x.end()), 0.042360680, 1e-5);
  EXPECT_NEAR(*std::min_element(x.begin(), x.end()), -0.002360680, 1e-5);
}

// D04 (a).
TEST(HalfExplicit, MovesASliderCrankToOrderTwo) {
  double errors[2];
  const char* steps[] = {"1e-4", "5e-5"};
  for (int i = 0; i < 2; ++i) {
    const ModelRun run = nonsmooth_run("slider_crank", kHalfExplicitScheme + steps_of(steps[i]));
    errors[i] = std::abs(last(run, "th1") - 4.809238135);
    EXPECT_LT(run.monitor.position_violation, 1e-13);
    EXPECT_LT(run.monitor.velocity_violation, 1e-11);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.15) << errors[0] << " " << errors[1];
  EXPECT_LT(errors[0], 2e-3);
}

// D04 (b) at each 5 or 10 ms.
TEST(HalfExplicit, LetsASliderRattleInItsGuide) {
  const ModelRun run =
      run_model(MPI_COMM_SELF, kSliderWithPlay, kHalfExplicitScheme + steps_of("5e-6"), 2);
  const std::vector<double> t = {0.005, 0.01, 0.02, 0.03, 0.04, 0.05};
  EXPECT_LT(largest_difference(sampled(run.history, "th1", t),
                               {0.57605, 0.94796, 1.61331, 2.55061, 3.93500, 4.79352}),
            5e-4);
  EXPECT_LT(largest_difference(sampled(run.history, "th2", t),
                               {-0.27288, -0.41462, -0.51990, -0.28573, 0.36766, 0.52547}),
            5e-4);
  EXPECT_LT(largest_difference(sampled(run.history, "x", t),
                               {0.422987, 0.369323, 0.259064, 0.166544, 0.178233, 0.277117}),
            5e-5);
  EXPECT_LT(largest(run, "y"), 1e-3 + 1e-12);
  EXPECT_LT(run.monitor.contacts.penetration, 1e-12);
}

// Table 6 of P-NONSMOOTH: twice 1.1e-3 of the mean size of th2, 0.36 rad, with steps of 1e-4 s;
// against steps of 2e-6 s.
TEST(HalfExplicit, IsAsExactAsThePaperWithImpacts) {
  const ModelRun exact =
      run_model(MPI_COMM_SELF, kSliderWithPlay, kHalfExplicitScheme + steps_of("2e-6"), 5);
  const ModelRun run =
      run_model(MPI_COMM_SELF, kSliderWithPlay, kHalfExplicitScheme + steps_of("1e-4"));
  std::vector<double> times;
  for (int i = 1; i <= 50; ++i) times.push_back(1e-3 * i);
  EXPECT_LT(
      largest_difference(sampled(run.history, "th2", times), sampled(exact.history, "th2", times)),
      2.0 * 1.1e-3 * 0.36);
}

// A tower on springs, below the limit of its steps: impacts take energy, and nothing gives any but
// what Verlet's scheme gives back.
TEST(HalfExplicit, GivesNoEnergyToATowerOnSprings) {
  for (const char* restitution : {"0", "0.5", "1"}) {
    const ModelRun run = nonsmooth_run(
        "spring_tower",
        kHalfExplicitScheme + Overrides{"parameters.stiffness=1e4", "analyses.dynamics.step=1e-4",
                                        std::string("parameters.restitution=") + restitution,
                                        "parameters.mu=0.3", "parameters.across=1"});
    EXPECT_LT(largest(run, "energy"), run.history.at("energy").front() * 1.001) << restitution;
    EXPECT_GT(run.monitor.contacts.energy_lost, 0.0);
  }
}

// A damper, and a spring, that are too fast for the step: it is subdivided where that helps, and
// refused where it does not.
TEST(HalfExplicit, SaysWhichStepsAreTooLong) {
  const ModelRun cut =
      nonsmooth_run("damper_on_floor", kHalfExplicitScheme + Overrides{"parameters.damping=1e4"});
  EXPECT_LT(std::abs(last(cut, "v_upper")), 1.5);
  EXPECT_LT(largest(cut, "energy"), cut.history.at("energy").front() + 1e-9);
  try {
    nonsmooth_run("damper_on_floor", kHalfExplicitScheme + Overrides{"parameters.damping=1e9"});
    FAIL();
  } catch (const base::ComputationError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("is not stable with the explicit forces of `half_explicit`"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("strongest damper"), std::string::npos) << text;
  }
}

TEST(HalfExplicit, RefusesFullMeshes) {
  try {
    run_model(MPI_COMM_SELF, "tests/verification/solid_models/driven_bar.yaml",
              kHalfExplicitScheme);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("`half_explicit` with"), std::string::npos);
  }
}

}  // namespace
}  // namespace solidyn::testing_support
