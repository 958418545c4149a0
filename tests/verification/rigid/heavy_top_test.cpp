// A05: the heavy top of the Lie-group integrator literature (Bruls, Cardona & Arnold 2012).
#include <gtest/gtest.h>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;

integrators::GeneralizedAlphaOptions tight() {
  integrators::GeneralizedAlphaOptions options;
  options.rho_infinity = 0.9;
  options.tolerance = 1e-12;
  return options;
}

TEST(HeavyTop, StartsWithTheKnownReactionAndEnergy) {
  const auto top = testing_support::make_heavy_top();
  const system::State s = testing_support::start(*top);
  // Reaction on the body, from the page; G^T lambda is on the left-hand side.
  const Vector3d reaction = -s.lambda;
  EXPECT_LT((reaction - Vector3d(0, -319.52598817, -317.26246154)).norm(), 1e-6);
  const bodies::Energy e = top->energy(s);
  EXPECT_NEAR(e.kinetic + e.potential, 5435.696790865, 1e-8);
}

TEST(HeavyTop, ConvergesWithOrderTwoInPositionsVelocitiesAndMultipliers) {
  const double t_end = 0.5;
  std::vector<system::State> states;
  for (int n : {500, 1000, 2000, 16000}) {
    const auto top = testing_support::make_heavy_top();
    states.push_back(testing_support::run_generalized_alpha(*top, t_end, n, tight()));
  }
  const system::State& fine = states.back();
  const auto order = [&](auto&& quantity) {
    const double coarse = (quantity(states[1]) - quantity(fine)).norm();
    const double half = (quantity(states[2]) - quantity(fine)).norm();
    return std::log2(coarse / half);
  };
  EXPECT_NEAR(order([](const system::State& s) { return s.q; }), 2.0, 0.15);
  EXPECT_NEAR(order([](const system::State& s) { return s.v; }), 2.0, 0.15);
  EXPECT_NEAR(order([](const system::State& s) { return s.lambda; }), 2.0, 0.2);
  const Vector3d reference(-0.702468297, -0.021165185, -0.711400258);
  EXPECT_LT((fine.q.head<3>() - reference).norm(), 1e-5);
}

// The error at 1e-4 s, 1.7e-4 m, is the integrator's: it falls by four with half the step, and
// extrapolation to h = 0 leaves the digits of the reference. (rho_infinity = 1 is no option in
// index-3 form: nothing then damps round-off in the multipliers.)
TEST(HeavyTop, MeetsTheReferenceAtTwoSeconds) {
  std::vector<Vector3d> positions;
  for (int n : {10000, 20000}) {
    const auto top = testing_support::make_heavy_top();
    const system::State s = testing_support::run_generalized_alpha(*top, 2.0, n, tight());
    positions.push_back(s.q.head<3>());
    EXPECT_NEAR(s.v[4], 150.0, 1e-9);  // no torque about the axis of symmetry
  }
  const Vector3d reference(-0.150416823, -0.724165592, -0.673022270);
  EXPECT_LT((positions[1] - reference).norm(), 2e-4);
  const Vector3d extrapolated = (4.0 * positions[1] - positions[0]) / 3.0;
  EXPECT_LT((extrapolated - reference).norm(), 2e-6);
}

}  // namespace
}  // namespace solidyn
