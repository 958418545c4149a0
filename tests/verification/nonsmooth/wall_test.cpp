// A wall of boxes: many redundant contacts, whose compliance is taken cluster by cluster and kept.
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

constexpr double kWeight = 12 * 4.0 * 9.81;

double sum_of_forces(const ModelRun& run, std::size_t row) {
  double sum = 0.0;
  for (const char* force : {"force_0", "force_1", "force_2", "force_3"})
    sum += run.history.at(force)[row];
  return sum;
}

TEST(WallOfBoxes, RestsWithItsWeightOnTheFloor) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run("wall", scheme);
    for (std::size_t row = 0; row < run.history.at("x").size(); ++row)
      EXPECT_NEAR(sum_of_forces(run, row), kWeight, 1e-6 * kWeight);
    EXPECT_LT(std::abs(last(run, "x") - run.history.at("x").front()), 1e-10);
    EXPECT_LT(std::abs(last(run, "z") - 0.25), 1e-10);
  }
}

// Of friction 0.3 on the floor and 0.9 between the boxes: it slides as one body.
TEST(WallOfBoxes, SlidesDownAnInclineAsOne) {
  const double tilt = 0.4, a = 9.81 * (std::sin(tilt) - 0.3 * std::cos(tilt));
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run = nonsmooth_run("wall", scheme + Overrides{"parameters.tilt=0.4"});
    EXPECT_NEAR(sum_of_forces(run, run.history.at("x").size() - 1), kWeight * std::cos(tilt),
                1e-6 * kWeight);
    const double t = run.history.at("time").back();
    EXPECT_NEAR(last(run, "v"), a * t, 1e-8 * a * t);
    EXPECT_LT(std::abs(last(run, "z") - 0.25), 1e-10);
  }
}

}  // namespace
}  // namespace solidyn::testing_support
