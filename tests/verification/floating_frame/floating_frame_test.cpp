// A floating-frame body with all its nodes: what no force changes stays, and modes give the same
// motion when there are enough of them.
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

ModelRun run(const std::string& file, const std::vector<std::string>& overrides) {
  return testing_support::run_model(PETSC_COMM_WORLD, "tests/verification/floating_frame/" + file,
                                    overrides);
}

TEST(FullMeshFreeFlight, ConservesMomentaAndEnergyToTheOrderOfTheIntegrator) {
  std::vector<double> linear, angular, energy;
  for (const char* step : {"4e-5", "2e-5"}) {
    const ModelRun flight =
        run("free_flight.yaml", {std::string("analyses.dynamics.step=") + step});
    linear.push_back(momentum_change(flight, "linear"));
    angular.push_back(momentum_change(flight, "angular"));
    energy.push_back(largest_change(flight.history.at("energy")) /
                     flight.history.at("energy").front());
    EXPECT_GT(largest_change(flight.history.at("strain")),
              1e-4 * flight.history.at("energy").front());
  }
  for (const std::vector<double>* errors : {&linear, &angular, &energy})
    EXPECT_NEAR(std::log2(errors->front() / errors->back()), 2.0, 0.4)
        << testing::PrintToString(*errors);
}

TEST(FullMeshPendulum, MovesLikeOneWithManyModes) {
  const ModelRun nodal = run("pendulum.yaml", {});
  const ModelRun modal =
      run("pendulum.yaml", {"bodies.rod.type=modal", "bodies.rod.modes.free_free=60"});
  for (const char* axis : {"tip.x", "tip.y", "tip.z"})
    EXPECT_LT(testing_support::largest_difference(nodal.history.at(axis), modal.history.at(axis)),
              1e-5)  // lumped mass here, consistent there; 5 % of the bending is 2e-5
        << axis;
  EXPECT_GT(largest_change(nodal.history.at("bow")), 5e-4);  // it does bend
}

}  // namespace
}  // namespace solidyn
