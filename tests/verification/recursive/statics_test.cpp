// Equilibria in relative coordinates are those of absolute ones: chains, arms, loops, what is free.
#include "solidyn/analyses/statics.h"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <functional>

#include "linkages.h"
#include "random_beam.h"
#include "random_bodies.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using analyses::Statics;
using analyses::StaticsOptions;
using bodies::BodyIndex;
using bodies::kGround;
using Eigen::Vector3d;
using joints::JointType;
using math::TimeFunction;
using system::State;
using system::System;

using KeepSystem = std::function<System*()>;

StaticsOptions by_newton(bool is_relative, int load_steps = 4) {
  StaticsOptions options;
  options.method = analyses::StaticsMethod::newton;
  options.load_steps = load_steps;
  options.is_relative = is_relative;
  return options;
}

struct Found {
  State state;
  double work = 0.0;
  std::int64_t iterations = 0;
};

Found find_equilibrium(System& system, const StaticsOptions& options) {
  Statics statics(system, options);
  statics.start();
  while (!statics.is_done()) statics.advance();
  EXPECT_LT(statics.constraint_violation(), 1e-11);
  return {statics.state().clone(), statics.work(), statics.statistics().newton_iterations};
}

// Keeps what a function makes.
KeepSystem kept(const std::function<std::unique_ptr<System>()>& make) {
  auto all = std::make_shared<std::vector<std::unique_ptr<System>>>();
  return [all, make] { return all->emplace_back(make()).get(); };
}

// Bodies turn by sums of increments, or from pose to pose: in the plane that is the same work.
constexpr double kSameWork = 1e-6;

// Positions to 1e-9 m and rad, forces to 1e-7 of the largest.
void expect_the_same(const KeepSystem& make, StaticsOptions options = by_newton(false),
                     double same_work = kSameWork) {
  System &one = *make(), &other = *make();
  options.is_relative = false;
  const Found absolute = find_equilibrium(one, options);
  options.is_relative = true;
  const Found relative = find_equilibrium(other, options);
  EXPECT_LT((relative.state.q - absolute.state.q).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_LT((relative.state.lambda - absolute.state.lambda).lpNorm<Eigen::Infinity>(),
            1e-7 * absolute.state.lambda.lpNorm<Eigen::Infinity>());
  // Loops that open and close on the way may take one more in each step.
  EXPECT_LE(relative.iterations, absolute.iterations + options.load_steps);
  EXPECT_EQ(relative.state.v.norm(), 0.0);
  EXPECT_EQ(relative.state.a.norm(), 0.0);
  EXPECT_NEAR(relative.work, absolute.work, same_work * std::abs(absolute.work) + 1e-9);
}

BodyIndex add_rod(System& system, const Vector3d& from, const Vector3d& to) {
  system::InitialMotion pose;
  pose.p_WB = 0.5 * (from + to);
  pose.q_WB = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), to - from);
  const double length = (to - from).norm(), across = length * length * length / 12.0;
  return system.add_body(
      bodies::make_rigid_body("rod", length, Vector3d::Zero(),
                              Vector3d(1e-3 * across, across, across).asDiagonal()),
      pose);
}

system::FramesOfPair turn_about(System& system, const std::string& name, BodyIndex A, BodyIndex B,
                                const Vector3d& at, double stiffness,
                                const Vector3d& axis = Vector3d::UnitZ()) {
  const system::FramesOfPair frames = system::add_frames(system, A, B, at, axis);
  system::add_joint(system, name, JointType::revolute, frames);
  if (stiffness == 0.0) return frames;
  forces::SpringDamper::Options spring;
  spring.stiffness = stiffness;
  system::add_spring(system, "spring of " + name, bodies::RotationAngle(), spring, frames);
  return frames;
}

forces::VectorFunction force_of(const std::string& x, const std::string& y,
                                const std::string& z = "0") {
  return {TimeFunction::expression(x), TimeFunction::expression(y), TimeFunction::expression(z)};
}

std::unique_ptr<System> make_hanging_chain(int n) {
  auto system = std::make_unique<System>();
  system->set_gravity(Vector3d(0, -9.81, 0));
  Vector3d from = Vector3d::Zero();
  BodyIndex above = kGround;
  for (int i = 0; i < n; ++i) {
    const Vector3d to = from + Vector3d(i % 2 == 0 ? 0.3 : -0.1, -1.0, 0.0);
    const BodyIndex rod = add_rod(*system, from, to);
    turn_about(*system, "joint " + std::to_string(i), above, rod, from, 0.0);
    above = rod;
    from = to;
  }
  system::add_load(*system, "pull", system::add_frame(*system, above, from), force_of("20*t", "0"));
  system->finalize();
  return system;
}

TEST(RelativeStatics, AHangingChainIsPulledAside) {
  expect_the_same(kept([] { return make_hanging_chain(10); }));
}

// Without the pull: straight down, to round-off.
TEST(RelativeStatics, ALongChainHangsStraight) {
  const auto system = make_hanging_chain(60);
  Statics statics(*system, by_newton(true));
  statics.start();
  double above = 0.0;
  for (int i = 0; i < 60; ++i) {
    const double length = std::hypot(1.0, i % 2 == 0 ? 0.3 : 0.1);
    const bodies::BodyState& rod = system->kinematics().bodies[BodyIndex(i)];
    EXPECT_NEAR(rod.p_WB.x(), 0.0, 1e-10) << i;
    EXPECT_NEAR(rod.p_WB.y(), above - 0.5 * length, 1e-10) << i;
    above -= length;
  }
}

// A frame that bends with the body, at a world point of the undeformed one.
bodies::FrameIndex add_bending_frame(System& system, BodyIndex body, const Vector3d& p_W,
                                     const Vector3d& axis, std::mt19937& generator) {
  bodies::Frame frame =
      system.kinematics().frame_definitions[system::add_frame(system, body, p_W, axis)];
  const int n = body == kGround ? 0 : system.body(body).n_elastic();
  if (n > 0) {
    frame.Psi_t = Eigen::Map<const Eigen::Matrix3Xd>(
        testing_support::random_vector(generator, 3 * n, 0.3).data(), 3, n);
    frame.Psi_r = Eigen::Map<const Eigen::Matrix3Xd>(
        testing_support::random_vector(generator, 3 * n, 0.3).data(), 3, n);
    frame.Y_t = testing_support::random_second_order(generator, n, 0.1);
    frame.Y_r = testing_support::random_second_order(generator, n, 0.1);
  }
  return system.add_frame(frame);
}

// Bodies with modes, axes that are askew, springs about all of them but the first, which a drive
// turns, and between distant bodies.
std::unique_ptr<System> make_driven_arm() {
  auto system = std::make_unique<System>();
  std::mt19937 generator(7);
  system->set_gravity(Vector3d(1.0, -2.0, 0.5));
  BodyIndex above = kGround, second;
  for (int i = 0; i < 4; ++i) {
    const Vector3d at(1.0 * i, 0.1 * i * i, -0.2 * i),
        axis = Vector3d::UnitZ() + testing_support::random_vector(generator, 3, 0.7);
    BodyIndex link;
    if (i % 2 == 1) {
      testing_support::MassCloud cloud(8, 3, 11 + i);
      cloud.remove_rigid_motion();
      system::InitialMotion pose;
      pose.p_WB = at + Vector3d(0.5, 0, 0);
      pose.q_WB = testing_support::random_rotation(generator);
      link = system->add_body(
          std::make_unique<bodies::ModalBody>(
              "soft", cloud.invariants(), cloud.mass_matrix(), 200.0 * cloud.stiffness(generator()),
              cloud.stiffness(generator()), Eigen::VectorXd::Ones(3)),
          pose);
    } else {
      link = add_rod(*system, at, at + Vector3d(1.0, 0.2, 0.0));
    }
    const system::FramesOfPair frames{add_bending_frame(*system, above, at, axis, generator),
                                      add_bending_frame(*system, link, at, axis, generator)};
    system::add_joint(*system, "axis " + std::to_string(i), JointType::revolute, frames);
    forces::SpringDamper::Options spring;
    spring.stiffness = 300.0;
    if (i == 0)
      system::add_rotation_drive(*system, "drive", TimeFunction::expression("0.4*t"), frames);
    else
      system::add_spring(*system, "spring", bodies::RotationAngle(), spring, frames);
    if (i == 1) second = link;
    above = link;
  }
  const bodies::FrameIndex tip = system->add_frame(
      system->kinematics().frame_definitions[system::add_frame(*system, above, Vector3d(4, 1, 0))]);
  forces::SpringDamper::Options spring;
  spring.stiffness = 20.0;
  spring.free = 2.0;
  system::add_spring(*system, "stay", bodies::Distance(), spring,
                     {system::add_frame(*system, second, Vector3d(1.5, 0, 0)), tip});
  system::add_load(*system, "push", tip, force_of("5*t", "-8*t"));
  system->finalize();
  return system;
}

TEST(RelativeStatics, AnArmIsLoadedAndDriven) {
  expect_the_same(kept(make_driven_arm), by_newton(false), 1e-2);
}

// Poses say nothing of whole turns.
TEST(RelativeStatics, ARotorIsDrivenThroughTurns) {
  const auto make = [] {
    auto system = std::make_unique<System>();
    const Vector3d end(1, 0, 0);
    const BodyIndex rotor = add_rod(*system, Vector3d::Zero(), end);
    system::add_rotation_drive(*system, "drive", TimeFunction::expression("20*t"),
                               turn_about(*system, "axis", kGround, rotor, Vector3d::Zero(), 0.0));
    system::add_load(*system, "push", system::add_frame(*system, rotor, end), force_of("5", "2"));
    system->finalize();
    return system;
  };
  expect_the_same(kept(make), by_newton(false, 40), 1e-2);
  const auto system = make();
  EXPECT_LE(find_equilibrium(*system, by_newton(true, 40)).iterations, 3 * 40);
}

// Three driven joints in a row, about one axis: the last body turns through more than half a turn
// in a step, though no joint does.
TEST(RelativeStatics, AMomentWorksThroughTurnsOfSeveralJoints) {
  const auto make = [] {
    auto system = std::make_unique<System>();
    BodyIndex above = kGround;
    for (int i = 0; i < 3; ++i) {
      const Vector3d at(0, 0, i);
      const BodyIndex rod = add_rod(*system, at, at + Vector3d::UnitX());
      const std::string name = "joint " + std::to_string(i);
      system::add_rotation_drive(*system, "drive of " + name, TimeFunction::expression("2.5*t"),
                                 turn_about(*system, name, above, rod, at, 0.0));
      above = rod;
    }
    system::add_load(*system, "moment", system::add_frame(*system, above, Vector3d(0, 0, 2)),
                     force_of("0", "0"), force_of("0", "0", "5"));
    system->finalize();
    return system;
  };
  expect_the_same(kept(make), by_newton(false, 2));
  const auto system = make();
  EXPECT_NEAR(find_equilibrium(*system, by_newton(true, 2)).work, 0.0, 1e-9);  // drives take it all
}

// Four revolute joints about z: three rows too many, between which the push along z is shared.
std::unique_ptr<System> make_loop(bool is_driven) {
  auto system = std::make_unique<System>();
  system->set_gravity(Vector3d(0, -9.81, 0));
  const Vector3d a(0, 0, 0), b(0.3, 0.9, 0), c(1.4, 1.1, 0), d(1.5, 0, 0);
  const BodyIndex crank = add_rod(*system, a, b), coupler = add_rod(*system, b, c),
                  rocker = add_rod(*system, d, c);
  const system::FramesOfPair at_a =
      turn_about(*system, "a", kGround, crank, a, is_driven ? 0.0 : 60.0);
  if (is_driven)
    system::add_rotation_drive(*system, "drive", TimeFunction::expression("0.8*t"), at_a);
  turn_about(*system, "b", crank, coupler, b, 0.0);
  turn_about(*system, "c", coupler, rocker, c, 0.0);
  turn_about(*system, "d", kGround, rocker, d, 0.0);
  system::add_load(*system, "push", system::add_frame(*system, coupler, c),
                   force_of("9*t", "-4*t", "3*t"));
  system->finalize();
  return system;
}

TEST(RelativeStatics, ALoopWithRowsTooManyIsPushed) {
  expect_the_same(kept([] { return make_loop(false); }));
}

TEST(RelativeStatics, ALoopWithRowsTooManyIsDriven) {
  expect_the_same(kept([] { return make_loop(true); }));
}

// A beam on a sprung arm, with a strut from a node to the ground and a load at its end; a hinge
// with a spring about it between the two.
std::unique_ptr<System> make_arm_with_beam() {
  auto system = std::make_unique<System>();
  system->set_gravity(Vector3d(1.0, -2.0, 0.5));
  testing_support::RandomBeam beam(5);
  const Vector3d start = beam.poses.front().p_WB, end = beam.poses.back().p_WB,
                 foot = start - Vector3d(1.0, 0.2, -0.1);
  const BodyIndex arm = add_rod(*system, foot, start);
  turn_about(*system, "pivot", kGround, arm, foot, 200.0);
  const std::vector<BodyIndex> nodes = beam.add_to(*system, bodies::ElementStrains::eliminated);
  turn_about(*system, "knee", arm, nodes.front(), start, 100.0, Vector3d(0.2, 1.0, 0.3));
  forces::SpringDamper::Options strut;
  strut.stiffness = 50.0;
  system::add_spring(*system, "strut", bodies::Distance(), strut,
                     {system::add_frame(*system, kGround, start + Vector3d(0.3, -1.0, 0.2)),
                      system::add_frame(*system, nodes[2], beam.poses[2].p_WB)});
  system::add_load(*system, "pull", system::add_frame(*system, nodes.back(), end),
                   force_of("2*t", "-t", "3*t"));
  system->finalize();
  return system;
}

TEST(RelativeStatics, ABeamOnAnArmIsPulledAside) {
  expect_the_same(kept(make_arm_with_beam), by_newton(false, 8), 1e-2);
}

// Steps along a path end at other loads in each formulation, so that each has an error of its own
// of the trapezoidal rule by which work is counted: that of the energy, which falls by four.
TEST(RelativeStatics, AFollowedPathIsTheSame) {
  StaticsOptions options = by_newton(false);
  options.arc_length = true;
  expect_the_same(kept([] { return make_hanging_chain(3); }), options, 1e-3);
  const auto potential = [](System& system, const State& state) {
    const bodies::Energy energy = system.energy(state);
    return energy.strain + energy.potential;
  };
  const auto error_of_work = [&](int load_steps) {
    const auto system = make_hanging_chain(3);
    options.is_relative = true;
    options.load_steps = load_steps;
    Statics statics(*system, options);
    statics.start();
    const double before = potential(*system, statics.state());
    while (!statics.is_done()) statics.advance();
    system->update(statics.state());
    return std::abs(statics.work() / (potential(*system, statics.state()) - before) - 1.0);
  };
  const double fine = error_of_work(32);
  EXPECT_LT(fine, 3e-4);
  EXPECT_NEAR(error_of_work(16) / fine, 4.0, 0.5);
}

TEST(RelativeStatics, WorkIsCountedOnceWhereARelaxationFindsTheEquilibrium) {
  StaticsOptions options = by_newton(false);
  options.method = analyses::StaticsMethod::relaxation;
  expect_the_same(kept([] { return make_hanging_chain(2); }), options);
}

// A rod stands upright on a slide with a spring, which is pressed down.
std::unique_ptr<System> make_upright_rod() {
  auto system = std::make_unique<System>();
  system->set_gravity(Vector3d(0, -9.81, 0));
  const Vector3d foot(1, 0, 0), top(1, 1, 0);
  const BodyIndex slide = add_rod(*system, Vector3d::Zero(), foot),
                  rod = add_rod(*system, foot, top);
  const system::FramesOfPair frames =
      system::add_frames(*system, kGround, slide, Vector3d::Zero(), Vector3d::UnitY());
  system::add_joint(*system, "slide", JointType::prismatic, frames);
  forces::SpringDamper::Options spring;
  spring.stiffness = 100.0;
  system::add_spring(*system, "spring", bodies::PointAlongFrameAxis(Vector3d::UnitZ()), spring,
                     frames);
  turn_about(*system, "pin", slide, rod, foot, 0.0);
  system::add_load(*system, "push", system::add_frame(*system, slide, foot), force_of("0", "-9*t"));
  system->finalize();
  return system;
}

TEST(RelativeStatics, ARelaxationThatIsGivenUpHasDoneNoWork) {
  StaticsOptions given_up = by_newton(true);
  given_up.method = analyses::StaticsMethod::automatic;
  given_up.max_relaxation_steps = 3;
  const auto one = make_upright_rod(), other = make_upright_rod();
  const Found by_newton_alone = find_equilibrium(*one, by_newton(true)),
              kept_unstable = find_equilibrium(*other, given_up);
  EXPECT_GT(std::abs(by_newton_alone.work), 0.1);
  EXPECT_NEAR(kept_unstable.work, by_newton_alone.work, 1e-9);
}

// Parallelograms that stand upright are in equilibrium, an unstable one.
TEST(RelativeStatics, ReactionsOfRedundantLoopsAreOfLeastNorm) {
  expect_the_same(kept([] { return testing_support::make_four_bars(3); }));
}

std::string failure(System& system, bool is_relative) {
  try {
    find_equilibrium(system, by_newton(is_relative));
  } catch (const base::ComputationError& e) {
    return e.what();
  }
  return "none";
}

// A parallelogram that is drawn flat, which a spring opens: one row of the loop depends on others
// there alone.
std::unique_ptr<System> make_flat_parallelogram() {
  auto system = std::make_unique<System>();
  system->set_gravity(Vector3d(0, -9.81, 0));
  const Vector3d a(0, 0, 0), b(1, 0, 0), c(3, 0, 0), d(2, 0, 0);
  const BodyIndex crank = add_rod(*system, a, b), coupler = add_rod(*system, b, c),
                  rocker = add_rod(*system, d, c);
  forces::SpringDamper::Options spring;
  spring.stiffness = 300.0;
  spring.free = 0.5;
  system::add_spring(*system, "spring", bodies::RotationAngle(), spring,
                     turn_about(*system, "a", kGround, crank, a, 0.0));
  turn_about(*system, "b", crank, coupler, b, 0.0);
  turn_about(*system, "c", coupler, rocker, c, 0.0);
  turn_about(*system, "d", kGround, rocker, d, 0.0);
  system->finalize();
  return system;
}

TEST(RelativeStatics, ALoopLeavesASingularPosition) {
  for (const auto method :
       {analyses::StaticsMethod::automatic, analyses::StaticsMethod::relaxation}) {
    StaticsOptions options = by_newton(false, 2);
    options.method = method;
    expect_the_same(kept(make_flat_parallelogram), options);
  }
}

TEST(RelativeStatics, ASingularPositionIsSaidToBeOne) {
  for (const bool is_relative : {false, true}) {
    const auto system = make_flat_parallelogram();
    EXPECT_THAT(failure(*system, is_relative), testing::HasSubstr("singular position"));
  }
}

// A gate on a vertical axis: nothing turns it, and nothing holds it.
TEST(RelativeStatics, WhatNothingHoldsIsNamedAsInAbsoluteCoordinates) {
  std::array<std::string, 2> messages;
  for (const bool is_relative : {false, true}) {
    System system;
    system.set_gravity(Vector3d(0, -9.81, 0));
    const BodyIndex gate = add_rod(system, Vector3d::Zero(), Vector3d(1, 0, 0));
    turn_about(system, "hinge", kGround, gate, Vector3d::Zero(), 0.0, Vector3d::UnitY());
    system.finalize();
    messages[is_relative] = failure(system, is_relative);
  }
  const auto remedy = [](const std::string& text) { return text.substr(text.find('\n') + 1); };
  EXPECT_THAT(messages[1], testing::HasSubstr("no equilibrium"));
  EXPECT_THAT(messages[1], testing::HasSubstr("rod"));
  EXPECT_EQ(remedy(messages[1]), remedy(messages[0]));
}

}  // namespace
}  // namespace solidyn
