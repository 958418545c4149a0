// The slider-crank with the data of the classical papers (doc/slider_crank.md, "The classical
// data").
#include <gtest/gtest.h>
#include <petsc.h>

#include <algorithm>
#include <cmath>

#include "model_runs.h"

namespace solidyn {
namespace {

// Linear elastodynamics of a pinned beam with five sine modes: w/L = 0.01101 at a crank angle
// of 41.1 degrees; the tolerance of the reference for the first maximum is 1 %, and one step is
// 0.14 degrees.
TEST(ClassicalSliderCrank, FirstMaximumIsThatOfLinearElastodynamics) {
  constexpr double kExpectedMaximum = 0.01101, kExpectedAngle = 41.1;
  constexpr double kOmega = 124.8;
  for (const char* formulation : {"absolute", "recursive"}) {
    SCOPED_TRACE(formulation);
    const testing_support::ModelRun run = testing_support::run_model(
        PETSC_COMM_WORLD, "examples/slider_crank/slider_crank_classical.yaml",
        {"analyses.dynamics.duration=0.0126",  // a quarter turn
         std::string("formulation=") + formulation});
    const std::vector<double>& w = run.history.at("deflection");
    const auto peak = std::max_element(w.begin(), w.end());
    ASSERT_NE(peak, w.end() - 1);  // a maximum, not the end
    const double angle = run.history.at("time")[peak - w.begin()] * kOmega * 180.0 / M_PI;
    EXPECT_NEAR(*peak, kExpectedMaximum, 0.01 * kExpectedMaximum);
    EXPECT_NEAR(angle, kExpectedAngle, 0.01 * kExpectedAngle);
    EXPECT_LT(run.monitor.position_violation, 1e-9);
  }
}

}  // namespace
}  // namespace solidyn
