// Constraints that say again what others have said change nothing of the motion, at any step.
#include <gtest/gtest.h>

#include "linkages.h"
#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/multipliers.h"
#include "solidyn/system/scales.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using integrators::GeneralizedAlphaOptions;
using joints::JointType;
using system::State;

constexpr double kLength = 0.5;

// A door of 1 kg on hinges about z, at these heights, that falls from the horizontal; its inertia
// about the centre is that of a rod of 1 m.
std::unique_ptr<system::System> make_door(const std::vector<double>& heights) {
  auto system = std::make_unique<system::System>();
  system->set_gravity({0, -9.81, 0});
  system::InitialMotion pose;
  pose.p_WB = {kLength, 0, 0};
  const Vector3d inertia(0.01, 1.0 / 12.0, 1.0 / 12.0);
  const auto door = system->add_body(
      bodies::make_rigid_body("door", 1.0, Vector3d::Zero(), inertia.asDiagonal()), pose);
  for (const double z : heights)
    testing_support::add_joint(*system, "hinge at " + std::to_string(z), JointType::revolute,
                               bodies::kGround, {}, door, pose, {0, 0, z});
  system->finalize();
  return system;
}

GeneralizedAlphaOptions options_for(system::System& system, double tolerance = 1e-10) {
  testing_support::start(system);
  GeneralizedAlphaOptions options;
  options.tolerance = tolerance;
  const auto redundancy =
      system::find_redundancy(system, increment_weights(system, characteristic_length(system)));
  if (!redundancy.rows.empty()) options.regularization = system::redundancy_regularization(system);
  return options;
}

State run_door(const std::vector<double>& heights, double h, int n_steps) {
  const auto system = make_door(heights);
  State state =
      testing_support::run_generalized_alpha(*system, n_steps * h, n_steps, options_for(*system));
  system->update(state);
  system::shorten_multipliers(*system, state);
  return state;
}

// Five rows too many. The door's centre after half a second, or 20,000 steps.
TEST(RedundantConstraints, LeaveTheMotionAsItIsAtAnyStep) {
  for (const double h : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
    const int n_steps = std::min(20000, static_cast<int>(std::lround(0.5 / h)));
    const State one = run_door({0.0}, h, n_steps), two = run_door({-0.1, 0.1}, h, n_steps);
    EXPECT_LT((one.q.head<3>() - two.q.head<3>()).norm(), 1e-9) << h;
    EXPECT_LT((one.v - two.v).norm(), 1e-8) << h;
  }
}

// What the hinges bear together is what one bears, in equal shares, to the round-off of positions
// over h^2.
TEST(RedundantConstraints, ShareTheirForcesEqually) {
  for (const double h : {1e-3, 1e-5}) {
    const State one = run_door({0.0}, h, 2000), two = run_door({-0.1, 0.1}, h, 2000);
    const double scale = one.lambda.lpNorm<Eigen::Infinity>();
    EXPECT_LT((two.lambda.head<3>() - two.lambda.segment<3>(5)).norm(), 1e-6 * scale) << h;
    EXPECT_LT((two.lambda.head<3>() - 0.5 * one.lambda.head<3>()).norm(), 1e-4 * scale) << h;
  }
}

// Bricard's loop from rest conserves its energy to order two down to the shortest steps.
double bricard_drift(double h, int n_steps) {
  const auto system = testing_support::make_bricard();
  const GeneralizedAlphaOptions options = options_for(*system);
  State state = testing_support::start(*system);
  const double first = testing_support::total_energy(*system, state);
  integrators::GeneralizedAlpha integrator(*system, options);
  integrator.initialize(state);
  double worst = 0.0;
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(state, h);
    system->accept(state);
    if (i % 20 == 0)
      worst = std::max(worst, std::abs(testing_support::total_energy(*system, state) - first));
  }
  return worst;
}

TEST(RedundantConstraints, KeepTheOrderOfALoop) {
  const double coarse = bricard_drift(2e-3, 500), fine = bricard_drift(1e-3, 1000),
               finest = bricard_drift(1e-4, 10000);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.2);
  EXPECT_NEAR(std::log10(fine / finest), 2.0, 0.2);
}

// A tighter tolerance is a smaller error: of the door's angle, against that of the tightest.
TEST(NewtonTolerance, TightensTheMotion) {
  const auto run = [](double tolerance) {
    const auto system = make_door({0.0});
    return testing_support::run_generalized_alpha(*system, 0.5, 500,
                                                  options_for(*system, tolerance));
  };
  const State exact = run(1e-14);
  double before = 1.0;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const double error = (run(tolerance).q - exact.q).norm();
    EXPECT_LE(error, 10.0 * tolerance);
    EXPECT_LE(error, std::max(before, 1e-13)) << tolerance;
    before = error;
  }
}

}  // namespace
}  // namespace solidyn
