// Bodies on absolute nodal coordinates against references: the nonlinear slider-crank, free flight,
// and each formulation against the other.
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

ModelRun run(const std::string& path, const std::vector<std::string>& overrides) {
  return testing_support::run_model(PETSC_COMM_WORLD, path, overrides);
}

class SolidFormulation : public testing::TestWithParam<const char*> {
 protected:
  std::string type() const { return std::string("bodies.rod.type=") + GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(All, SolidFormulation, testing::Values("corotational", "inertial"));

// C01: the rod of the slider-crank with stiffening; its curve to the first maximum at 48 degrees
// and a little beyond.
TEST_P(SolidFormulation, SliderCrankFollowsTheNonlinearReference) {
  const ModelRun rod =
      run("examples/slider_crank/slider_crank.yaml",
          {type(), "analyses.dynamics.step=1e-4", "analyses.dynamics.duration=0.0075"});
  auto reference = testing_support::read_columns(SOLIDYN_SOURCE_DIR
                                                 "/examples/slider_crank/nonlinear_reference.csv");
  const auto end = std::upper_bound(reference[0].begin(), reference[0].end(), 0.0074);
  reference[1].resize(end - reference[0].begin());
  reference[0].resize(end - reference[0].begin());
  const double peak = 0.0155360216;  // of the whole curve
  double difference = 0.0, maximum = 0.0, reference_maximum = 0.0;
  const std::vector<double> w = testing_support::sampled(rod.history, "deflection", reference[0]);
  for (std::size_t k = 0; k < w.size(); ++k) {
    difference = std::max(difference, std::abs(w[k] - reference[1][k]));
    maximum = std::max(maximum, w[k]);
    reference_maximum = std::max(reference_maximum, reference[1][k]);
  }
  EXPECT_NEAR(reference_maximum, 0.0154, 5e-5);
  EXPECT_LT(difference, 0.03 * peak);
  EXPECT_NEAR(maximum, reference_maximum, 0.01 * reference_maximum);
}

TEST_P(SolidFormulation, FreeFlightConservesMomentaAndEnergyToTheOrderOfTheIntegrator) {
  std::vector<double> angular, energy;
  for (const char* step : {"4e-5", "2e-5"}) {
    const ModelRun flight = run("tests/verification/floating_frame/free_flight.yaml",
                                {type(), std::string("analyses.dynamics.step=") + step});
    EXPECT_LT(momentum_change(flight, "linear"), 1e-11);  // exact: the mass is constant
    angular.push_back(momentum_change(flight, "angular"));
    energy.push_back(largest_change(flight.history.at("energy")) /
                     flight.history.at("energy").front());
    EXPECT_GT(largest_change(flight.history.at("strain")),
              1e-4 * flight.history.at("energy").front());
  }
  for (const std::vector<double>* errors : {&angular, &energy})
    EXPECT_GT(std::log2(errors->front() / errors->back()), 1.6) << testing::PrintToString(*errors);
}

// Small strains, large rotations: absolute coordinates and a floating frame say the same.
TEST_P(SolidFormulation, PendulumMovesLikeThatOnAFloatingFrame) {
  const std::string path = "tests/verification/floating_frame/pendulum.yaml";
  const ModelRun absolute = run(path, {type()}), floating = run(path, {});
  for (const char* axis : {"tip.x", "tip.y", "tip.z"})
    EXPECT_LT(
        testing_support::largest_difference(absolute.history.at(axis), floating.history.at(axis)),
        1e-4)
        << axis;
}

// Without interfaces no small unknown sees the error: the nodes must.
TEST(SolidBodySteps, FollowTheErrorOfTheNodes) {
  const ModelRun flight =
      run("tests/verification/floating_frame/free_flight.yaml",
          {"bodies.rod.type=corotational",
           "analyses.dynamics.adaptive={tolerance: 1e-7, minimum_step: 1e-9, maximum_step: 5e-4}"});
  EXPECT_GT(flight.statistics.steps, 50);
  EXPECT_LT(largest_change(flight.history.at("energy")),
            1e-4 * flight.history.at("energy").front());
}

// A tenth of a turn per step, on which the soft rod hardly lets Newton's method converge.
TEST(SolidBodySteps, ThatFailAreGoneThroughInParts) {
  const ModelRun fast = run("tests/verification/floating_frame/pendulum.yaml",
                            {"bodies.rod.type=inertial", "bodies.rod.material_law=neo_hookean",
                             "bodies.rod.velocity.angular=[0, 50, 3]",
                             "analyses.dynamics.step=5e-3", "analyses.dynamics.max_iterations=8"});
  EXPECT_EQ(fast.history.at("time").size(), 9u);  // as asked for
  EXPECT_GT(fast.statistics.steps, 8);            // and more in between
}

}  // namespace
}  // namespace solidyn
