// Nothing acts on a rod in free flight: its momenta and its energy stay what they are, whatever it
// does inside. The rod turns about a skew axis, so that bending, stretching and the three rotations
// couple.
#include <gtest/gtest.h>
#include <petsc.h>

#include <algorithm>
#include <cmath>

#include "model_runs.h"

namespace solidyn {
namespace {

using testing_support::largest_change;
using testing_support::ModelRun;
using testing_support::momentum_change;

// Of an error, when the step is halved.
double order(double coarse, double fine) { return std::log2(coarse / fine); }

// With linear modes, and with displacements of second order.
class FreeFlight : public testing::TestWithParam<const char*> {
 protected:
  static ModelRun fly(std::vector<std::string> overrides) {
    overrides.push_back(std::string("bodies.rod.geometric_stiffening=") + GetParam());
    return testing_support::run_model(PETSC_COMM_WORLD,
                                      "tests/verification/free_flight/free_flight.yaml", overrides);
  }
  static ModelRun fly_explicitly(const char* relative_tolerance, const char* absolute_tolerance) {
    return fly({"analyses.dynamics.integrator=runge_kutta",
                std::string("analyses.dynamics.relative_tolerance=") + relative_tolerance,
                std::string("analyses.dynamics.absolute_tolerance=") + absolute_tolerance});
  }
};
INSTANTIATE_TEST_SUITE_P(GeometricStiffening, FreeFlight, testing::Values("none", "second_order"));

TEST_P(FreeFlight, MomentaAndEnergyAreConstantWithTightTolerances) {
  const ModelRun run = fly_explicitly("1e-12", "1e-13");
  EXPECT_LT(momentum_change(run, "linear"), 1e-10);
  EXPECT_LT(momentum_change(run, "angular"), 1e-10);
  const std::vector<double>& energy = run.history.at("energy");
  EXPECT_LT(largest_change(energy), 1e-10 * energy.front());
  // The rod does deform; a rigid one would pass all of the above.
  EXPECT_GT(largest_change(run.history.at("strain")), 1e-4 * energy.front());
}

// Newton's tolerance is tight because its error does not shrink with the step.
TEST_P(FreeFlight, GeneralizedAlphaConvergesAtOrderTwo) {
  const ModelRun exact = fly_explicitly("1e-10", "1e-12");
  std::vector<double> energy, linear, angular, tip;
  for (const char* step : {"2e-5", "1e-5"}) {
    const ModelRun run =
        fly({std::string("analyses.dynamics.step=") + step, "analyses.dynamics.tolerance=1e-12"});
    energy.push_back(largest_change(run.history.at("energy")));
    linear.push_back(momentum_change(run, "linear"));
    angular.push_back(momentum_change(run, "angular"));
    double distance = 0.0;
    for (const char* axis : {"tip.x", "tip.y", "tip.z"})
      distance = std::hypot(distance, run.history.at(axis).back() - exact.history.at(axis).back());
    tip.push_back(distance);
  }
  // 20 and 40 steps in a period of the axial oscillation: nearly the order. The error that
  // round-off leaves in Newton's method, which grows with the number of steps, shows at half the
  // smaller one.
  for (const std::vector<double>* errors : {&energy, &linear, &angular, &tip})
    EXPECT_NEAR(order(errors->front(), errors->back()), 2.0, 0.2);
  EXPECT_LT(tip.back(), 1e-5);
}

}  // namespace
}  // namespace solidyn
