// Closures in relative coordinates whose rows depend on hinges: nothing moves by them.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::Vector3d;
using Eigen::VectorXd;
using integrators::RelativeGeneralizedAlpha;
using joints::JointType;
using system::State;

/// Rigid bodies anywhere, with any angular velocity.
struct Bodies {
  std::unique_ptr<system::System> system = std::make_unique<system::System>();
  std::mt19937 random;

  explicit Bodies(unsigned seed) : random(seed) { system->set_gravity({0.0, 0.0, -9.81}); }

  Vector3d point() {
    std::uniform_real_distribution<double> inside(-1.0, 1.0);
    const double x = inside(random), y = inside(random), z = inside(random);
    return {x, y, z};
  }
  BodyIndex add(const char* name, const Vector3d& p, const Vector3d& spin = Vector3d::Zero()) {
    system::InitialMotion pose;
    pose.p_WB = p;
    pose.q_WB = Eigen::Quaterniond(math::exp_rotation(point()));
    pose.w_WB_B = spin;
    return system->add_body(bodies::make_rigid_body(name, 1.0, Vector3d::Zero(),
                                                    Vector3d(0.02, 0.03, 0.04).asDiagonal()),
                            pose);
  }
};

State after(system::System& system, int n_steps, double h) {
  State state = testing_support::start(system);
  RelativeGeneralizedAlpha integrator(system, {});
  integrator.initialize(state);
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(state, h);
    system.accept(state);
  }
  return state;
}

// A distance to the centre of a ball from the body that carries the ball. All that could move it
// are arms about the centre, which are round-off, and what is round-off of that may be as large.
TEST(DependentClosures, OfADistanceToTheCentreOfABallMoveNothing) {
  const auto make = [](unsigned seed, bool has_distance) {
    Bodies bodies(seed);
    const BodyIndex free = bodies.add("free", bodies.point(), {1.0, 2.0, 0.5}),
                    carrier = bodies.add("carrier", bodies.point());
    const Vector3d centre = bodies.point(), end = bodies.point(), weld = bodies.point();
    const BodyIndex ball = bodies.add("ball", centre, {0.5, -1.0, 2.0});
    system::System& system = *bodies.system;
    const auto add = [&](const char* name, JointType type, BodyIndex a, BodyIndex b,
                         const Vector3d& p) {
      system::add_joint(system, name, type, system::add_frames(system, a, b, p));
    };
    add("weld", JointType::fixed, free, carrier, weld);
    add("ball", JointType::spherical, carrier, ball, centre);
    // Without the distance too: given velocities are changed in the mechanism's own length.
    const system::FramesOfPair ends = {system::add_frame(system, carrier, end),
                                       system::add_frame(system, ball, centre)};
    if (has_distance)
      system::add_joint(system, "distance", joints::distance_rows((end - centre).norm()), ends);
    system.finalize();
    return std::move(bodies.system);
  };
  for (unsigned seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(seed);
    const State with = after(*make(seed, true), 10, 1e-3),
                without = after(*make(seed, false), 10, 1e-3);
    EXPECT_LT((with.q - without.q).lpNorm<Eigen::Infinity>(), 1e-11);
    EXPECT_LT((with.v - without.v).lpNorm<Eigen::Infinity>(), 1e-9);
  }
}

// Nothing corrects their multipliers: continued from step to step, their round-off would grow.
TEST(DependentClosures, KeepTheMultipliersThatTheyBeginWith) {
  Bodies bodies(1);
  const BodyIndex arm = bodies.add("arm", {0.3, 0.1, 0.0}),
                  hand = bodies.add("hand", {0.6, 0.4, 0.2});
  system::System& system = *bodies.system;
  const auto add = [&](const char* name, JointType type, BodyIndex a, BodyIndex b,
                       const Vector3d& p, const Vector3d& axis) {
    return system::add_joint(system, name, type, system::add_frames(system, a, b, p, axis));
  };
  add("shoulder", JointType::revolute, bodies::kGround, arm, Vector3d::Zero(), Vector3d::UnitY());
  add("wrist", JointType::revolute, arm, hand, {0.4, 0.2, 0.1}, Vector3d::UnitX());
  const auto plane =
      add("plane", JointType::point_on_plane, arm, hand, {0.4, 0.2, 0.1}, {0.68, -0.72, 0.08});
  system.finalize();
  State state = testing_support::start(system);
  RelativeGeneralizedAlpha integrator(system, {});
  integrator.initialize(state);
  const int row = system.layout().constraint_offset(plane);
  const double first = state.lambda[row];
  EXPECT_GT(std::abs(first), 1e-3);
  ASSERT_TRUE(integrator.recall(integrator.memory(), state));  // that of least norm, not zero
  for (int i = 0; i < 200; ++i) {
    integrator.step(state, 1e-3);
    system.accept(state);
    ASSERT_EQ(state.lambda[row], first) << i;
  }
}

}  // namespace
}  // namespace solidyn
