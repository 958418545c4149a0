// Beams that move in a plane are solved for motions in it alone; one that a weight of nothing keeps
// from being exactly plane moves alike.
#include <gtest/gtest.h>

#include <algorithm>

#include "model_runs.h"

namespace solidyn {
namespace {

using testing_support::largest_difference;
using testing_support::ModelRun;
using testing_support::run_model;

// m/s^2, across the plane: elements have a force there.
const std::string kAcross = "1e-13";

double size(const std::vector<double>& x) {
  return std::abs(*std::max_element(x.begin(), x.end(),
                                    [](double a, double b) { return std::abs(a) < std::abs(b); }));
}

TEST(BeamInPlane, SliderCrankMovesAsInSpace) {
  const std::string model = "examples/slider_crank/slider_crank_beam.yaml";
  const std::vector<std::string> shorter = {"analyses.dynamics.duration=0.03"};
  const ModelRun plane = run_model(PETSC_COMM_WORLD, model, shorter);
  const ModelRun space =
      run_model(PETSC_COMM_WORLD, model, {shorter.front(), "gravity=[0, 0, " + kAcross + "]"});
  for (const char* column : {"deflection", "slider_position", "crank_angle"}) {
    const std::vector<double>& a = plane.history.at(column);
    EXPECT_LT(largest_difference(a, space.history.at(column)), 2e-7 * size(a)) << column;
  }
  EXPECT_LT(plane.monitor.relative_drift(), 1.01 * space.monitor.relative_drift() + 1e-9);
  EXPECT_LT(plane.monitor.position_violation, 1e-12);
}

// From rest without stress, where one has no acceleration at all and the other that of round-off.
TEST(BeamInPlane, BeginsAsInSpace) {
  const std::string model = "tests/verification/beams/leaves_plane.yaml";
  const std::vector<std::string> growing = {"bodies.rod.points.tip=[1.1, 0, 0]",
                                            "loads.kick.force=[0, \"40*t\", 0]",
                                            "analyses.dynamics.duration=0.01", "gravity=[0, 0, 0]"};
  std::vector<std::string> across = growing;
  across.back() = "gravity=[0, 0, " + kAcross + "]";
  const ModelRun plane = run_model(PETSC_COMM_WORLD, model, growing);
  const ModelRun space = run_model(PETSC_COMM_WORLD, model, across);
  for (const char* column : {"tip.x", "tip.y", "middle", "energy"}) {
    const std::vector<double>& a = plane.history.at(column);
    EXPECT_LT(largest_difference(a, space.history.at(column)), 1e-7 * size(a)) << column;
  }
}

TEST(BeamInPlane, LeavesThePlaneWhereAForceActsAcrossIt) {
  const std::string model = "tests/verification/beams/leaves_plane.yaml";
  const ModelRun plane = run_model(PETSC_COMM_WORLD, model);
  const ModelRun space =
      run_model(PETSC_COMM_WORLD, model, {"gravity=[0, -9.81, " + kAcross + "]"});
  for (const char* column : {"tip.x", "tip.y", "tip.z", "root", "middle", "energy"}) {
    const std::vector<double>& a = plane.history.at(column);
    EXPECT_LT(largest_difference(a, space.history.at(column)), 1e-6 * size(a)) << column;
  }
  const std::vector<double>& z = plane.history.at("tip.z");
  EXPECT_EQ(size({z.begin(), z.begin() + 50}), 0.0);
  EXPECT_GT(z.back(), 0.01);
}

}  // namespace
}  // namespace solidyn
