// The linearised equations in relative coordinates: against differences of the accelerations of the
// whole system in absolute ones, in motion, and against what absolute coordinates find at rest.
#include "solidyn/recursive/linearise.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "mechanisms.h"
#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/analyses/modes.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using analyses::MinimalCoordinates;
using bodies::BodyIndex;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::Hinge;
using system::IncrementAxes;
using system::Linearisation;
using system::State;
using testing_support::RandomTree;

constexpr double kSmall = 1e-5, kOfDifferences = 1e-6, kOfStiffDifferences = 1e-5;

// Each column of the state matrix: where positions and velocities are changed by these multiples of
// x and x', the accelerations of absolute coordinates change by what it says.
// @param of_laws  velocities whose rates follow from laws of first order: they change as these say
void expect_accelerations(RandomTree& random, const Linearisation& l, bool has_dependent_rows,
                          const std::vector<int>& of_laws = {}, double allowed = kOfDifferences) {
  const MinimalCoordinates m = analyses::make_minimal_coordinates(l);
  const MatrixXd A = analyses::state_matrix(m);
  const State start = random.state().clone();
  const auto accelerations = [&](const VectorXd& increment, const VectorXd& velocity) {
    random.system().advance(start.q, increment, random.state().q);
    random.state().v = start.v + velocity;
    random.system().update(random.state());
    VectorXd a = random.absolute_accelerations(has_dependent_rows).a;
    const VectorXd given = random.state().v(of_laws);
    random.settle_series_dampers();
    a(of_laws) = random.state().v(of_laws) - given;
    return a;
  };
  for (int i = 0; i < m.n_y() + m.n_u(); ++i) {
    const VectorXd z = VectorXd::Unit(m.n_y() + m.n_u(), i), dz = A * z;
    const VectorXd y = z.head(m.n_y()), u = z.tail(m.n_u()), dy = dz.head(m.n_y());
    const VectorXd x = m.N * y, dx = m.P * u + m.Q * y,
                   ddx = m.P * dz.tail(m.n_u()) + 2.0 * m.dN * dy + m.ddN * y;
    VectorXd expected = l.T * ddx + l.A1 * dx + l.A0 * x;
    expected(of_laws).setZero();
    const VectorXd increment = l.T * x, velocity = l.T * dx + l.V * x;
    const VectorXd found = (accelerations(kSmall * increment, kSmall * velocity) -
                            accelerations(-kSmall * increment, -kSmall * velocity)) /
                           (2.0 * kSmall);
    EXPECT_LT((found - expected).norm(), allowed * (1.0 + expected.norm()))
        << "coordinate " << i << " of " << m.n_y();
  }
}

// The state of a tree in motion, with accelerations and multipliers that belong to it.
State moving_state(RandomTree& random, bool has_dependent_rows = false) {
  random.set_in_motion();
  return random.absolute_accelerations(has_dependent_rows);
}

void expect_linearised(RandomTree& random, bool has_dependent_rows = false,
                       double allowed = kOfDifferences) {
  random.state() = moving_state(random, has_dependent_rows);
  for (const IncrementAxes axes : {IncrementAxes::body, IncrementAxes::world}) {
    SCOPED_TRACE(axes == IncrementAxes::body ? "body" : "world");
    random.system().update(random.state());
    const State state = random.state().clone();
    const Linearisation l = recursive::linearise(random.system(), state, axes);
    EXPECT_EQ(l.has_redundant_rows, has_dependent_rows);
    expect_accelerations(random, l, has_dependent_rows, {}, allowed);
    random.state() = state.clone();
    if (testing::Test::HasFailure()) return;
  }
}

void add_damped_spring(RandomTree& random, BodyIndex first, BodyIndex second) {
  forces::SpringDamper::Options options;
  options.stiffness = 300.0;
  options.damping = 5.0;
  system::add_spring(random.system(), "spring", bodies::Distance(), options,
                     {random.add_frame(first), random.add_frame(second)});
}

class RelativeLinearisationOfAHinge : public testing::TestWithParam<Hinge::Kind> {};

TEST_P(RelativeLinearisationOfAHinge, IsTheDerivativeOfAccelerations) {
  for (const bool is_reversed : {false, true})
    for (const int n_modes : {0, 2}) {
      SCOPED_TRACE(testing::Message() << "reversed " << is_reversed << ", modes " << n_modes);
      RandomTree random(7);
      const BodyIndex base =
          random.add_body(bodies::kGround, Hinge::Kind::revolute, {n_modes, false, false});
      random.add_body(base, GetParam(), {n_modes, is_reversed, false});
      expect_linearised(random);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, RelativeLinearisationOfAHinge,
                         testing::ValuesIn(testing_support::hinge_kinds()), [](const auto& info) {
                           return std::to_string(static_cast<int>(info.param));
                         });

TEST(RelativeLinearisation, IsTheDerivativeOfAccelerationsOnRandomTrees) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    add_damped_spring(random, BodyIndex(0), BodyIndex(random.system().bodies().size() - 1));
    expect_linearised(random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RelativeLinearisation, IsTheDerivativeOfAccelerationsWithVirtualBodies) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_virtual_bodies(random, seed);
    expect_linearised(random);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RelativeLinearisation, IsTheDerivativeOfAccelerationsWithBeams) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_beams(random, seed);
    expect_linearised(random, false, kOfStiffDifferences);
    if (testing::Test::HasFailure()) return;
  }
}

// Their coordinates are one state each: laws of first order hold them.
TEST(RelativeLinearisation, HoldsTheLawsOfForcesWithCoordinates) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    if (seed % 3 == 0) {
      const BodyIndex first(0), last(random.system().bodies().size() - 1);
      const auto A = random.add_frame(first), B = random.add_frame(last);
      system::add_joint(random.system(), "rod", joints::distance_rows(random.position(A, B).norm()),
                        {A, B});
    }
    const int n = random.system().bodies().size();
    random.add_series_damper(BodyIndex(0), BodyIndex(n - 1));
    random.add_series_damper(BodyIndex(n / 2), bodies::kGround);
    random.set_in_motion();
    random.settle_series_dampers();
    random.state() = random.absolute_accelerations();
    random.system().update(random.state());
    const State state = random.state().clone();
    const Linearisation l = recursive::linearise(random.system(), state, IncrementAxes::body);
    const auto m = analyses::make_minimal_coordinates(l);
    EXPECT_EQ(m.n_y() - m.n_u(), 2);
    expect_accelerations(
        random, l, false,
        {random.system().layout().n_velocities() - 2, random.system().layout().n_velocities() - 1});
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RelativeLinearisation, IsTheDerivativeOfAccelerationsWithLoopsAndDrives) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    const int n_modes = seed % 2 == 0 ? 2 : 0;
    const BodyIndex left =
        random.add_body(bodies::kGround, Hinge::Kind::universal, {n_modes, false, false});
    const BodyIndex tip = random.add_body(left, Hinge::Kind::revolute, {});
    const system::FramesOfPair driven{random.frame_A(), random.frame_B()};
    const double angle = random.angle(driven.A, driven.B);
    const BodyIndex right = random.add_body(bodies::kGround, Hinge::Kind::spherical, {});
    const BodyIndex end = random.add_body(right, Hinge::Kind::cylindrical, {n_modes, true, false});
    const auto A = random.add_frame(tip), B = random.add_frame_at(end, A);
    system::add_joint(random.system(), "cut", joints::JointType::spherical, {A, B});
    // Two rows of the second say what the first one does.
    if (seed > 2)
      system::add_joint(random.system(), "again", joints::JointType::point_on_line, {A, B});
    system::add_rotation_drive(
        random.system(), "drive",
        math::TimeFunction::expression(fmt::format("{:.17g} + 0.7*t + t^2", angle)), driven);
    expect_linearised(random, seed > 2);
    if (testing::Test::HasFailure()) return;
  }
}

// Page E08: links of 1 m and 1 kg on hinges about z, hanging.
std::unique_ptr<system::System> hanging_chain(int n) {
  auto chain = std::make_unique<system::System>();
  chain->set_gravity({0, -9.81, 0});
  BodyIndex last = bodies::kGround;
  for (int i = 0; i < n; ++i) {
    bodies::InitialMotion pose;
    pose.p_WB = Vector3d(0, -i - 0.5, 0);
    const BodyIndex link =
        chain->add_body(bodies::make_rigid_body("link", 1.0, Vector3d::Zero(),
                                                Vector3d(1.0 / 12, 1e-3, 1.0 / 12).asDiagonal()),
                        pose);
    system::add_joint(*chain, "hinge", joints::JointType::revolute,
                      system::add_frames(*chain, last, link, Vector3d(0, -i, 0)));
    last = link;
  }
  chain->finalize();
  return chain;
}

TEST(RelativeLinearisation, FindsTheFrequenciesOfHangingChains) {
  // Page E08: circular frequencies, rad/s.
  const std::vector<std::pair<int, std::vector<double>>> pages = {
      {10, {1.19129593, 2.76013762, 4.44153976}}, {100, {0.37660789, 0.86455874, 1.35581821}}};
  for (const auto& [n, expected] : pages) {
    const auto chain = hanging_chain(n);
    const State state = testing_support::start(*chain);
    const Linearisation l = recursive::linearise(*chain, state, IncrementAxes::body);
    ASSERT_EQ(l.M.rows(), n);
    EXPECT_TRUE(l.is_at_rest());
    const auto modes = find_modes(l, analyses::make_minimal_coordinates(l), 3);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(std::abs(modes[i].s), expected[i], 1e-8 * expected[i] + 5e-9) << n << ", " << i;
  }
}

}  // namespace
}  // namespace solidyn
