// What finding a start is made of: least squares of sparse matrices, which constraints are
// violated, the motions that a mechanism may make, bodies that must stay together, and multipliers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>
#include <random>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/math/dense.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "solidyn/system/connect.h"
#include "solidyn/system/multipliers.h"
#include "solidyn/system/scales.h"
#include "system/mobility.h"
#include "system/rigid_groups.h"
#include "system/sparse_qr.h"
#include "system/violation.h"

namespace solidyn::system {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MatrixXd random_matrix(int rows, int cols, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  MatrixXd A(rows, cols);
  for (Eigen::Index i = 0; i < A.size(); ++i) A.data()[i] = normal(generator);
  return A;
}

// ---- least squares and dependent columns

TEST(DampedSolution, OfARegularMatrixSolvesIt) {
  const MatrixXd B = random_matrix(7, 7, 1);
  const VectorXd x = random_matrix(7, 1, 2);
  EXPECT_LT((damped_solution(B.sparseView(), B * x, 1e-9) - x).norm(), 1e-7);
}

// Rank 3 of 6 x 5: the shortest of all that come as near as possible.
TEST(DampedSolution, OfADeficientMatrixIsTheShortestLeastSquares) {
  const MatrixXd B = random_matrix(6, 3, 3) * random_matrix(3, 5, 4);
  const VectorXd b = random_matrix(6, 1, 5);
  const VectorXd x = damped_solution(B.sparseView(), b, 1e-5 * B.norm());
  EXPECT_LT((x - math::LeastSquares(B).solve(b)).norm(), 1e-5);
  EXPECT_LT((B.transpose() * (B * x - b)).norm(), 1e-5);
}

TEST(DampedSolution, DampingShortensIt) {
  const MatrixXd B = random_matrix(4, 4, 6);
  const VectorXd b = random_matrix(4, 1, 7);
  constexpr double damping = 0.7;
  const MatrixXd normal = B.transpose() * B + damping * damping * MatrixXd::Identity(4, 4);
  EXPECT_LT((damped_solution(B.sparseView(), b, damping) -
             math::LuFactor(normal).solve(VectorXd(B.transpose() * b)))
                .norm(),
            1e-12);
  EXPECT_LT(damped_solution(B.sparseView(), b, 1e6).norm(), 1e-5);
}

TEST(DependentColumns, AreThoseThatFollowFromTheColumnsBefore) {
  MatrixXd A(6, 7);
  const MatrixXd base = random_matrix(6, 3, 8);
  A << base.col(0), base.col(1), base.col(0) + 2.0 * base.col(1), base.col(2), VectorXd::Zero(6),
      3.0 * base.col(2), random_matrix(6, 1, 9);
  EXPECT_THAT(dependent_columns(A.sparseView(), 1e-10), ElementsAre(2, 4, 5));
}

// Columns are measured by themselves: those of other units are as good.
TEST(DependentColumns, SizesDoNotMatter) {
  MatrixXd A = random_matrix(8, 5, 10);
  A.col(1) *= 1e-9;
  A.col(3) *= 1e7;
  EXPECT_THAT(dependent_columns(A.sparseView(), 1e-8), IsEmpty());
  A.col(4) = A.col(1) + 1e-17 * A.col(3);
  EXPECT_THAT(dependent_columns(A.sparseView(), 1e-6), ElementsAre(4));
}

TEST(DependentColumns, NearlyDependentOnesAreToldByTheThreshold) {
  MatrixXd A = random_matrix(6, 3, 11);
  A.col(2) = A.col(0) + 1e-5 * A.col(1);  // depends
  EXPECT_THAT(dependent_columns(A.sparseView(), 1e-9), ElementsAre(2));
  A.col(2) = A.col(0) + 1e-5 * random_matrix(6, 1, 12);
  EXPECT_THAT(dependent_columns(A.sparseView(), 1e-9), IsEmpty());
  EXPECT_THAT(dependent_columns(A.sparseView(), 1e-3), ElementsAre(2));
}

// More columns than rows: all beyond the rank depend.
TEST(DependentColumns, OfAWideMatrixAreAllBeyondItsRank) {
  EXPECT_THAT(dependent_columns(random_matrix(3, 6, 13).sparseView(), 1e-10), ElementsAre(3, 4, 5));
}

// ---- what is violated

TEST(Violations, NameTheWorstRowsAndConstraints) {
  const auto disc = testing_support::make_driven_disc({"2*t", "3*t"});
  VectorXd residual = VectorXd::Zero(disc->layout().n_constraints());
  ASSERT_EQ(residual.size(), 7);
  residual[1] = -0.5, residual[5] = 0.2, residual[6] = 1e-5;
  const std::string rows = worst_rows(*disc, residual);
  EXPECT_THAT(rows, HasSubstr(disc->layout().multiplier_name(1) + " by 0.5, " +
                              disc->layout().multiplier_name(5) + " by 0.2"));
  EXPECT_THAT(rows, testing::Not(HasSubstr("drive 2")));  // less than a thousandth of the worst
  EXPECT_EQ(worst_constraints(*disc, residual), "bearing, drive 1 (driven)");
  EXPECT_EQ(driven_by(*disc), "; driven by: drive 1, drive 2");
  let_drives_go(*disc, residual);
  EXPECT_THAT(std::vector<double>(residual.data(), residual.data() + 7),
              ElementsAre(0, -0.5, 0, 0, 0, 0, 0));
}

TEST(Violations, OfAMechanismWithoutDrivesNameNone) {
  const auto pendulum = testing_support::make_simple_pendulum();
  EXPECT_EQ(driven_by(*pendulum), "");
  VectorXd residual = VectorXd::Ones(5);
  let_drives_go(*pendulum, residual);
  EXPECT_EQ(residual, VectorXd::Ones(5));
}

TEST(Violations, RowsHaveTheSizeOfTheirWeightedEntries) {
  const auto disc = testing_support::make_driven_disc({"2*t"});
  State state = disc->make_state();
  disc->update(state);
  VectorXd phi;
  disc->compute_constraints(state, phi);
  const VectorXd weights = increment_weights(*disc, 2.0);
  const VectorXd scales = row_scales(*disc, weights);
  const MatrixXd G = disc->sparse_G();
  for (int i = 0; i < G.rows(); ++i)
    EXPECT_NEAR(scales[i] * (G.row(i).transpose().cwiseQuotient(weights)).norm(), 1.0, 1e-12) << i;
}

TEST(Violations, PositionsAreKnownToTheRoundOffOfTheLargest) {
  State state;
  EXPECT_EQ(position_roundoff(state), 0.0);
  state.q = VectorXd::Constant(3, -1e6);
  EXPECT_GT(position_roundoff(state), 1e-10);
  EXPECT_LT(position_roundoff(state), 1e-8);
}

// ---- motions of a mechanism

TEST(MobilityOfBodies, AUnitStepIsALengthOrARadian) {
  const auto disc = testing_support::make_driven_disc({"2*t"});
  State state = disc->make_state();
  disc->update(state);
  constexpr double length = 3.0;
  const Mobility mobility(*disc, state, length, Mobility::Flexible::stay);
  const MatrixXd directions = mobility.directions();
  ASSERT_EQ(directions.rows(), 6);
  ASSERT_EQ(directions.cols(), 6);
  VectorXd diagonal(6);
  diagonal << length, length, length, 1, 1, 1;
  EXPECT_LT((directions - MatrixXd(diagonal.asDiagonal())).norm(), 1e-14);
}

TEST(MobilityOfBodies, MovesPositionsAndVelocitiesByTheSameStep) {
  const auto disc = testing_support::make_driven_disc({"2*t"});
  State state = disc->make_state();
  disc->update(state);
  const Mobility mobility(*disc, state, 2.0, Mobility::Flexible::stay);
  VectorXd step(6);
  step << 0.1, -0.2, 0.3, 0.0, 0.0, 0.4;
  State moved = state.clone();
  mobility.move(*disc, moved, step);
  EXPECT_LT((moved.q.head<3>() - state.q.head<3>() - 2.0 * step.head<3>()).norm(), 1e-14);
  EXPECT_NEAR(moved.q[3], std::cos(0.2), 1e-14);
  EXPECT_NEAR(moved.q[6], std::sin(0.2), 1e-14);
  mobility.add_velocities(*disc, moved, step);
  EXPECT_LT((moved.v - state.v - mobility.directions() * step).norm(), 1e-14);
}

/// A free beam of three nodes beside a rigid body.
std::unique_ptr<model::BuiltModel> beam_and_body() {
  const char* const text = R"(solidyn: 1
bodies:
  box: {type: rigid, mass: 1, inertia: [1, 1, 1], pose: {position: [0, 0, 5]}}
  mast: {type: beam, points: {foot: [0, 0, 0], top: [0, 1, 0]}, elements: 2, material: steel, section: {type: circle, radius: 0.02}}
materials: {steel: {youngs_modulus: 2e11, poissons_ratio: 0.3, density: 7850}}
analyses:
  - dynamics: {duration: 1, step: 1e-3}
)";
  return model::build(PETSC_COMM_SELF, model::parse_model(text, "model.yaml", "."), {});
}

double strain_energy(System& system, const State& state) {
  system.update(state);
  return system.energy(state).strain;
}

// Deforming a beam would cost energy that a start must not bring in.
TEST(MobilityOfConnectedBodies, MovesThemAsOneAndStrainsNothing) {
  const auto built = beam_and_body();
  System& system = built->system;
  State state = system.make_state();
  system.update(state);
  ASSERT_EQ(system.connectivity().rigid_groups().size(), 1u);
  const Mobility mobility(system, state, 1.0, Mobility::Flexible::stay);
  const int n_v = system.layout().n_velocities();
  ASSERT_EQ(mobility.directions().cols(), n_v + 6);
  VectorXd step = VectorXd::Zero(n_v + 6);
  step.tail(6) << 0.3, -0.2, 0.5, 0.7, -1.1, 0.4;  // finite rotations
  State moved = state.clone();
  mobility.move(system, moved, step);
  EXPECT_LT(strain_energy(system, moved), 1e-12);
  // The body that nothing connects stays.
  EXPECT_EQ(moved.q.head<7>(), state.q.head<7>());
  // Nodes have gone, and have turned.
  const auto nodes = built->bodies[1].nodes;
  const auto node = [&](const State& s, int i) -> Vector3d {
    return s.q.segment<3>(system.layout().configuration_offset(nodes[i]));
  };
  EXPECT_NEAR((node(moved, 0) - node(moved, 2)).norm(), 1.0, 1e-14);
  EXPECT_GT((node(moved, 0) - node(state, 0)).norm(), 0.3);
}

TEST(MobilityOfConnectedBodies, ThatMayDeformMovesEachByItself) {
  const auto built = beam_and_body();
  System& system = built->system;
  State state = system.make_state();
  system.update(state);
  const Mobility mobility(system, state, 1.0, Mobility::Flexible::deform);
  VectorXd step = VectorXd::Zero(mobility.directions().cols());
  step[system.layout().velocity_offset(built->bodies[1].nodes[1])] = 0.01;
  State moved = state.clone();
  mobility.move(system, moved, step);
  EXPECT_GT(strain_energy(system, moved), 1.0);
}

TEST(RigidGroups, VelocitiesThatDeformThemAreTakenAway) {
  const auto built = beam_and_body();
  System& system = built->system;
  State state = system.make_state();
  system.update(state);
  const auto nodes = built->bodies[1].nodes;
  const auto velocity = [&](const VectorXd& v, int i) -> Vector3d {
    return v.segment<3>(system.layout().velocity_offset(nodes[i]));
  };
  std::mt19937 generator(3);
  VectorXd v(system.layout().n_velocities());
  for (double& x : v) x = std::normal_distribution<double>()(generator);
  const VectorXd given = v;
  EXPECT_GT(stop_deforming(system, 1.0, v), 0.1);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) {
      const Vector3d d = state.q.segment<3>(system.layout().configuration_offset(nodes[i])) -
                         state.q.segment<3>(system.layout().configuration_offset(nodes[j]));
      EXPECT_NEAR(d.dot(velocity(v, i) - velocity(v, j)), 0.0, 1e-13) << i << j;
    }
  EXPECT_EQ(v.head<6>(), given.head<6>());  // the other body's
  VectorXd again = v;
  EXPECT_LT(stop_deforming(system, 1.0, again), 1e-13);
  EXPECT_LT((again - v).norm(), 1e-13);
}

TEST(RigidGroups, VelocitiesOfTheirDirectionsAreRatesOfTheirMotions) {
  const auto built = beam_and_body();
  System& system = built->system;
  State state = system.make_state();
  system.update(state);
  constexpr double length = 0.5, h = 1e-6;
  VectorXd motions(6);
  motions << 0.3, -0.2, 0.5, 0.7, -1.1, 0.4;
  VectorXd v = VectorXd::Zero(system.layout().n_velocities());
  add_rigid_group_velocities(system, length, motions, v);
  VectorXd after = state.q, before = state.q, expected;
  move_rigid_groups(system, length, h * motions, after);
  move_rigid_groups(system, length, -h * motions, before);
  system.advance(state.q, h * v, expected);
  EXPECT_LT((after - expected).norm(), 1e-11);
  system.advance(state.q, -h * v, expected);
  EXPECT_LT((before - expected).norm(), 1e-11);
}

// ---- multipliers

/// 1 kg that hangs 1 m below joints at the origin.
struct Hanging {
  System system;
  State state;
  explicit Hanging(int n_joints) {
    system.set_gravity({0, -9.81, 0});
    InitialMotion motion;
    motion.p_WB = {0, -1, 0};
    const auto bob = system.add_body(
        bodies::make_rigid_body("bob", 1.0, Vector3d::Zero(), Matrix3d::Identity()), motion);
    for (int i = 0; i < n_joints; ++i)
      add_joint(system, "pin", joints::JointType::spherical,
                add_frames(system, kGround, bob, Vector3d::Zero()));
    system.finalize();
    state = system.make_state();
  }
};

TEST(EstimatedMultipliers, CarryWhatHangsFromThem) {
  Hanging one(1);
  estimate_multipliers(one.system, one.state);
  VectorXd r, phi;
  one.system.compute_residual(one.state, r, phi);
  EXPECT_LT(r.norm(), 1e-6);
  EXPECT_NEAR(one.state.lambda.norm(), 9.81, 1e-6);
}

// Of those that balance, the shortest: two joints at one place share the weight.
TEST(EstimatedMultipliers, OfRedundantJointsAreShared) {
  Hanging two(2);
  estimate_multipliers(two.system, two.state);
  EXPECT_NEAR(two.state.lambda.head<3>().norm(), 0.5 * 9.81, 1e-5);
  EXPECT_LT((two.state.lambda.head<3>() - two.state.lambda.tail<3>()).norm(), 1e-5);
}

// A pendulum out of its equilibrium: along the rod joints carry what they can, across it nothing
// does.
TEST(EstimatedMultipliers, LeaveWhatNoConstraintCanCarry) {
  const auto pendulum = testing_support::make_simple_pendulum();  // horizontal
  State state = pendulum->make_state();
  estimate_multipliers(*pendulum, state);
  EXPECT_LT(state.lambda.head<3>().norm(), 9.81);
  VectorXd r, phi;
  pendulum->compute_residual(state, r, phi);
  VectorXd arms = increment_weights(*pendulum, characteristic_length(*pendulum)).cwiseInverse();
  const MatrixXd G = pendulum->sparse_G();
  EXPECT_LT((G * arms.cwiseAbs2().asDiagonal() * r).norm(), 1e-6);  // least squares
  EXPECT_GT(r.norm(), 1.0);
}

TEST(EstimatedMultipliers, OfAFreeBodyAreNone) {
  System system;
  system.add_body(bodies::make_rigid_body("free", 1.0, Vector3d::Zero(), Matrix3d::Identity()), {});
  system.finalize();
  State state = system.make_state();
  estimate_multipliers(system, state);
  EXPECT_EQ(state.lambda.size(), 0);
}

}  // namespace
}  // namespace solidyn::system
