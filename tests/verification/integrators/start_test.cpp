// The first steps of generalized-alpha: constraint forces begin without swinging.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanisms.h"

namespace solidyn {
namespace {

using integrators::GeneralizedAlphaOptions;
using system::State;
using system::System;

// What the multipliers of the first steps are off from those that the equations of motion give for
// the positions and velocities of the same instant, relative to the largest.
double first_errors(System& system, const GeneralizedAlphaOptions& options, double h) {
  constexpr int kSteps = 20;
  State state = testing_support::start(system);
  integrators::GeneralizedAlpha integrator(system, options);
  integrator.initialize(state);
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  double worst = 0.0, largest = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    integrator.step(state, h);
    system.accept(state);
    State exact = state.clone();
    system::solve_accelerations(system, exact, *solver, false);
    worst = std::max(worst, (state.lambda - exact.lambda).lpNorm<Eigen::Infinity>());
    largest = std::max(largest, exact.lambda.lpNorm<Eigen::Infinity>());
  }
  return worst / largest;
}

struct StartCase {
  const char* name;
  std::unique_ptr<System> (*make)();
  double step, limit;
};

std::unique_ptr<System> driven_disc() {
  return testing_support::make_driven_disc({"25*t^2 + 200/3*t^3"});
}
std::unique_ptr<System> spinning_disc() {
  return testing_support::make_driven_disc({"20*t + sin(30*t)"});
}

class FirstSteps : public testing::TestWithParam<StartCase> {};
INSTANTIATE_TEST_SUITE_P(Of, FirstSteps,
                         testing::Values(StartCase{"driven_disc", driven_disc, 1e-3, 1e-4},
                                         StartCase{"spinning_disc", spinning_disc, 1e-3, 3e-3},
                                         StartCase{"heavy_top", testing_support::make_heavy_top,
                                                   1e-4, 1e-4}),
                         [](const auto& info) { return std::string(info.param.name); });

// Arnold, Bruls & Cardona (2015). Begun with exact velocities, the errors of the first steps are of
// order one: 5e-3 to 2e-2 of the driven disc, 4e-2 to 0.16 of the spinning one, 9e-3 to 4e-2 of the
// top.
TEST_P(FirstSteps, ConstraintForcesAreOfOrderTwo) {
  for (const double rho : {0.6, 0.8, 0.9}) {
    GeneralizedAlphaOptions options;
    options.rho_infinity = rho;
    options.tolerance = 1e-12;
    const auto system = GetParam().make();
    const double coarse = first_errors(*system, options, GetParam().step);
    const auto again = GetParam().make();
    const double fine = first_errors(*again, options, 0.5 * GetParam().step);
    EXPECT_LT(coarse, GetParam().limit) << rho;
    EXPECT_GT(coarse, 3.5 * fine) << rho;
  }
}

}  // namespace
}  // namespace solidyn
