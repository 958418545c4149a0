// Friction in joints that follows what they transmit, in motion: relative coordinates against
// absolute ones.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <Eigen/Core>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "model_runs.h"
#include "solidyn/base/error.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;

constexpr const char* kPlaces[] = {"place.x", "place.y", "place.z"};

ModelRun run_arm(const char* formulation, const char* integrator) {
  return testing_support::run_model(PETSC_COMM_WORLD,
                                    "tests/verification/recursive/rubbing_arm.yaml",
                                    {fmt::format("formulation={}", formulation),
                                     fmt::format("analyses.dynamics.integrator={}", integrator)});
}

// Steps are those of the error control: what both have is the end.
TEST(RubbingArm, MovesAsInAbsoluteCoordinatesInExplicitSteps) {
  const ModelRun absolute = run_arm("absolute", "runge_kutta"),
                 recursive = run_arm("recursive", "runge_kutta");
  const auto difference = [&](const char* column) {
    return std::abs(absolute.history.at(column).back() - recursive.history.at(column).back());
  };
  for (const char* place : kPlaces) EXPECT_LT(difference(place), 1e-5) << place;
  EXPECT_LT(difference("torque"), 2e-4);
  EXPECT_LT(recursive.monitor.relative_drift(), 1e-6);
}

// The matrix is exact, and Newton's method takes no more iterations. Where the motor stops, what it
// takes swings for some steps, and in each formulation by itself.
TEST(RubbingArm, MovesAsInAbsoluteCoordinatesInImplicitSteps) {
  const ModelRun absolute = run_arm("absolute", "generalized_alpha"),
                 recursive = run_arm("recursive", "generalized_alpha");
  for (const char* place : kPlaces)
    EXPECT_LT(testing_support::largest_difference(absolute.history.at(place),
                                                  recursive.history.at(place)),
              1e-4)
        << place;
  EXPECT_NEAR(recursive.history.at("torque").back(), absolute.history.at("torque").back(), 1e-3);
  EXPECT_LT(testing_support::largest_difference(absolute.history.at("shoulder"),
                                                recursive.history.at("shoulder")),
            1e-3);
  EXPECT_LT(recursive.monitor.relative_drift(), 2e-4);
  EXPECT_LT(recursive.statistics.newton_iterations, absolute.statistics.newton_iterations);
}

// Where the motor stands positions are known, and only forces are left to be found, which swing.
TEST(RubbingLoop, FindsForcesOfClosuresWhereItStands) {
  std::map<std::string, ModelRun> runs;
  for (const std::string formulation : {"absolute", "recursive"})
    runs.emplace(formulation,
                 testing_support::run_model(PETSC_COMM_WORLD,
                                            "tests/verification/recursive/rubbing_loop.yaml",
                                            {"formulation=" + formulation}));
  const auto &absolute = runs.at("absolute").history, &recursive = runs.at("recursive").history;
  const auto largest = [](const std::vector<double>& values) {
    return Eigen::Map<const Eigen::VectorXd>(values.data(), values.size())
        .lpNorm<Eigen::Infinity>();
  };
  for (const char* column : {"bearing", "torque"})
    EXPECT_NEAR(largest(recursive.at(column)), largest(absolute.at(column)),
                0.1 * largest(absolute.at(column)))
        << column;
  for (const char* place : kPlaces)
    EXPECT_LT(testing_support::largest_difference(absolute.at(place), recursive.at(place)), 2e-5)
        << place;
  EXPECT_LT(runs.at("recursive").monitor.relative_drift(), 2e-4);
}

// In long steps velocities, and the directions of friction, are off when the motor stops: no
// balance is found there, or that of short steps.
TEST(RubbingLoop, EndsOrHasForcesOfShortStepsInLongOnes) {
  const auto largest_bearing = [](const char* integrator, const char* step) {
    const ModelRun run = testing_support::run_model(
        PETSC_COMM_WORLD, "tests/verification/recursive/rubbing_loop.yaml",
        {"formulation=absolute", fmt::format("analyses.dynamics.integrator={}", integrator),
         fmt::format("analyses.dynamics.step={}", step)});
    return testing_support::largest_change(run.history.at("bearing"));
  };
  const double exact = largest_bearing("ed_alpha", "5.0e-4");
  EXPECT_NEAR(largest_bearing("ed_alpha", "1.0e-3"), exact, 0.01 * exact);
  EXPECT_NEAR(largest_bearing("ed_alpha", "2.0e-3"), exact, 0.01 * exact);
  EXPECT_NEAR(largest_bearing("ed_alpha", "4.0e-3"), exact, 0.01 * exact);
  for (const char* integrator : {"generalized_alpha", "hht"}) {
    EXPECT_NEAR(largest_bearing(integrator, "2.5e-4"), exact, 0.01 * exact) << integrator;
    EXPECT_LT(largest_bearing(integrator, "1.0e-3"), 1.5 * exact) << integrator;
    try {
      EXPECT_LT(largest_bearing(integrator, "4.0e-3"), 1.5 * exact) << integrator;
    } catch (const base::ComputationError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("friction follows still change by"))
          << integrator;
    }
  }
}

}  // namespace
}  // namespace solidyn
