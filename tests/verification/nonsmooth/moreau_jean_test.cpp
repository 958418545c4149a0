// The theta scheme of Moreau and Jean: pages D01, D02, D04, D05 and D10 of the reference problems
// as a scheme of order one meets them, smooth motion, and energy that must not grow.
#include <random>

#include "nonsmooth_runs.h"
#include "solidyn/base/error.h"

namespace solidyn::testing_support {
namespace {

constexpr double kFreeFall = 9.81;
const Overrides kMoreau = {"analyses.dynamics.integrator=moreau_jean"};

std::string number(double x) { return std::to_string(x); }
Overrides step_of(const std::string& h) { return {"analyses.dynamics.step=" + h}; }
Overrides theta_of(const std::string& theta) { return {"analyses.dynamics.theta=" + theta}; }

double largest_gain_of_energy(const ModelRun& run, const std::string& column) {
  const std::vector<double>& values = run.history.at(column);
  double rise = 0.0;
  for (std::size_t i = 1; i < values.size(); ++i) rise = std::max(rise, values[i] - values[i - 1]);
  return rise;
}

double order(double coarse, double fine, double ratio) {
  return std::log(coarse / fine) / std::log(ratio);
}

// Error at the end against a run of order two with very short steps.
double error_of(const ModelRun& run, const ModelRun& exact,
                const std::vector<std::string>& columns) {
  double error = 0.0;
  for (const std::string& column : columns)
    error = std::max(error, std::abs(last(run, column) - last(exact, column)));
  return error;
}

TEST(MoreauJean, HasItsOrderForABodyThatTumbles) {
  const std::vector<std::string> e = {"e.x", "e.y", "e.z"};
  const ModelRun exact = nonsmooth_run("spinning_body", step_of("2e-4"));
  for (const auto& [theta, expected] :
       {std::pair{"0.5", 2.0}, std::pair{"0.75", 1.0}, std::pair{"1", 1.0}}) {
    const Overrides scheme = kMoreau + theta_of(theta);
    const double coarse =
                     error_of(nonsmooth_run("spinning_body", scheme + step_of("1e-2")), exact, e),
                 fine =
                     error_of(nonsmooth_run("spinning_body", scheme + step_of("5e-3")), exact, e);
    EXPECT_NEAR(order(coarse, fine, 2.0), expected, 0.1) << theta << " " << coarse << " " << fine;
  }
}

// The wall is far away. Joints hold on both levels.
TEST(MoreauJean, HasOrderOneForADoublePendulum) {
  const Overrides free = {"parameters.wall=-9", "analyses.dynamics.duration=1"};
  const std::vector<std::string> angles = {"th1", "th12"};
  const ModelRun exact = nonsmooth_run("pendulum", free + step_of("5e-5"));
  for (const char* theta : {"0.5", "0.8", "1"}) {
    const Overrides scheme = kMoreau + free + theta_of(theta);
    const ModelRun first = nonsmooth_run("pendulum", scheme + step_of("1e-3")),
                   second = nonsmooth_run("pendulum", scheme + step_of("5e-4"));
    const double coarse = error_of(first, exact, angles), fine = error_of(second, exact, angles);
    EXPECT_NEAR(order(coarse, fine, 2.0), 1.0, 0.1) << theta << " " << coarse << " " << fine;
    EXPECT_LT(first.monitor.position_violation, 1e-13);
    EXPECT_LT(first.monitor.velocity_violation, 1e-12);
    EXPECT_LE(largest_gain_of_energy(first, "energy"), 1e-12);
  }
}

// D01: to rest in 1.354570923 s after infinitely many impacts.
TEST(MoreauJean, LetsABallBounceToRest) {
  for (const char* step : {"1e-3", "1e-4"}) {
    const double h = std::stod(step);
    const ModelRun run =
        run_model(MPI_COMM_SELF, "examples/nonsmooth/bouncing_ball.yaml", kMoreau + step_of(step));
    const auto &t = run.history.at("time"), &height = run.history.at("height");
    double error = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      EXPECT_GE(height[i], -1e-14) << t[i];
      if (t[i] > 1.354570923 + 40.0 * h) {
        EXPECT_NEAR(run.history.at("force")[i], 0.5 * kFreeFall, 1e-9) << t[i];
        EXPECT_LT(std::abs(height[i]), 1e-14) << t[i];
      }
      const double from = 0.451523641, s = t[i] - from, v = 0.5 * 4.429446918;
      if (s <= 0.0)
        error = std::max(error, std::abs(height[i] - (1.0 - 0.5 * kFreeFall * t[i] * t[i])));
      else if (s <= 2.0 * v / kFreeFall)
        error = std::max(error, std::abs(height[i] - (v * s - 0.5 * kFreeFall * s * s)));
    }
    EXPECT_LT(error, 8.0 * h) << step;
    EXPECT_GE(run.monitor.contacts.impacts, 8);
    EXPECT_LT(run.monitor.largest_drift, 1e-9);
  }
}

// With theta above 1/2 a step with this impact has theta 1/2.
TEST(MoreauJean, KeepsTheEnergyOfElasticImpacts) {
  for (const char* theta : {"0.5", "1"}) {
    const ModelRun run =
        run_model(MPI_COMM_SELF, "examples/nonsmooth/bouncing_ball.yaml",
                  kMoreau + theta_of(theta) +
                      Overrides{"contacts.floor.law.restitution=1", "analyses.dynamics.duration=20",
                                "analyses.dynamics.step=7e-3", "sensors.energy={type: energy}"});
    EXPECT_GE(run.monitor.contacts.impacts, 20);
    EXPECT_LE(largest_gain_of_energy(run, "energy"), 1e-10);
    if (std::string(theta) == "0.5") EXPECT_LT(run.monitor.largest_drift, 1e-9);
  }
}

// D02: constant accelerations, so that velocities are exact and positions to order two.
TEST(MoreauJean, SlidesAndSticksOnAnIncline) {
  for (const auto& [mu, a] : {std::pair{"0.2", 3.205858158}, std::pair{"0.5", 0.657145394}}) {
    const ModelRun run =
        nonsmooth_run("incline", kMoreau + Overrides{std::string("parameters.mu=") + mu});
    EXPECT_NEAR(last(run, "a.x"), a, 1e-9);
    EXPECT_NEAR(last(run, "v.x"), 0.2 * a, 1e-9);
    EXPECT_NEAR(last(run, "p.x"), 0.5 * a * 0.04, 1e-9);
    EXPECT_NEAR(last(run, "p.z"), 0.1, 1e-14);
  }
  const ModelRun rests = nonsmooth_run("incline", kMoreau + Overrides{"parameters.mu=0.7"});
  EXPECT_NEAR(last(rests, "friction"), 2.0 * 4.905, 1e-9);
  EXPECT_LT(largest(rests, "p.x"), 1e-14);
  EXPECT_EQ(last(rests, "state"), 2.0);
  const Overrides up = kMoreau + Overrides{"parameters.uphill=3", "analyses.dynamics.step=1e-4"};
  const ModelRun back = nonsmooth_run(
      "incline", up + Overrides{"parameters.mu=0.3", "analyses.dynamics.duration=1.118331978"});
  EXPECT_NEAR(last(back, "p.x"), 0.0, 2e-4);
  EXPECT_NEAR(last(back, "v.x"), 1.686743494, 2e-4);
  const ModelRun stays = nonsmooth_run(
      "incline", up + Overrides{"parameters.mu=0.7", "analyses.dynamics.duration=0.4"});
  EXPECT_NEAR(last(stays, "p.x"), -0.414670243, 1e-6);
  EXPECT_LT(std::abs(last(stays, "v.x")), 1e-14);
}

// D05 (b), and (a) with gaps.
TEST(MoreauJean, SolvesTheCradleAtOnce) {
  const std::string model = "examples/nonsmooth/newtons_cradle.yaml";
  const ModelRun touching = run_model(MPI_COMM_SELF, model, kMoreau);
  EXPECT_NEAR(last(touching, "v1"), -1.0 / 3.0, 1e-10);
  EXPECT_NEAR(last(touching, "v2"), 2.0 / 3.0, 1e-10);
  EXPECT_NEAR(last(touching, "v3"), 2.0 / 3.0, 1e-10);
  const ModelRun apart = run_model(MPI_COMM_SELF, model,
                                   kMoreau + Overrides{"bodies.second.pose.position=[0.11, 0, 0]",
                                                       "bodies.third.pose.position=[0.23, 0, 0]",
                                                       "analyses.dynamics.duration=0.2"});
  EXPECT_NEAR(last(apart, "v1"), 0.0, 1e-10);
  EXPECT_NEAR(last(apart, "v2"), 0.0, 1e-10);
  EXPECT_NEAR(last(apart, "v3"), 1.0, 1e-10);
}

// D10 (a) and (b).
TEST(MoreauJean, StopsAFrictionOscillatorAndLetsItStickOnABelt) {
  const ModelRun run = nonsmooth_run("oscillator", kMoreau + step_of("1e-4"));
  EXPECT_NEAR(last(run, "x"), 0.01, 2e-5);
  EXPECT_EQ(last(run, "state"), 2.0);
  const auto& t = run.history.at("time");
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] > 0.95) EXPECT_LT(std::abs(run.history.at("v")[i]), 1e-14) << t[i];
  EXPECT_NEAR(last(run, "friction"), 100.0 * last(run, "x"), 1e-9);
  const ModelRun belt = nonsmooth_run(
      "oscillator", kMoreau + step_of("1e-4") +
                        Overrides{"parameters.x0=0", "parameters.v0=0.1", "parameters.belt=0.1",
                                  "parameters.mu_s=0.4", "analyses.dynamics.duration=2.5"});
  const auto& x = belt.history.at("x");
  EXPECT_NEAR(*std::max_element(x.begin(), x.end()), 0.042360680, 5e-5);
  EXPECT_NEAR(*std::min_element(x.begin(), x.end()), -0.002360680, 5e-5);
}

// D04 (a), to the digits of its table.
TEST(MoreauJean, MovesASliderCrankToOrderOne) {
  for (const char* theta : {"0.5", "1"}) {
    std::vector<double> errors;
    for (const char* step : {"1e-4", "1e-5"}) {
      const ModelRun run = nonsmooth_run("slider_crank", kMoreau + theta_of(theta) + step_of(step));
      errors.push_back(std::abs(last(run, "th1") - 4.809238135));
      EXPECT_LT(run.monitor.position_violation, 1e-13);
      EXPECT_LT(run.monitor.velocity_violation, 1e-11);
    }
    EXPECT_NEAR(order(errors[0], errors[1], 10.0), 1.0, 0.05) << theta << " " << errors[0];
  }
}

// D04 (b), th2 at each millisecond, against its mean size: the paper has 6.7e-2 and 6.4e-3.
TEST(MoreauJean, LetsASliderRattleInItsGuide) {
  const std::vector<double> th2 = {
      0,        -0.072596, -0.13495, -0.18732, -0.2334,  -0.27288, -0.30762,  -0.33883,  -0.36676,
      -0.39194, -0.41462,  -0.43499, -0.45317, -0.46922, -0.48318, -0.49502,  -0.5047,   -0.51214,
      -0.51725, -0.5199,   -0.5199,  -0.51706, -0.5111,  -0.50173, -0.48858,  -0.47126,  -0.44887,
      -0.41778, -0.38094,  -0.33721, -0.28573, -0.22678, -0.16119, -0.090388, -0.016521, 0.057811,
      0.13015,  0.19852,   0.26151,  0.31834,  0.36766,  0.4061,   0.43858,   0.46555,   0.48705,
      0.5028,   0.5145,    0.52216,  0.52634,  0.52734,  0.52547};
  std::vector<double> times;
  double mean = 0.0;
  for (std::size_t i = 0; i < th2.size(); ++i) {
    times.push_back(1e-3 * static_cast<double>(i));
    mean += std::abs(th2[i]) / static_cast<double>(th2.size());
  }
  for (const auto& [step, allowed] :
       {std::pair{"1e-4", 2.0 * 6.7e-2}, std::pair{"1e-5", 2.0 * 6.4e-3}}) {
    const ModelRun run = run_model(MPI_COMM_SELF, "examples/nonsmooth/slider_crank_clearance.yaml",
                                   kMoreau + step_of(step));
    EXPECT_LT(largest_difference(sampled(run.history, "th2", times), th2) / mean, allowed) << step;
    EXPECT_LT(largest(run, "y"), 1e-3 + 1e-12) << step;
    EXPECT_LT(run.monitor.contacts.penetration, 1e-12) << step;
    EXPECT_GT(run.monitor.contacts.energy_lost, 0.0);
  }
}

TEST(MoreauJean, TakesEnergyWhateverItsDampersAre) {
  for (const char* theta : {"0.5", "1"})
    for (const char* damping : {"0", "1e3", "1e4", "1e5", "1e7"}) {
      const ModelRun run = nonsmooth_run(
          "damper_on_floor",
          kMoreau + theta_of(theta) + Overrides{std::string("parameters.damping=") + damping});
      EXPECT_LT(largest_gain_of_energy(run, "energy"), 1e-10) << theta << " " << damping;
      // The trapezoidal rule lets a damper that is too fast for the step swing, and lift it.
      if (std::string(theta) == "1") EXPECT_LT(largest(run, "v_lower"), 1e-9) << damping;
      EXPECT_LT(std::abs(last(run, "v_upper")), 1.5) << damping;
    }
}

// Springs whose vibrations are up to a thousand times faster than a step.
TEST(MoreauJean, NeverGivesEnergyToTowersOnStiffSprings) {
  std::mt19937 random(20);
  const auto between = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  for (int i = 0; i < 40; ++i) {
    const double theta = i % 4 == 0 ? 0.5 : i % 4 == 1 ? 1.0 : between(0.5, 1.0);
    const Overrides parameters = {
        "parameters.stiffness=" + number(std::pow(10.0, between(1.0, 11.0))),
        "parameters.damping=" + number(i % 2 ? std::pow(10.0, between(0.0, 6.0)) : 0.0),
        "parameters.restitution=" + number(i % 5 == 0 ? 1.0 : between(0.0, 1.0)),
        "parameters.mu=" + number(i % 3 == 0 ? between(0.1, 1.0) : 0.0),
        "parameters.across=" + number(i % 3 == 0 ? between(-3.0, 3.0) : 0.0),
        "parameters.speed=" + number(-between(0.1, 5.0)),
        "parameters.weight=" + number(i % 2 ? 9.81 : 0.0),
        "parameters.ratio=" + number(std::pow(10.0, between(-2.0, 2.0)))};
    const ModelRun run =
        nonsmooth_run("spring_tower", kMoreau + theta_of(number(theta)) + parameters);
    const double scale = largest(run, "energy");
    std::string told;
    for (const std::string& parameter : parameters) told += parameter + " ";
    EXPECT_LT(largest_gain_of_energy(run, "energy"), 1e-10 * scale) << theta << " " << told;
    EXPECT_GT(*std::min_element(run.history.at("gap").begin(), run.history.at("gap").end()),
              0.05 - 1e-9)
        << told;
  }
}

std::string refusal_of(const std::string& model, const Overrides& overrides) {
  try {
    run_model(MPI_COMM_SELF, model, kMoreau + overrides);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "nothing is refused";
}

TEST(MoreauJean, RefusesWhatItCannotDo) {
  const std::string ball = "examples/nonsmooth/bouncing_ball.yaml";
  for (const char* theta : {"0.49", "1.01"})
    EXPECT_NE(refusal_of(ball, theta_of(theta)).find("theta"), std::string::npos) << theta;
  const std::string of_mesh = refusal_of("tests/verification/solid_models/driven_bar.yaml", {});
  EXPECT_NE(of_mesh.find("`moreau_jean` with"), std::string::npos) << of_mesh;
}

}  // namespace
}  // namespace solidyn::testing_support
