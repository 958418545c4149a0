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

// A brick in the middle is pushed, and stops within the first step. The bricks have one depth, so
// that edges of their faces lie on each other, and normals are vertical but for round-off: neither
// may make points or axes of friction others from one iteration to the next.
TEST(WallOfBoxes, ComesToRestAgain) {
  for (const char* scheme : {"generalized_alpha", "bathe", "ed_alpha", "half_explicit"}) {
    for (const char* speed : {"1e-7", "1e-4", "1e-2"}) {
      const ModelRun run = nonsmooth_run(
          "wall",
          {"analyses.dynamics.duration=0.02", std::string("analyses.dynamics.integrator=") + scheme,
           std::string("bodies.b_1_1.velocity={linear: [") + speed + ", 0, 0]}"});
      const double v = std::stod(speed), energy = 0.5 * 4.0 * v * v;
      EXPECT_FALSE(run.monitor.start_failed) << scheme << speed;
      EXPECT_LT(run.statistics.newton_iterations, 160) << scheme << speed;
      EXPECT_LT(std::abs(run.monitor.balance.imbalance), 0.2 * energy + 1e-12) << scheme << speed;
      EXPECT_LT(last(run, "v"), 1e-10) << scheme << speed;
      EXPECT_LT(std::abs(last(run, "x") - run.history.at("x").front()), 1e-3 * v);
      EXPECT_LT(std::abs(last(run, "z") - 0.25), 1e-9);
    }
  }
}

// Gaps of the corners of cubes that have tilted by 1e-4 contradict each other by the squares of
// that: closing them by what is nearly dependent threw the cubes metres apart.
TEST(StackOfCubes, StaysWhereFrictionStopsTheTopOne) {
  for (const char* scheme : {"generalized_alpha", "hht", "bathe", "half_explicit"})
    for (const char* v : {"0.3", "0.45"})
      for (const char* step : {"1e-3", "2e-3"}) {
        const ModelRun run =
            nonsmooth_run("stack", {std::string("analyses.dynamics.integrator=") + scheme,
                                    std::string("parameters.v=") + v,
                                    std::string("analyses.dynamics.step=") + step});
        const std::string what = std::string(scheme) + " " + v + " " + step;
        EXPECT_NEAR(last(run, "top.x"), std::stod(v) * std::stod(v) / (2.0 * 0.5 * 9.81), 2e-4)
            << what;
        EXPECT_LT(std::abs(last(run, "speed")), 1e-6) << what;
        for (const char* still : {"low.x", "low.y", "middle.x", "middle.y", "top.y"})
          EXPECT_LT(largest(run, still), 2e-4) << what << " " << still;
        EXPECT_NEAR(last(run, "top.z"), 0.25, 1e-6) << what;
      }
}

// It tips on the edge of the cube below, whose sides are aligned with its own: points of the faces
// come and go within iterations, and keep their lever until the end of the step. Which corners it
// comes down on first decides how far it goes, 32.5 mm or 36.5 to 37.4 mm: steps from 2.5e-4 to
// 2e-3 s have both ends with either scheme. Sliding flat it would go 36.7 mm.
TEST(StackOfCubes, TipsOnAnAlignedEdgeAndComesDownAgain) {
  for (const char* scheme : {"generalized_alpha", "bathe"}) {
    const ModelRun run = nonsmooth_run(
        "stack", {std::string("analyses.dynamics.integrator=") + scheme, "parameters.v=0.6",
                  "analyses.dynamics.step=2e-3", "analyses.dynamics.duration=0.3"});
    EXPECT_GT(largest(run, "top.z"), 0.2505) << scheme;
    EXPECT_NEAR(last(run, "top.z"), 0.25, 1e-6) << scheme;
    EXPECT_NEAR(last(run, "top.x"), 0.035, 3e-3) << scheme;
    EXPECT_LT(std::abs(last(run, "speed")), 1e-6) << scheme;
  }
}

}  // namespace
}  // namespace solidyn::testing_support
