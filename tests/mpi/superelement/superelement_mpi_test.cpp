// A mechanism of superelements moves alike on any number of ranks: all together, and each alone.
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>

#include "model_runs.h"

namespace solidyn {
namespace {

TEST(SuperelementRanks, GiveTheSameMotionAsOne) {
  const char* example = "examples/superelements/slider_crank.yaml";
  const std::vector<std::string> settings = {"analyses.dynamics.duration=0.001",
                                             "bodies.rod_2.internal_modes=2",
                                             "joints.weld_3.share=false"};
  const auto together = testing_support::run_model(PETSC_COMM_WORLD, example, settings);
  const auto alone = testing_support::run_model(PETSC_COMM_SELF, example, settings);
  ASSERT_EQ(together.n_velocities, 6 * 8 + 2);
  for (const auto& [name, values] : alone.history) {
    double largest = 0.0;
    for (double value : values) largest = std::max(largest, std::abs(value));
    // Sums over the mesh differ by round-off, which K's static shapes amplify.
    EXPECT_LT(testing_support::largest_difference(together.history.at(name), values),
              1e-8 * largest + 1e-12)
        << name;
  }
}

}  // namespace
}  // namespace solidyn
