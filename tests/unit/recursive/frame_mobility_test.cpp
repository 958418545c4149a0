// The inertia that forces on frames feel, by sweeps, against dense matrices and absolute
// coordinates.
#include "solidyn/recursive/frame_mobility.h"

#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"
#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/recursive/composite_bodies.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/system/connect.h"
#include "tree_matrices.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using bodies::FrameIndex;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::Hinge;
using recursive::Tree;
using system::State;
using system::TwistAxes;
using testing_support::random_vector;
using testing_support::RandomTree;

constexpr double kMobilityOfDense = 1e-10;  // of the largest entry, of dense inverses
constexpr double kMobilityOfAbsolute =
    1e-8;  // of the largest entry: its matrix has multipliers too
// Of the largest entry. The sweeps treat both sides alike; a sparse factor of nodes does not, and
// its round-off is that of their stiffest inertias beside the softest ones.
constexpr double kSymmetric = 1e-13, kSymmetricByFactor = 1e-12;

// By the sweeps, at the state of a system.
MatrixXd mobility_by_sweeps(system::System& system, const State& state,
                            const std::vector<FrameIndex>& frames, TwistAxes axes) {
  system.update(state);
  Tree tree(system);
  VectorXd q, u;
  tree.find_coordinates(state, q, u);
  tree.compute_motion(q.data(), u.data());
  return frame_mobility(tree, state.t, frames, axes);
}

MatrixXd mobility_of_saddle_point(system::System& system, const State& state,
                                  const std::vector<FrameIndex>& frames, TwistAxes axes) {
  State there = state.clone();
  const auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  return frame_mobility(system, there, frames, axes, *solver);
}

void expect_same_mobility(const MatrixXd& a, const MatrixXd& b, double tolerance,
                          double symmetric = kSymmetric) {
  ASSERT_EQ(a.rows(), b.rows());
  const double size = b.lpNorm<Eigen::Infinity>();
  EXPECT_GT(size, 0.0);
  EXPECT_LT((a - b).lpNorm<Eigen::Infinity>(), tolerance * size);
  EXPECT_LT((a - a.transpose()).lpNorm<Eigen::Infinity>(), symmetric * size);
}

void expect_mobility_of_absolute(system::System& system, const State& state,
                                 const std::vector<FrameIndex>& frames,
                                 double symmetric = kSymmetric) {
  for (const TwistAxes axes : {TwistAxes::world, TwistAxes::own})
    expect_same_mobility(mobility_by_sweeps(system, state, frames, axes),
                         mobility_of_saddle_point(system, state, frames, axes), kMobilityOfAbsolute,
                         symmetric);
}

class FrameMobility : public testing::TestWithParam<bool> {};

// Several frames: of one body, of bodies on one branch and on others, and of the ground.
TEST_P(FrameMobility, IsThatOfTheMassMatrix) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, GetParam());
    const auto n_bodies = static_cast<unsigned>(random.system().bodies().size());
    std::vector<FrameIndex> frames = {random.add_frame(bodies::kGround)};
    for (int i = 0; i < 4; ++i)
      frames.push_back(
          random.add_frame(BodyIndex(static_cast<int>(random.generator()() % n_bodies))));
    random.set_in_motion();
    system::System& system = random.system();
    Tree tree(system);
    VectorXd q, u;
    tree.find_coordinates(random.state(), q, u);
    State state = random.state().clone();
    const MatrixXd of_bodies = testing_support::jacobian(tree, q, state);
    tree.compute_motion(q.data(), u.data());
    system.update(random.state());
    const MatrixXd M = composite_mass_matrix(tree);
    for (const TwistAxes axes : {TwistAxes::world, TwistAxes::own}) {
      MatrixXd J = MatrixXd::Zero(6 * static_cast<Eigen::Index>(frames.size()), tree.n_speeds());
      for (std::size_t i = 1; i < frames.size(); ++i) {
        const BodyIndex body = system.kinematics().frame_definitions[frames[i]].body;
        const MatrixXd rows = twist_rows(system.kinematics().frames[frames[i]], axes);
        J.middleRows(6 * static_cast<Eigen::Index>(i), 6) =
            rows * of_bodies.middleRows(system.layout().velocity_offset(body), rows.cols());
      }
      const MatrixXd expected = J * M.llt().solve(J.transpose());
      expect_same_mobility(frame_mobility(tree, 0.0, frames, axes), expected, kMobilityOfDense);
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, FrameMobility, testing::Bool(),
                         [](const auto& info) { return info.param ? "Flexible" : "Rigid"; });

TEST(FrameMobilityOfLoops, IsThatOfAbsoluteCoordinates) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_loops(random, seed);
    const std::vector<FrameIndex> frames = {random.add_frame(BodyIndex(0)),
                                            random.add_frame(BodyIndex(4)),
                                            random.add_frame(BodyIndex(9))};
    random.set_in_motion();
    expect_mobility_of_absolute(random.system(), random.state(), frames);
    if (HasFailure()) return;
  }
}

TEST(FrameMobilityOfLoops, IsThatOfAbsoluteCoordinatesWithVirtualBodies) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_virtual_bodies(random, seed);
    const std::vector<FrameIndex> frames = {random.add_frame(BodyIndex(0)),
                                            random.add_frame(BodyIndex(2)),
                                            random.add_frame(BodyIndex(4))};
    random.set_in_motion();
    expect_mobility_of_absolute(random.system(), random.state(), frames);
    if (HasFailure()) return;
  }
}

// Places on nodes, on what beams carry and on what carries them; two nodes of one beam.
TEST(FrameMobilityOfBeams, IsThatOfAbsoluteCoordinates) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_beams(random, seed);
    std::vector<FrameIndex> frames = {random.add_frame(BodyIndex(0))};
    std::vector<BodyIndex> nodes;
    for (const BodyIndex body : random.system().bodies())
      if (const auto* beam = random.system().body(body).as_elements())
        nodes.insert(nodes.end(), beam->nodes().begin(), beam->nodes().end());
    ASSERT_EQ(nodes.size(), 12);
    for (const int node : {1, 3, 6, 7, 9}) frames.push_back(random.add_frame(nodes[node]));
    random.set_in_motion();
    expect_mobility_of_absolute(random.system(), random.state(), frames, kSymmetricByFactor);
    if (HasFailure()) return;
  }
}

// Three rows of each loop depend on others; a place on a crank moves in one way, and turns with it.
TEST(FrameMobilityOfLoops, WithDependentRowsHasOneMotion) {
  const auto bars = testing_support::make_four_bars(3);
  const State state = testing_support::start(*bars);
  const std::vector<FrameIndex> frames = {
      bars->constraint(bodies::ConstraintIndex(1)).as_joint()->frame_A()};
  expect_mobility_of_absolute(*bars, state, frames);
  // Four cranks of 1/3 kg m^2 and three couplers of 1 kg, 1 m from the pivots.
  const MatrixXd mobility = mobility_by_sweeps(*bars, state, frames, TwistAxes::world);
  EXPECT_NEAR(mobility(5, 5), 1.0 / (4.0 / 3.0 + 3.0), 1e-12);
  EXPECT_LT(mobility.middleRows(2, 3).lpNorm<Eigen::Infinity>(), 1e-12);
}

// Drives hold: along a hinge, and as a closure. A place on a driven body alone cannot move.
TEST(FrameMobilityOfDrives, HoldsWhatFollowsLaws) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    using K = Hinge::Kind;
    RandomTree random(seed);
    const auto law = [](double value) {
      return math::TimeFunction::expression(fmt::format("{:.17g}+0.4*sin(2*t)", value));
    };
    const BodyIndex first = random.add_body(bodies::kGround, K::revolute, {0, seed % 2 == 0});
    const double angle = random.angle(random.frame_A(), random.frame_B());
    system::add_joint(random.system(), "angle", joints::rotation_drive_rows(law(angle)),
                      {random.frame_A(), random.frame_B()});
    BodyIndex last = random.add_body(first, K::spherical, {2});
    last = random.add_body(last, K::spherical, {0});
    const auto C = random.add_frame(bodies::kGround), D = random.add_frame(last);
    system::add_joint(random.system(), "winch",
                      joints::distance_drive_rows(law(0.0), joints::Constraint::Level::position,
                                                  random.position(C, D).norm()),
                      {C, D});
    const std::vector<FrameIndex> frames = {random.add_frame(first), random.add_frame(last)};
    random.set_in_motion();
    expect_mobility_of_absolute(random.system(), random.state(), frames);
    const MatrixXd mobility =
        mobility_by_sweeps(random.system(), random.state(), frames, TwistAxes::world);
    EXPECT_LT(mobility.topRows(6).lpNorm<Eigen::Infinity>(), 1e-12);
    // Along the winch the place cannot move either.
    const auto& all = random.system().kinematics().frames;
    const Vector3d along = (all[D].p - all[C].p).normalized();
    const MatrixXd of_winch =
        mobility_by_sweeps(random.system(), random.state(), {D}, TwistAxes::world).topRows<3>();
    EXPECT_LT((along.transpose() * of_winch).norm(), 1e-9 * of_winch.norm());
  }
}

// A force of 1 N, and one of 1 N m, at a place: what accelerations change by, in absolute
// coordinates, is a column of the mobility.
TEST(FrameMobilityOfForces, IsWhatAForceAddsToAccelerations) {
  for (int column = 0; column < 6; ++column) {
    SCOPED_TRACE(column);
    RandomTree random(5), pushed(5);
    std::vector<FrameIndex> frames;
    for (RandomTree* tree : {&random, &pushed}) {
      grow_with_loops(*tree, 5);
      frames = {tree->add_frame(BodyIndex(7)), tree->add_frame(BodyIndex(2))};
    }
    const auto zero = math::TimeFunction::constant(0.0);
    forces::VectorFunction force = {zero, zero, zero}, torque = force;
    (column < 3 ? force : torque)[column % 3] = math::TimeFunction::constant(1.0);
    testing_support::add_load(pushed.system(), "push", frames[0], force, torque);
    const auto accelerations = [&](RandomTree& tree) {
      tree.set_in_motion();
      const State state = tree.absolute_accelerations();
      tree.system().update(state);
      tree.system().update_accelerations();
      VectorXd a(12);
      for (int i = 0; i < 2; ++i) {
        const bodies::FrameMotion& f = tree.system().kinematics().frames[frames[i]];
        a.segment<6>(6 * i) << f.acceleration.head<3>(), f.R * f.acceleration.tail<3>();
      }
      return a;
    };
    const VectorXd change = accelerations(pushed) - accelerations(random);
    const MatrixXd mobility =
        mobility_by_sweeps(random.system(), random.state(), frames, TwistAxes::world);
    EXPECT_LT((change - mobility.col(column)).norm(), 1e-9 * mobility.norm());
  }
}

// Two links in the plane, l = 1 m, thin rods of 1 kg: Lambda of the tip is (J M^-1 J^T)^-1 with
//   M11 = 5/3 + cos b, M12 = 1/3 + cos(b)/2, M22 = 1/3,  J = [-s1 - s12, -s12; c1 + c12, c12].
TEST(FrameMobilityOfAnArm, IsTheTextbooks) {
  const double a = 0.4, b = 1.1;
  system::System system;
  const Eigen::Matrix3d rod = Vector3d(0.0, 1.0 / 12.0, 1.0 / 12.0).asDiagonal();
  std::vector<system::InitialMotion> poses(2);
  const Eigen::AngleAxisd first(a, Vector3d::UnitZ()), second(a + b, Vector3d::UnitZ());
  poses[0].q_WB = first;
  poses[1].q_WB = second;
  poses[1].p_WB = first * Vector3d::UnitX();
  BodyIndex last = bodies::kGround;
  system::InitialMotion last_pose;
  for (const auto& pose : poses) {
    const BodyIndex link =
        system.add_body(bodies::make_rigid_body("link", 1.0, Vector3d(0.5, 0.0, 0.0), rod), pose);
    testing_support::add_joint(system, "pin", joints::JointType::revolute, last, last_pose, link,
                               pose, pose.p_WB);
    last = link;
    last_pose = pose;
  }
  bodies::Frame tip;
  tip.body = last;
  tip.x_B = Vector3d::UnitX();
  const FrameIndex frame = system.add_frame(tip);
  system.finalize();
  const State state = testing_support::start(system);
  Eigen::Matrix2d M, J;
  const double m12 = 1.0 / 3.0 + 0.5 * std::cos(b);
  M << 5.0 / 3.0 + std::cos(b), m12, m12, 1.0 / 3.0;
  J << -std::sin(a) - std::sin(a + b), -std::sin(a + b), std::cos(a) + std::cos(a + b),
      std::cos(a + b);
  const Eigen::Matrix2d expected = J * M.inverse() * J.transpose();
  const MatrixXd mobility = mobility_by_sweeps(system, state, {frame}, TwistAxes::world);
  EXPECT_LT((mobility.topLeftCorner<2, 2>() - expected).norm(), 1e-12);
  EXPECT_LT(mobility.row(2).norm(), 1e-12);
}

TEST(FrameMobilityOfAnArm, NamesAHingeAboutWhichNothingHasInertia) {
  system::System system;
  const BodyIndex point = system.add_body(
      bodies::make_rigid_body("point", 1.0, Vector3d::Zero(), Eigen::Matrix3d::Zero()), {});
  testing_support::add_joint(system, "pin", joints::JointType::revolute, bodies::kGround, {}, point,
                             {}, Vector3d::Zero());
  bodies::Frame frame;
  frame.body = point;
  const FrameIndex there = system.add_frame(frame);
  system.finalize();
  const State state = system.make_state();
  try {
    mobility_by_sweeps(system, state, {there}, TwistAxes::world);
    FAIL() << "nothing was thrown";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(),
                testing::HasSubstr("nothing has inertia about a hinge of the body `point`"));
  }
  EXPECT_THROW(mobility_of_saddle_point(system, state, {there}, TwistAxes::world),
               base::ComputationError);
}

}  // namespace
}  // namespace solidyn
