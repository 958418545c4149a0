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

// What both hinges transmit is shared by least norm in both formulations. Absolute coordinates come
// that near in small steps only.
void expect_same(const char* integrator, double of_places, double of_forces) {
  const ModelRun expected = run_door("absolute", "runge_kutta"),
                 recursive = run_door("recursive", integrator);
  int n_forces = 0;
  for (const auto& [column, values] : expected.history) {
    const bool is_force = column.rfind("low", 0) == 0 || column.rfind("high", 0) == 0;
    const bool is_place = column.rfind("tip", 0) == 0;
    if (!is_force && !is_place) continue;
    n_forces += is_force;
    EXPECT_NEAR(values.back(), recursive.history.at(column).back(),
                is_place ? of_places : of_forces)
        << integrator << ", " << column;
  }
  EXPECT_EQ(n_forces, 12);
}

TEST(DoorOnTwoHinges, TurnsAsInAbsoluteCoordinates) {
  expect_same("runge_kutta", 1e-7, 1e-4);
  expect_same("generalized_alpha", 2e-5, 1e-3);
}

}  // namespace
}  // namespace solidyn
