// What a system consists of beside what it evaluates: layout, connectivity, tracked angles, scales.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/connect.h"
#include "solidyn/system/scales.h"
#include "solidyn/system/system.h"

namespace solidyn::system {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::ElementsAre;
using testing::HasSubstr;

auto add_disc(System& system, const std::string& name, const Vector3d& p) {
  InitialMotion motion;
  motion.p_WB = p;
  return system.add_body(
      bodies::make_rigid_body(name, 2.0, Vector3d::Zero(), 0.08 * Matrix3d::Identity()), motion);
}

// Two discs on a hinge, and one that flies.
struct Discs {
  System system;
  decltype(add_disc(system, "", Vector3d())) first = add_disc(system, "first", {1, 0, 0}),
                                             second = add_disc(system, "second", {3, 0, 0}),
                                             third = add_disc(system, "third", {0, 9, 0});
  FramesOfPair frames = add_frames(system, first, second, {2, 0, 0}, Vector3d::UnitZ());
};

TEST(Layout, VelocitiesOfBodiesComeFirstAndThenMultipliers) {
  Discs discs;
  EXPECT_EQ(discs.system.layout().n_unknowns(), 0);
  const auto hinge = add_joint(discs.system, "hinge", joints::JointType::revolute, discs.frames);
  discs.system.finalize();
  const Layout& layout = discs.system.layout();
  EXPECT_EQ(layout.n_velocities(), 18);
  EXPECT_EQ(layout.n_configuration(), 21);
  EXPECT_EQ(layout.n_constraints(), 5);
  EXPECT_EQ(layout.n_unknowns(), 23);
  EXPECT_EQ(layout.n_dofs(), 18);
  EXPECT_EQ(layout.velocity_offset(discs.third), 12);
  EXPECT_EQ(layout.configuration_offset(discs.third), 14);
  EXPECT_EQ(layout.elastic_offset(discs.second), 14);
  EXPECT_EQ(layout.constraint_offset(hinge), 0);
  EXPECT_THAT(layout.velocity_indices({discs.third, discs.first}),
              ElementsAre(12, 13, 14, 15, 16, 17, 0, 1, 2, 3, 4, 5));
  EXPECT_TRUE(layout.nodal_bodies().empty());
}

TEST(Layout, MultipliersAreCalledAsTheirJoint) {
  Discs discs;
  add_joint(discs.system, "first hinge", joints::JointType::spherical, discs.frames);
  add_joint(discs.system, "second hinge", joints::JointType::spherical, discs.frames);
  discs.system.finalize();
  const Layout& layout = discs.system.layout();
  EXPECT_THAT(layout.multiplier_name(2), HasSubstr("first hinge ("));
  EXPECT_THAT(layout.multiplier_name(3), HasSubstr("second hinge ("));
  EXPECT_EQ(layout.is_velocity_level(), std::vector<bool>(6, false));
}

TEST(Connectivity, BodiesThatNothingConnectsAreIslands) {
  Discs discs;
  add_joint(discs.system, "hinge", joints::JointType::revolute, discs.frames);
  discs.system.finalize();
  const Connectivity& connectivity = discs.system.connectivity();
  EXPECT_EQ(connectivity.n_islands(), 2);
  EXPECT_EQ(connectivity.island_of_body(discs.first), connectivity.island_of_body(discs.second));
  EXPECT_NE(connectivity.island_of_body(discs.first), connectivity.island_of_body(discs.third));
  EXPECT_EQ(connectivity.island_of({discs.third}), connectivity.island_of_body(discs.third));
  EXPECT_FALSE(connectivity.has_coupled_bodies());
  EXPECT_EQ(System().connectivity().n_islands(), 1);
}

// The second disc is linked to the first by the hinge, and the third to the second by what is said.
TEST(Connectivity, BodiesAreJoinedByTheLinksThatAreGiven) {
  Discs discs;
  add_joint(discs.system, "hinge", joints::JointType::revolute, discs.frames);
  discs.system.finalize();
  const Connectivity& connectivity = discs.system.connectivity();
  const std::vector<bodies::BodyIndex> hinge = {discs.first, discs.second},
                                       spring = {discs.third, discs.second};
  EXPECT_THAT(connectivity.joined_to({discs.first}, {}), ElementsAre(discs.first));
  EXPECT_THAT(connectivity.joined_to({discs.first}, {spring}), ElementsAre(discs.first));
  EXPECT_THAT(connectivity.joined_to({discs.first}, {spring, hinge}),
              ElementsAre(discs.first, discs.second, discs.third));
  EXPECT_THAT(connectivity.joined_to({discs.third}, {hinge}), ElementsAre(discs.third));
}

// The second disc about its hinge by `angle`, which leaves the hinge where it is.
void turn_second(const Discs& discs, double angle, State& state) {
  auto p = state.q.segment<7>(discs.system.layout().configuration_offset(discs.second));
  p << 2 + std::cos(angle), std::sin(angle), 0, std::cos(angle / 2), 0, 0, std::sin(angle / 2);
}

TEST(TrackedAngles, WholeTurnsAreCountedFromTheLastAcceptedState) {
  Discs discs;
  const auto angle = discs.system.tracked_link(discs.frames.A, discs.frames.B).angle();
  discs.system.finalize();
  State state = discs.system.make_state();
  for (int third = 1; third <= 9; ++third) {
    turn_second(discs, third * 2 * M_PI / 3, state);
    discs.system.update(state);
    EXPECT_NEAR(discs.system.kinematics().angles[angle], third * 2 * M_PI / 3, 1e-13);
    discs.system.accept(state);
  }
}

TEST(TrackedAngles, AStepOfMoreThanHalfATurnIsObjectedTo) {
  Discs discs;
  discs.system.tracked_link(discs.frames.A, discs.frames.B);
  discs.system.finalize();
  State state = discs.system.make_state();
  discs.system.update(state);
  VectorXd increment = VectorXd::Zero(18);
  const auto rejection = [&](double turned) {
    increment[discs.system.layout().velocity_offset(discs.second) + 5] = turned;
    return discs.system.angles().rejection(discs.system.kinematics(), discs.system.layout(),
                                           increment, state.angles);
  };
  EXPECT_EQ(rejection(2.7), "");
  EXPECT_NEAR(discs.system.angles().largest_turn(discs.system.kinematics(), discs.system.layout(),
                                                 increment),
              2.7, 1e-14);
  EXPECT_THAT(rejection(3.0), HasSubstr("rotates by 0.477 turns relative to"));
}

TEST(Scales, AreThoseOfTheWholeMechanism) {
  Discs discs;
  discs.system.finalize();
  const State state = discs.system.make_state();
  discs.system.update(state);
  EXPECT_DOUBLE_EQ(total_mass(discs.system), 6.0);
  // Three bodies and two frames at (2, 0, 0), whose centre is (1.6, 1.8, 0).
  EXPECT_NEAR(characteristic_length(discs.system), std::hypot(1.6, 7.2), 1e-13);
  const VectorXd weights = increment_weights(discs.system, 4.0);
  EXPECT_THAT(std::vector<double>(weights.data(), weights.data() + 6),
              ElementsAre(0.25, 0.25, 0.25, 1, 1, 1));
  EXPECT_EQ(largest_stiffness(discs.system, 4.0), 0.0);
}

}  // namespace
}  // namespace solidyn::system
