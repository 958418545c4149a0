// A slider-crank whose rod hangs by virtual bodies, which relative coordinates make one with its
// nodes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <algorithm>
#include <cmath>

#include "model_runs.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;

ModelRun run_with_pins(const char* formulation, double step) {
  return testing_support::run_model(
      PETSC_COMM_WORLD, "tests/verification/recursive/virtual_pins.yaml",
      {fmt::format("formulation={}", formulation), "analyses.dynamics.duration=0.02",
       fmt::format("analyses.dynamics.step={}", step)});
}

double largest_value(const std::vector<double>& x) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

// Both come to the same motion with order two.
TEST(VirtualPins, MoveAsInAbsoluteCoordinates) {
  const double steps[] = {1e-4, 5e-5};
  double differences[2];
  for (int i = 0; i < 2; ++i) {
    const ModelRun absolute = run_with_pins("absolute", steps[i]),
                   recursive = run_with_pins("recursive", steps[i]);
    const auto difference = [&](const char* column) {
      return testing_support::largest_difference(absolute.history.at(column),
                                                 recursive.history.at(column)) /
             largest_value(absolute.history.at(column));
    };
    differences[i] = difference("deflection");
    EXPECT_LT(difference("slider"), 1e-5);
    EXPECT_LT(recursive.monitor.relative_drift(), 1e-3);
  }
  EXPECT_LT(differences[0], 5e-4);
  EXPECT_LT(differences[1], 0.4 * differences[0]);
}

}  // namespace
}  // namespace solidyn
