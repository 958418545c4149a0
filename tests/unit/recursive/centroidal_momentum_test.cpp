// The momentum of trees about their centre of mass, against that of their bodies.
#include <gmock/gmock.h>

#include "mechanisms.h"
#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/recursive/composite_bodies.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/system/mass_centre.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::Hinge;
using recursive::CentroidalMomentum;
using recursive::Mechanism;
using recursive::Tree;
using recursive::Vector6d;
using system::MassCentre;
using system::State;
using testing_support::RandomTree;

// 1 kg with 0.2 kg m^2 about its centre beside its origin, and 3 kg that stands still.
TEST(MassCentre, IsThatOfBodiesByHand) {
  system::System system;
  system::InitialMotion moving;
  moving.p_WB = Vector3d(1.0, 2.0, 0.0);
  moving.v_WB = Vector3d(0.0, 0.0, 4.0);
  moving.w_WB_B = Vector3d(0.0, 0.0, 5.0);
  const BodyIndex first =
      system.add_body(bodies::make_rigid_body("first", 1.0, Vector3d(0.5, 0.0, 0.0),
                                              Vector3d(0.1, 0.1, 0.2).asDiagonal()),
                      moving);
  system::InitialMotion at_rest;
  at_rest.p_WB = Vector3d(-1.0, 0.0, 3.0);
  system.add_body(bodies::make_rigid_body("second", 3.0, Vector3d::Zero(),
                                          Vector3d(1.0, 1.0, 1.0).asDiagonal()),
                  at_rest);
  system.finalize();
  const State state = system.make_state();
  system.update(state);
  const MassCentre all = find_mass_centre(system), one = find_mass_centre(system, {first});
  const Vector3d p_first(1.5, 2.0, 0.0), v_first(0.0, 2.5, 4.0);
  EXPECT_EQ(all.mass, 4.0);
  EXPECT_LT((all.p - (p_first + 3.0 * at_rest.p_WB) / 4.0).norm(), 1e-15);
  EXPECT_LT((all.v - v_first / 4.0).norm(), 1e-15);
  // The reduced mass of two, 3/4 kg, at their distance, and the spin.
  const Vector3d expected =
      0.75 * (p_first - at_rest.p_WB).cross(v_first) + Vector3d(0.0, 0.0, 0.2 * 5.0);
  EXPECT_LT((all.angular_momentum - expected).norm(), 1e-14);
  EXPECT_LT((one.p - p_first).norm() + (one.v - v_first).norm(), 1e-15);
  EXPECT_LT((one.angular_momentum - Vector3d(0.0, 0.0, 1.0)).norm(), 1e-14);
}

void expect_sum_over_bodies(system::System& system, const State& state) {
  system.update(state);
  const MassCentre expected = find_mass_centre(system);
  Tree tree(system);
  VectorXd q, u;
  tree.find_coordinates(state, q, u);
  tree.compute_motion(q.data(), u.data());
  const CentroidalMomentum momentum = centroidal_momentum(tree);
  const Vector6d h = momentum.A * u;
  EXPECT_NEAR(momentum.mass, expected.mass, 1e-12 * expected.mass);
  EXPECT_LT((momentum.centre - expected.p).norm(), 1e-12 * (1.0 + expected.p.norm()));
  const Vector3d p = expected.mass * expected.v;
  EXPECT_LT((h.head<3>() - p).norm(), 1e-11 * (1.0 + p.norm()));
  EXPECT_LT((h.tail<3>() - expected.angular_momentum).norm(),
            1e-11 * (1.0 + expected.angular_momentum.norm()));
}

// Bodies that are deformed by as much as they are long, some of which stiffen when they spin.
TEST(CentroidalMomentum, IsTheSumOverBodies) {
  for (const bool has_modes : {false, true})
    for (unsigned seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE(seed);
      RandomTree random(seed);
      grow(random, has_modes);
      random.add_body(
          BodyIndex(0), Hinge::Kind::spherical,
          {has_modes ? 2 : 0, false, false, testing_support::FrameShapes::second_order, has_modes});
      random.set_in_motion();
      expect_sum_over_bodies(random.system(), random.state());
      if (HasFailure()) return;
    }
}

TEST(CentroidalMomentum, IsTheSumOverBodiesWithVirtualOnesAndLoops) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree with_virtual(seed), with_loops(seed);
    grow_with_virtual_bodies(with_virtual, seed);
    grow_with_loops(with_loops, seed);
    for (RandomTree* random : {&with_virtual, &with_loops}) {
      random->set_in_motion();
      expect_sum_over_bodies(random->system(), random->state());
    }
    if (HasFailure()) return;
  }
}

TEST(CentroidalMomentum, IsTheSumOverBodiesWithBeams) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_beams(random, seed);
    random.set_in_motion();
    expect_sum_over_bodies(random.system(), random.state());
    if (HasFailure()) return;
  }
}

// Its rate is the sum of what acts from outside and its moment about the centre: in flight gravity
// alone, which has none; a push beside it. Springs of modes, hinges and closures act inside.
TEST(CentroidalMomentum, IsChangedByForcesFromOutsideAlone) {
  constexpr double kStep = 1e-4;
  const Vector3d gravity(0.4, -1.0, -9.81), push(3.0, 2.0, -5.0);
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    using K = Hinge::Kind;
    const BodyIndex root = random.add_body(bodies::kGround, K::free, {2});
    BodyIndex last = root;
    for (const K kind : {K::revolute, K::spherical, K::cylindrical})
      last = random.add_body(last, kind, {seed % 2 == 0 ? 2 : 0, seed % 3 == 0});
    random.add_body(root, K::universal, {1});
    const bodies::FrameIndex pushed = random.add_frame(last);
    if (seed > 5)
      testing_support::add_load(
          random.system(), "push", pushed,
          {math::TimeFunction::constant(push.x()), math::TimeFunction::constant(push.y()),
           math::TimeFunction::constant(push.z())},
          {math::TimeFunction::constant(0.0), math::TimeFunction::constant(0.0),
           math::TimeFunction::constant(0.0)});
    random.system().set_gravity(gravity);
    random.set_in_motion();
    Mechanism mechanism(random.system());
    Tree& tree = mechanism.tree();
    State state = random.state().clone();
    VectorXd q, u, du;
    tree.find_coordinates(state, q, u);
    mechanism.compute_state(q, u, state);
    mechanism.compute_accelerations(q, u, state, du);
    random.system().update(state);
    const Vector3d place = random.system().kinematics().frames[pushed].p;
    const auto momentum_at = [&](double t) {
      VectorXd there = q;
      tree.advance(t * u + 0.5 * t * t * du, there);
      const VectorXd speeds = u + t * du;
      tree.compute_motion(there.data(), speeds.data());
      const CentroidalMomentum momentum = centroidal_momentum(tree);
      return Vector6d(momentum.A * speeds);
    };
    const Vector6d rate = (momentum_at(kStep) - momentum_at(-kStep)) / (2.0 * kStep);
    tree.compute_motion(q.data(), u.data());
    const CentroidalMomentum momentum = centroidal_momentum(tree);
    Vector6d expected;
    expected << momentum.mass * gravity, Vector3d::Zero();
    if (seed > 5) {
      expected.head<3>() += push;
      expected.tail<3>() += (place - momentum.centre).cross(push);
    }
    const double size = (momentum.A * u).norm() + momentum.mass * gravity.norm();
    EXPECT_LT((rate - expected).norm(), 1e-5 * size) << rate.transpose();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace solidyn
