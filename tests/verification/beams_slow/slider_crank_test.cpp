// C01 by beam elements and by all nodes of a solid mesh.
#include <gtest/gtest.h>
#include <petsc.h>

#include "model_runs.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;
using testing_support::run_model;

TEST(BeamSliderCrank, MeetsTheUnreducedMeshWithinOnePercentOfThePeak) {
  constexpr double kPeak = 0.0154;
  const ModelRun beam = run_model(PETSC_COMM_WORLD, "examples/slider_crank/slider_crank_beam.yaml",
                                  {"analyses.dynamics.duration=0.0837"});
  const ModelRun solid = run_model(PETSC_COMM_WORLD, "examples/slider_crank/slider_crank.yaml",
                                   {"bodies.rod.type=corotational", "analyses.dynamics.step=1e-4",
                                    "analyses.dynamics.duration=0.0837"});
  const std::vector<double>& w = beam.history.at("deflection");
  // Measured 0.0057.
  EXPECT_LT(testing_support::largest_difference(w, solid.history.at("deflection")), 0.01 * kPeak);
}

}  // namespace
}  // namespace solidyn
