// Beams beside the tree: in a loop with a driven crank, and on a hub that nothing holds.
// What they have at instants and in explicit steps is in examples_test.cpp.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <petsc.h>

#include <algorithm>
#include <cmath>

#include "model_runs.h"
#include "solidyn/base/error.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;

ModelRun run_beams(const std::string& model, const char* formulation, const char* integrator,
                   double step, double duration, std::vector<std::string> more = {},
                   int every = 1) {
  more.insert(more.end(), {fmt::format("formulation={}", formulation),
                           fmt::format("analyses.dynamics.integrator={}", integrator),
                           fmt::format("analyses.dynamics.duration={}", duration),
                           fmt::format("analyses.dynamics.step={}", step)});
  return testing_support::run_model(PETSC_COMM_WORLD,
                                    "tests/verification/recursive/" + model + ".yaml", more, every);
}

double peak_of(const std::vector<double>& x) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

double error_at_end(const ModelRun& run, const ModelRun& expected, const char* name) {
  return std::abs(run.history.at(name).back() - expected.history.at(name).back());
}

// A column of the history, and by how much of its largest value the formulations may differ.
struct Column {
  const char* name;
  double allowed;
};

// Implicit steps of both come to the same motion, with order two.
void expect_the_same_limit(const std::string& model, double step, double duration,
                           const std::vector<Column>& columns) {
  std::vector<double> differences[2];
  for (int i = 0; i < 2; ++i) {
    const auto run = [&](const char* formulation) {
      return run_beams(model, formulation, "generalized_alpha", step / (1 + i), duration);
    };
    const ModelRun absolute = run("absolute"), recursive = run("recursive");
    for (const Column& column : columns)
      differences[i].push_back(
          testing_support::largest_difference(absolute.history.at(column.name),
                                              recursive.history.at(column.name)) /
          peak_of(absolute.history.at(column.name)));
    EXPECT_LT(recursive.monitor.relative_drift(), 1e-3);
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    SCOPED_TRACE(columns[i].name);
    EXPECT_LT(differences[0][i], columns[i].allowed);
    EXPECT_LT(differences[1][i], 0.4 * differences[0][i] + 1e-9);
  }
}

TEST(BeamsBesideTheTree, InALoopMoveAsInAbsoluteCoordinates) {
  expect_the_same_limit("beam_loop", 2e-4, 0.02, {{"deflection", 1e-5}, {"lever", 1e-6}});
}

// Multipliers of closures too, once steps have settled: the first ones do not resolve how the drive
// begins. Shorter steps than these have the round-off of positions over the square of the step in
// the force, as those of absolute coordinates have.
TEST(BeamsBesideTheTree, InALoopHaveForcesOfOrderTwo) {
  constexpr double kStep = 2e-4, kDuration = 0.01;
  const ModelRun expected = run_beams(
      "beam_loop", "absolute", "runge_kutta", kStep, kDuration,
      {"analyses.dynamics.relative_tolerance=1e-12", "analyses.dynamics.absolute_tolerance=1e-12"});
  const auto run = [](double step) {
    return run_beams("beam_loop", "recursive", "generalized_alpha", step, kDuration);
  };
  const ModelRun coarse = run(kStep), fine = run(0.5 * kStep);
  for (const char* name : {"deflection", "lever", "force", "torque"}) {
    SCOPED_TRACE(name);
    const double error = error_at_end(coarse, expected, name);
    EXPECT_LT(error, 1e-4 * peak_of(expected.history.at(name)));
    EXPECT_NEAR(std::log2(error / error_at_end(fine, expected, name)), 2.0, 0.3) << error;
  }
}

TEST(BeamsBesideTheTree, OnAFreeHubMoveAsInAbsoluteCoordinates) {
  expect_the_same_limit("beam_hub", 1e-3, 0.05,
                        {{"tip.y", 1e-3}, {"tail.x", 1e-3}, {"foot", 1e-2}, {"root", 1e-2}});
}

ModelRun run_hub(const char* formulation, const char* integrator, double step, double duration) {
  return run_beams("beam_hub", formulation, integrator, step, duration);
}

const std::vector<const char*> kPositions = {"hub.x", "hub.y",  "hub.z",  "tip.x", "tip.y",
                                             "tip.z", "tail.x", "tail.y", "tail.z"};

// Towards explicit steps of order eight in absolute coordinates, whose errors are 1e-10 m at most:
// the largest error of all positions.
TEST(BeamsBesideTheTree, MoveAtOrderTwoInSemiImplicitSteps) {
  constexpr double kDuration = 0.02;
  const ModelRun expected = run_hub("absolute", "runge_kutta", 1e-3, kDuration);
  const auto error_of = [&](double step) {
    const ModelRun found = run_hub("recursive", "semi_implicit_euler", step, kDuration);
    double largest = 0.0;
    for (const char* name : kPositions)
      largest = std::max(largest, error_at_end(found, expected, name));
    return largest;
  };
  const double error = error_of(1e-4);
  EXPECT_LT(error, 5e-8);
  EXPECT_NEAR(std::log2(error / error_of(5e-5)), 2.0, 0.4) << error;
}

// Below 2 over the rate of the fastest vibration, 6.7e3 1/s; longer ones are halved eight times at
// most.
TEST(BeamsBesideTheTree, TakeLongSemiImplicitStepsInParts) {
  const ModelRun expected = run_hub("recursive", "runge_kutta", 1e-3, 0.01);
  testing::internal::CaptureStderr();
  const ModelRun found = run_hub("recursive", "semi_implicit_euler", 1e-3, 0.01);
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              testing::AllOf(testing::HasSubstr("a step of 0.001 s failed and is subdivided"),
                             testing::HasSubstr("whose fastest vibration has the rate")));
  EXPECT_EQ(found.history.at("time").size(), 11);
  for (const char* name : kPositions) EXPECT_LT(error_at_end(found, expected, name), 1e-6) << name;
}

TEST(BeamsBesideTheTree, RefuseSemiImplicitStepsThatAreTooLongInParts) {
  try {
    run_hub("recursive", "semi_implicit_euler", 0.1, 0.1);
    FAIL() << "nothing was thrown";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("whose fastest vibration has the rate"));
  }
}

}  // namespace
}  // namespace solidyn
