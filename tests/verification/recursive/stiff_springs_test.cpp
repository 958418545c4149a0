// Newton's iterations of implicit steps with springs far stiffer than inertia over the square of
// the step, in relative coordinates.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include "model_runs.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;
using Overrides = std::vector<std::string>;

ModelRun run_model(const char* name, const char* formulation, Overrides overrides) {
  overrides.push_back(fmt::format("formulation={}", formulation));
  return testing_support::run_model(
      PETSC_COMM_WORLD, fmt::format("tests/verification/recursive/{}.yaml", name), overrides);
}

// Of 50 steps; a few more than there are.
int most_iterations(double stiffness) {
  if (stiffness < 1e5) return 262;
  if (stiffness < 1e10) return 225;
  return stiffness < 1e11 ? 255 : 330;
}

// At steps that resolve the spring, and that have it swing 1e5 times.
TEST(StiffSprings, BetweenDistantBodiesTakeNoMoreIterationsThanInAbsoluteCoordinates) {
  for (const double step : {1e-2, 1e-3, 1e-4})
    for (const double stiffness : {1e4, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11}) {
      SCOPED_TRACE(testing::Message() << stiffness << " N/m, step " << step);
      const Overrides overrides = {fmt::format("forces.spring.stiffness={}", stiffness),
                                   fmt::format("analyses.dynamics.step={}", step),
                                   fmt::format("analyses.dynamics.duration={}", 50.0 * step)};
      const auto absolute = run_model("stiff_spring", "absolute", overrides).statistics,
                 recursive = run_model("stiff_spring", "recursive", overrides).statistics;
      EXPECT_LE(recursive.newton_iterations, 1.2 * absolute.newton_iterations);
      EXPECT_LE(recursive.newton_iterations, most_iterations(stiffness));
      if (stiffness < 1e11) EXPECT_EQ(recursive.steps, 50);  // none is subdivided
    }
}

// Both come to the same motion with order two.
TEST(StiffSprings, BetweenDistantBodiesHoldThemAsARodDoes) {
  const Overrides stiff = {"forces.spring.stiffness=1e10", "analyses.dynamics.duration=0.2",
                           "analyses.dynamics.step=1e-3"},
                  finer = {"forces.spring.stiffness=1e10", "analyses.dynamics.duration=0.2",
                           "analyses.dynamics.step=5e-4"};
  const auto end = [](const Overrides& overrides, const char* formulation) {
    return run_model("stiff_spring", formulation, overrides).history.at("end.y").back();
  };
  const double coarse = std::abs(end(stiff, "recursive") - end(stiff, "absolute")),
               fine = std::abs(end(finer, "recursive") - end(finer, "absolute"));
  EXPECT_LT(coarse, 1e-4);
  EXPECT_LT(fine, 0.4 * coarse);
}

// What the first guess of a step stretches the spring by turns the bodies with 1e2 times the force
// that inertia has: Newton's method led away, and runs ended.
TEST(StiffSprings, ToTheGroundMoveAsInAbsoluteCoordinatesFromRest) {
  const auto run = [](const char* formulation, double stiffness) {
    return run_model("anchored_arm", formulation,
                     {fmt::format("forces.spring.stiffness={}", stiffness)});
  };
  for (const double stiffness : {1e6, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13}) {
    SCOPED_TRACE(stiffness);
    const ModelRun recursive = run("recursive", stiffness);
    EXPECT_LT(recursive.statistics.newton_iterations, stiffness < 1e12 ? 75 : 250);
    EXPECT_LT(recursive.monitor.relative_drift(), 3e-4);
    if (stiffness > 1e10) continue;
    EXPECT_EQ(recursive.statistics.steps, 10);  // none is subdivided
    const ModelRun absolute = run("absolute", stiffness);
    for (const char* end : {"end.x", "end.y", "end.z"})
      EXPECT_NEAR(recursive.history.at(end).back(), absolute.history.at(end).back(), 1e-4) << end;
  }
}

// The first corrections with the tangent of the start stretch the spring, and led to an angle that
// is a turn away.
TEST(StiffSprings, InSeriesWithDampersTakeEachStepAtOnce) {
  for (const double damping : {20.0, 200.0, 2e3}) {
    SCOPED_TRACE(damping);
    const auto statistics =
        run_model("stiff_series", "recursive", {fmt::format("forces.damper.damping={}", damping)})
            .statistics;
    EXPECT_EQ(statistics.steps, 40);
    EXPECT_LT(statistics.newton_iterations, 240);
  }
}

}  // namespace
}  // namespace solidyn
