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
#include "solidyn/base/log.h"

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

constexpr const char* kLoop = "tests/verification/recursive/rubbing_loop.yaml";

double largest_bearing(const std::string& formulation, const std::string& integrator,
                       const std::string& step) {
  return testing_support::largest_change(
      testing_support::run_model(
          PETSC_COMM_WORLD, kLoop,
          {"formulation=" + formulation, "analyses.dynamics.integrator=" + integrator,
           "analyses.dynamics.step=" + step})
          .history.at("bearing"));
}

// When the motor stops accelerations jump, and velocities of steps that meet joints by positions
// are off by more than joints slip with. With these velocities the bearing had 3.7e4 N in steps of
// 2 ms.
TEST(RubbingLoop, SlipsWithVelocitiesThatSatisfyTheConstraints) {
  const double exact = largest_bearing("absolute", "ed_alpha", "5.0e-4");
  for (const char* step : {"1.0e-3", "2.0e-3", "4.0e-3"})
    EXPECT_NEAR(largest_bearing("absolute", "ed_alpha", step), exact, 0.01 * exact) << step;
  for (const char* formulation : {"absolute", "recursive"})
    for (const char* integrator : {"generalized_alpha", "hht"}) {
      EXPECT_NEAR(largest_bearing(formulation, integrator, "1.0e-3"), exact, 0.01 * exact)
          << formulation << ' ' << integrator;
      EXPECT_LT(largest_bearing(formulation, integrator, "2.0e-3"), 1.5 * exact)
          << formulation << ' ' << integrator;
    }
}

// What remains are constraint forces that swing about those of the motion, as without friction.
TEST(RubbingLoop, WarnsWhereForcesThatFrictionFollowsSwing) {
  const double exact = largest_bearing("absolute", "ed_alpha", "1.0e-3");
  for (const char* formulation : {"absolute", "recursive"})
    for (const char* step : {"1.0e-3", "2.0e-3", "3.62289e-3", "4.0e-3", "8.0e-3"}) {
      base::clear_logged_warnings();
      const double largest = largest_bearing(formulation, "generalized_alpha", step);
      if (std::abs(largest - exact) < 0.5 * exact) continue;
      EXPECT_THAT(base::logged_warnings(),
                  testing::Contains(testing::HasSubstr("friction follows are wrong by")))
          << formulation << ' ' << step << ' ' << largest;
    }
}

// Where the motor stops no forces balance friction and the accelerations of after it: what
// `bathe` shows instead had been one solution by the derivative of friction, of 507 N.
TEST(RubbingLoop, WarnsWhereBatheFindsNoForcesAfterAJump) {
  const double exact = largest_bearing("absolute", "ed_alpha", "1.0e-3");
  for (const char* step : {"5.0e-4", "1.0e-3", "2.0e-3"}) {
    base::clear_logged_warnings();
    const double largest = largest_bearing("absolute", "bathe", step);
    if (std::abs(largest - exact) < 0.01 * exact) continue;
    EXPECT_LT(largest, 1.5 * exact) << step;
    EXPECT_THAT(
        base::logged_warnings(),
        testing::Contains(testing::HasSubstr("find no balance with them: they are shown as the")))
        << step << ' ' << largest;
  }
}

// Nothing moves, and nothing presses the joints: what there is to solve is round-off.
TEST(RubbingLoop, RestsWithoutWork) {
  for (const std::string formulation : {"absolute", "recursive"}) {
    base::clear_logged_warnings();
    const auto statistics = testing_support::run_model(PETSC_COMM_WORLD, kLoop,
                                                       {"formulation=" + formulation,
                                                        "gravity=[0,0,0]", "joints.motor.angle=0"})
                                .statistics;
    EXPECT_LE(statistics.newton_iterations, statistics.steps + statistics.steps / 10)
        << formulation;
    EXPECT_TRUE(base::logged_warnings().empty()) << formulation;
  }
  base::clear_logged_warnings();
  testing_support::run_model(PETSC_COMM_WORLD, kLoop,
                             {"formulation=absolute", "gravity=[0,0,0]", "joints.motor.angle=0",
                              "analyses.dynamics.integrator=bathe"});
  EXPECT_THAT(base::logged_warnings(), testing::IsEmpty());
}

}  // namespace
}  // namespace solidyn
