// Points on curves against closed forms: a cycloid, an eccentric cam, a helix and a ring.
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>
#include <functional>

#include "model_runs.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;
using testing_support::run_model;
using Settings = std::vector<std::string>;

constexpr double kWeight = 9.81;

ModelRun run_on_curve(const std::string& name, const Settings& settings = {}) {
  return run_model(PETSC_COMM_WORLD, "tests/verification/joints/" + name, settings);
}

/// The largest distance of a column from a function of the row.
double worst_of(const ModelRun& run, const std::string& column,
                const std::function<double(std::size_t)>& wanted) {
  const std::vector<double>& values = run.history.at(column);
  double worst = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i)
    worst = std::max(worst, std::abs(values[i] - wanted(i)));
  return worst;
}

// The way from the lowest point is 4 a sin(phi/2), and swings with sqrt(g/(4 a)) whatever its size.
double error_of_cycloid(double phi, const Settings& settings) {
  constexpr double kA = 0.5;
  Settings all = settings;
  all.push_back("bodies.bead.pose.position=[" + std::to_string(kA * (phi + std::sin(phi))) +
                ", 0, " + std::to_string(kA * (1.0 - std::cos(phi))) + "]");
  const ModelRun run = run_on_curve("cycloid.yaml", all);
  const double start = 4.0 * kA * std::sin(0.5 * phi), w = std::sqrt(kWeight / (4.0 * kA));
  const std::vector<double>& t = run.history.at("time");
  return worst_of(run, "way", [&](std::size_t i) { return start * (std::cos(w * t[i]) - 1.0); });
}

TEST(Cycloid, SwingsInTheSameTimeWhateverTheAmplitude) {
  for (double phi : {0.3, 1.2, 2.0}) EXPECT_LT(error_of_cycloid(phi, {}), 4e-4) << phi;
}

TEST(Cycloid, ConvergesAtOrderTwo) {
  const double coarse = error_of_cycloid(2.0, {"analyses.0.dynamics.step=8e-3"});
  const double fine = error_of_cycloid(2.0, {"analyses.0.dynamics.step=4e-3"});
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.15);
}

// N = m g (cos(phi/2) + (cos phi - cos phi_0) / (2 cos(phi/2))), with cos phi = 1 - z/a.
TEST(Cycloid, PressesOnItsRailAsItMust) {
  const ModelRun run = run_on_curve("cycloid.yaml");
  const auto& h = run.history;
  const auto press = [&](std::size_t i) {
    const double cosine = 1.0 - h.at("place.z")[i] / 0.5, half = std::sqrt(0.5 * (1.0 + cosine));
    return 0.2 * kWeight * (half + (cosine - std::cos(2.0)) / (2.0 * half));
  };
  double worst = 0.0;
  for (std::size_t i = 0; i < h.at("time").size(); ++i)
    worst = std::max(
        worst, std::abs(std::hypot(h.at("load.force_x")[i], h.at("load.force_z")[i]) - press(i)));
  EXPECT_LT(worst, 2e-3 * 0.2 * kWeight);
  EXPECT_LT(worst_of(run, "load.torque_y", [](std::size_t) { return 0.0; }), 1e-12);
  EXPECT_LT(run.monitor.relative_drift(), 5e-5);
}

TEST(EccentricCam, LiftsItsFollowerAsTheCircleSays) {
  const ModelRun run = run_on_curve("eccentric_cam.yaml");
  const std::vector<double>& t = run.history.at("time");
  const double e = 0.02, r = 0.05, w = 20.0;
  const auto lift = [&](double at) {
    const double a = w * at, s = e * std::sin(a);
    return e * std::cos(a) + std::sqrt(r * r - s * s) - e - r;
  };
  const double h = 1e-4;
  EXPECT_LT(worst_of(run, "lift", [&](std::size_t i) { return lift(t[i]); }), 1e-7);
  EXPECT_LT(worst_of(run, "rate",
                     [&](std::size_t i) { return (lift(t[i] + h) - lift(t[i] - h)) / (2.0 * h); }),
            1e-4 * r * w);
  EXPECT_LT(worst_of(run, "second_rate",
                     [&](std::size_t i) {
                       return (lift(t[i] + h) - 2.0 * lift(t[i]) + lift(t[i] - h)) / (h * h);
                     }),
            1e-2 * r * w * w);
  // Round the cam, on and on: against its turning, which is towards the second point.
  const double angle = w * t.back();
  EXPECT_NEAR(run.history.at("way").back() / (2.0 * M_PI * r), angle / (2.0 * M_PI), 0.2);
  EXPECT_EQ(run.n_constraints, 5 + 5 + 1 + 2);
  // What the motor does is what the follower takes: virtual work, with x' = dx/d(angle).
  const auto torque = [&](std::size_t i) {
    const double x1 = (lift(t[i] + h) - lift(t[i] - h)) / (2.0 * h);
    const double x2 = (lift(t[i] + h) - 2.0 * lift(t[i]) + lift(t[i] - h)) / (h * h);
    return -0.3 * x2 * x1 / w;
  };
  EXPECT_LT(worst_of(run, "torque.torque", torque), 2e-2 * 0.3 * e * r * w * w);
}

// Driven, it is where the way says, and the drive carries the weight's share and the acceleration.
TEST(Helix, IsFollowedByLengthOfArc) {
  const ModelRun run = run_on_curve("helix.yaml");
  const std::vector<double>& t = run.history.at("time");
  const double R = 0.5, rise = 0.2, per_rad = std::hypot(R, rise);
  const auto angle = [&](std::size_t i) {
    return (4.0 * t[i] + 0.2 * std::sin(5.0 * t[i])) / per_rad;
  };
  EXPECT_LT(worst_of(run, "place.x", [&](std::size_t i) { return R * std::cos(angle(i)); }), 2e-6);
  EXPECT_LT(worst_of(run, "place.z", [&](std::size_t i) { return rise * angle(i); }), 2e-6);
  const auto push = [&](std::size_t i) {
    return 0.2 * (kWeight * rise / per_rad - 5.0 * std::sin(5.0 * t[i]));
  };
  EXPECT_LT(worst_of(run, "push", push), 5e-3);
}

// m dv/dt = -mu m v^2/r: v falls as exp(-mu s/r).
TEST(Ring, RubsByWhatItPresses) {
  for (const char* formulation : {"absolute", "recursive"}) {
    SCOPED_TRACE(formulation);
    const ModelRun run =
        run_on_curve("rubbing_bead.yaml", {std::string("formulation=") + formulation});
    const auto& h = run.history;
    EXPECT_LT(worst_of(run, "speed",
                       [&](std::size_t i) { return 3.0 * std::exp(-0.2 * h.at("way")[i] / 0.5); }),
              3e-3);
    EXPECT_LT(
        worst_of(run, "rubs",
                 [&](std::size_t i) { return -0.2 * 0.2 * std::pow(h.at("speed")[i], 2) / 0.5; }),
        5e-3);
    EXPECT_GT(h.at("way").back(), 1.8);
  }
}

}  // namespace
}  // namespace solidyn
