// The flying spaghetti of Simo & Vu-Quoc, in a plane (1986) and in space (1988), as one beam whose
// rotary inertia has nothing to do with its stiffness.
// The tables are of another discretisation: two-node rods whose orientation is interpolated along
// the geodesic, lumped masses, explicit Runge-Kutta of order four in steps of 1 ms; 48 and 96
// elements, extrapolated. From 24 and 48 elements it has the same to the tolerances given.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model_runs.h"

namespace solidyn {
namespace {

using testing_support::History;
using testing_support::ModelRun;
using testing_support::run_model;
using testing_support::sampled;

const std::string kInSpace = "examples/beams/flying_spaghetti.yaml",
                  kInPlane = "examples/beams/flying_spaghetti_plane.yaml";

struct Row {
  double t;
  double lower[3], upper[3];
};

void expect_ends(const History& history, const std::vector<Row>& rows, double tolerance) {
  const char* const axes[] = {".x", ".y", ".z"};
  for (const Row& row : rows)
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(sampled(history, std::string("lower") + axes[i], {row.t})[0], row.lower[i],
                  tolerance)
          << row.t << axes[i];
      EXPECT_NEAR(sampled(history, std::string("upper") + axes[i], {row.t})[0], row.upper[i],
                  tolerance)
          << row.t << axes[i];
    }
}

// Of 12, 24 and 48 elements in steps of 5 ms 2.0e-2, 5.2e-3 and 1.4e-3 m at 5 s.
const std::vector<Row> kRowsInSpace = {
    {2.5, {3.41295, 0.01735, 0.19690}, {4.02380, -0.73302, 8.49552}},
    {5.0, {19.56276, -1.50769, 1.52134}, {11.87883, 1.83002, 6.88135}},
    {10.0, {44.4024, -2.0653, 1.6690}, {36.4089, 1.6790, 6.3355}}};
const std::vector<Row> kRowsInPlane = {{2.5, {4.4300, 0.0, -0.7852}, {5.9455, 0.0, 8.9708}},
                                       {5.0, {5.6201, 0.0, 4.7635}, {15.4084, 0.0, 4.2651}},
                                       {7.5, {15.5418, 0.0, 8.9951}, {15.7552, 0.0, -0.9724}}};

ModelRun in_space(int n_elements, double step, double duration,
                  const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides = {fmt::format("bodies.spaghetti.elements={}", n_elements),
                                        fmt::format("analyses.dynamics.step={}", step),
                                        fmt::format("analyses.dynamics.duration={}", duration)};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return run_model(PETSC_COMM_WORLD, kInSpace, overrides);
}

TEST(FlyingSpaghetti, InSpaceFollowsAnIndependentSolution) {
  const ModelRun run = in_space(24, 0.01, 10.0);
  expect_ends(run.history, {kRowsInSpace[0], kRowsInSpace[1]}, 0.01);  // measured 0.006
  expect_ends(run.history, {kRowsInSpace[2]}, 0.05);                   // measured 0.026
}

TEST(FlyingSpaghetti, InPlaneFollowsAnIndependentSolution) {
  const ModelRun run =
      run_model(PETSC_COMM_WORLD, kInPlane,
                {"bodies.spaghetti.elements=24", "analyses.dynamics.duration=7.5"});
  expect_ends(run.history, kRowsInPlane, 0.02);
}

TEST(FlyingSpaghetti, VeryFlexibleInPlaneFollowsAnIndependentSolution) {
  const ModelRun run = run_model(PETSC_COMM_WORLD, kInPlane,
                                 {"bodies.spaghetti.elements=24", "analyses.dynamics.duration=5",
                                  "bodies.spaghetti.section.EI_y=100"});
  expect_ends(run.history,
              {{2.5, {4.9631, 0.0, 4.4760}, {3.5832, 0.0, 6.1118}},
               {5.0, {9.7846, 0.0, 8.1999}, {8.0740, 0.0, 1.7617}}},
              0.02);
}

Eigen::Vector3d lower_end(const ModelRun& run) {
  return {run.history.at("lower.x").back(), run.history.at("lower.y").back(),
          run.history.at("lower.z").back()};
}

// Discs for the rotary inertia are of order two, which here is all of the error: the rest is of
// order four.
TEST(FlyingSpaghetti, ConvergesWithOrderTwoInElementsAndSteps) {
  const Eigen::Vector3d limit(kRowsInSpace[1].lower);
  const double coarse = (lower_end(in_space(12, 0.005, 5.0)) - limit).norm(),
               fine = (lower_end(in_space(24, 0.005, 5.0)) - limit).norm();
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
  const Eigen::Vector3d long_steps = lower_end(in_space(12, 0.04, 5.0)),
                        steps = lower_end(in_space(12, 0.02, 5.0)),
                        short_steps = lower_end(in_space(12, 0.01, 5.0));
  EXPECT_NEAR(std::log2((long_steps - steps).norm() / (steps - short_steps).norm()), 2.0, 0.2);
}

double change_after(const History& history, const std::string& column, double t) {
  const std::vector<double>&times = history.at("time"), &x = history.at(column);
  const auto from = std::lower_bound(times.begin(), times.end(), t) - times.begin();
  return testing_support::largest_change({x.begin() + from, x.end()});
}

// The impulse of the force is 50 N s; its torque and that of the couple are those of the motion.
TEST(FlyingSpaghetti, KeepsMomentaAndEnergyOnceItIsLetGo) {
  const ModelRun run = in_space(12, 0.01, 15.0);
  EXPECT_NEAR(run.history.at("momentum.x").back(), 50.0, 1e-3);
  EXPECT_NEAR(run.history.at("momentum.y").back(), 0.0, 1e-3);
  EXPECT_NEAR(run.history.at("momentum.z").back(), 0.0, 1e-3);
  for (const char* axis : {"spin.x", "spin.y", "spin.z"})
    EXPECT_LT(change_after(run.history, axis, 5.01), 0.02) << axis;  // of 627 kg m^2/s
  EXPECT_LT(change_after(run.history, "energy", 5.01), 0.05);        // of 883 J
  EXPECT_NEAR(run.history.at("energy").back(), run.monitor.balance.work, 0.1);
  // 2.4e-4 and less of the whole from the independent solution's.
  EXPECT_NEAR(run.history.at("spin.y").back(), 553.0015, 0.15);
  EXPECT_NEAR(run.history.at("spin.z").back(), 295.7031, 0.15);
}

// Zupan & Zupan, Nonlinear Dynamics 95 (2019) 1379, two cubic elements in steps of 0.1 s, as their
// program's figures show it: at 30 s a third of the beam from its upper end has gone 137.7 m along
// x, and from 5 s on the energy is 876 J.
TEST(FlyingSpaghetti, IsAsPublished) {
  const ModelRun run = run_model(PETSC_COMM_WORLD, kInSpace);
  EXPECT_NEAR(run.history.at("third.x").back() - 2.0, 137.7, 1.0);
  EXPECT_NEAR(run.history.at("energy").back(), 876.0, 0.01 * 876.0);
}

}  // namespace
}  // namespace solidyn
