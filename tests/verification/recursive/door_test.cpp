// Closures of which no row moves anything.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include "model_runs.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;

ModelRun run_door(const char* formulation, const char* integrator) {
  return testing_support::run_model(PETSC_COMM_WORLD, "tests/verification/recursive/door.yaml",
                                    {fmt::format("formulation={}", formulation),
                                     fmt::format("analyses.dynamics.integrator={}", integrator)});
}

// What both hinges transmit is shared by least norm in both formulations.
void expect_same(const char* integrator, double of_places, double of_forces) {
  const ModelRun absolute = run_door("absolute", integrator),
                 recursive = run_door("recursive", integrator);
  ASSERT_EQ(absolute.history.size(), recursive.history.size());
  for (const auto& [column, values] : absolute.history) {
    const bool is_force = column.rfind("low", 0) == 0 || column.rfind("high", 0) == 0;
    const bool is_place = column.rfind("tip", 0) == 0;
    if (!is_force && !is_place) continue;
    EXPECT_NEAR(values.back(), recursive.history.at(column).back(),
                is_place ? of_places : of_forces)
        << integrator << ", " << column;
  }
}

TEST(DoorOnTwoHinges, TurnsAsInAbsoluteCoordinates) {
  expect_same("runge_kutta", 1e-7, 1e-3);
  expect_same("generalized_alpha", 2e-5, 2e-1);
}

}  // namespace
}  // namespace solidyn
