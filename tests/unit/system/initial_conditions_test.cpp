// Consistent starts: positions, velocities, accelerations; and what cannot be made consistent.
#include "solidyn/system/initial_conditions.h"

#include <gmock/gmock.h>

#include "mechanisms.h"
#include "random_bodies.h"
#include "solidyn/system/scales.h"

namespace solidyn::system {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::JointType;
using testing::HasSubstr;
using testing_support::add_joint;
using testing_support::make_driven_disc;

// A crank and a rod in the x-y plane, drawn at right angles, whose end is tied to the ground at
// (x_end, 0.1); as drawn, it is at (0.5, 1.1).
std::unique_ptr<System> make_two_bar(double x_end) {
  auto system = std::make_unique<System>();
  InitialMotion crank, rod;
  crank.p_WB = Vector3d(0.25, 0.1, 0);
  rod.p_WB = Vector3d(0.5, 0.6, 0);
  system->add_body(bodies::make_rigid_body("crank", 1.0, Vector3d::Zero(), Matrix3d::Identity()),
                   crank);
  system->add_body(bodies::make_rigid_body("rod", 1.0, Vector3d::Zero(), Matrix3d::Identity()),
                   rod);
  add_joint(*system, "main bearing", JointType::revolute, bodies::kGround, {}, bodies::BodyIndex(0),
            crank, Vector3d(0, 0.1, 0));
  add_joint(*system, "crank pin", JointType::revolute, bodies::BodyIndex(0), crank,
            bodies::BodyIndex(1), rod, Vector3d(0.5, 0.1, 0));
  const auto rod_end = system->add_frame(
      testing_support::frame_at(bodies::BodyIndex(1), rod, Vector3d(0.5, 1.1, 0)));
  bodies::Frame pivot;
  pivot.body = bodies::kGround;
  pivot.x_B = Vector3d(x_end, 0.1, 0);
  const auto ground = system->add_frame(pivot);
  const joints::JointRows rows = joints::joint_rows(JointType::spherical);
  system->add_constraint(std::make_unique<joints::Joint>(
      "far bearing", system->link(ground, rod_end), rows.primitives, rows.names));
  system->finalize();
  return system;
}

TEST(AssemblePositions, ClosesALoopThatWasDrawnOpen) {
  const auto system = make_two_bar(1.3);
  State s = system->make_state();
  assemble_positions(*system, s, 1e-13);
  VectorXd r, phi;
  system->update(s);
  system->compute_residual(s, r, phi);
  EXPECT_LT(phi.norm(), 1e-12);
  EXPECT_NEAR(s.q.segment<4>(3).norm(), 1.0, 1e-14);
}

TEST(AssemblePositions, NamesTheJointOfALoopThatCannotClose) {
  const auto system = make_two_bar(2.0);  // the bars reach 1.5 m
  State s = system->make_state();
  try {
    assemble_positions(*system, s, 1e-13);
    FAIL() << "a loop of 1.5 m was closed over 2 m";
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("cannot be assembled"));
    EXPECT_THAT(e.what(), HasSubstr("far bearing (translation along world x)"));
    EXPECT_THAT(e.what(), HasSubstr("check the poses"));
  }
}

// Rigid coordinates alone can close the gap of 1 cm, so the modes stay at zero.
TEST(AssemblePositions, LeavesFlexibleBodiesUndeformedWherePossible) {
  testing_support::MassCloud cloud(10, 3, 4);
  System system;
  InitialMotion motion;
  motion.p_WB = Vector3d(0.01, 0, 0);
  system.add_body(std::make_unique<bodies::ModalBody>(
                      "cloud", cloud.invariants(), cloud.mass_matrix(), cloud.stiffness(2),
                      Eigen::MatrixXd::Zero(3, 3), VectorXd::Ones(3)),
                  motion);
  bodies::Frame ground, on_body;
  on_body.body = bodies::BodyIndex(0);
  on_body.Psi_t = Eigen::Matrix3Xd::Random(3, 3);
  on_body.Psi_r = Eigen::Matrix3Xd::Random(3, 3);
  const auto A = system.add_frame(ground), B = system.add_frame(on_body);
  const joints::JointRows rows = joints::joint_rows(JointType::revolute);
  system.add_constraint(
      std::make_unique<joints::Joint>("pin", system.link(A, B), rows.primitives, rows.names));
  system.finalize();
  State s = system.make_state();
  assemble_positions(system, s, 1e-13);
  EXPECT_LT(s.q.head<3>().norm(), 1e-12);
  EXPECT_EQ(s.q.tail(3), VectorXd::Zero(3));
}

TEST(MakeVelocitiesConsistent, GivesADrivenBodyTheVelocityOfItsDrive) {
  const auto system = make_driven_disc({"150*t + 40*t^2"});
  State s = system->make_state();
  assemble_positions(*system, s, 1e-13);
  make_velocities_consistent(*system, s, 1e-13);
  EXPECT_LT((s.v.head<3>() - Vector3d(0, 30, 0)).norm(), 1e-7);
  EXPECT_LT((s.v.tail<3>() - Vector3d(0, 0, 150)).norm(), 1e-7);
}

// By hand: w = 150, dw = 80; a = dw x p + w x (w x p) at p = (0.2, 0, 0); the drive's torque about
// the bearing is (0.2 + 2 * 0.2^2) 80 = 22.4 N m.
TEST(SolveAccelerations, GivesADrivenBodyItsAccelerationAndTorque) {
  const auto system = make_driven_disc({"150*t + 40*t^2"});
  const State s = testing_support::start(*system);
  EXPECT_LT((s.a.head<3>() - Vector3d(-4500, 16, 0)).norm(), 1e-3);
  EXPECT_LT((s.a.tail<3>() - Vector3d(0, 0, 80)).norm(), 1e-4);
  EXPECT_NEAR(-s.lambda[5], 22.4, 1e-4);
}

TEST(MakeVelocitiesConsistent, NamesDrivesThatContradictEachOther) {
  const auto system = make_driven_disc({"150*t", "160*t"});
  State s = system->make_state();
  assemble_positions(*system, s, 1e-13);  // they agree at t = 0
  try {
    make_velocities_consistent(*system, s, 1e-13);
    FAIL() << "two velocities of one joint were accepted";
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("contradict each other"));
    EXPECT_THAT(e.what(), HasSubstr("drive 1 (driven angle)"));
    EXPECT_THAT(e.what(), HasSubstr("drive 2 (driven angle)"));
    EXPECT_THAT(e.what(), HasSubstr("two drives"));
  }
}

// Half a turn in one go is far for Newton, but no contradiction.
TEST(FindContradiction, FindsNoneWhereTheMotionIsFastOnly) {
  const auto system = make_driven_disc({"150*t"});
  const State s = testing_support::start(*system);
  EXPECT_EQ(find_contradiction(*system, s, M_PI / 150.0, 1e-12), "");
}

TEST(FindContradiction, NamesDrivesThatPart) {
  const auto system = make_driven_disc({"0", "40*t^3"});
  const State s = testing_support::start(*system);
  const std::string found = find_contradiction(*system, s, 0.1, 1e-12);
  EXPECT_THAT(found, HasSubstr("drive 1 (driven angle)"));
  EXPECT_THAT(found, HasSubstr("drive 2 (driven angle)"));
}

TEST(FindRedundancy, NamesTheLaterOfTwoEqualDrives) {
  const auto system = make_driven_disc({"150*t", "150*t"});
  testing_support::start(*system);
  const Redundancy found = find_redundancy(*system, increment_weights(*system, 1.0));
  EXPECT_EQ(found.rank, 6);
  EXPECT_THAT(found.names, testing::ElementsAre("drive 2 (driven angle)"));
}

// Two equal drives share the torque equally: that is the solution of minimum norm.
TEST(SolveAccelerations, SharesTheTorqueBetweenEqualDrives) {
  const auto system = make_driven_disc({"150*t + 40*t^2", "150*t + 40*t^2"});
  const State s = testing_support::start(*system);
  EXPECT_NEAR(-s.lambda[5], 11.2, 1e-4);
  EXPECT_NEAR(-s.lambda[6], 11.2, 1e-4);
}

}  // namespace
}  // namespace solidyn::system
