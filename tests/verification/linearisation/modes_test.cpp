// Frequencies and damping of mechanisms against closed forms.
#include "solidyn/analyses/modes.h"

#include "linear_laws.h"
#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn::analyses {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using joints::JointType;
using system::IncrementAxes;
using system::System;

constexpr double kGravity = 9.81;

std::vector<Mode> modes_of(System& system, const system::State& state, int count,
                           IncrementAxes axes = IncrementAxes::body) {
  const system::Linearisation l = system::linearise(system, state, axes);
  return find_modes(l, make_minimal_coordinates(l), count);
}

std::vector<Mode> modes_of(System& system, int count, IncrementAxes axes = IncrementAxes::body) {
  return modes_of(system, testing_support::start(system), count, axes);
}

bodies::BodyIndex add_body(System& system, double mass, double inertia, const Vector3d& p,
                           const Vector3d& w = Vector3d::Zero()) {
  system::InitialMotion motion;
  motion.p_WB = p;
  motion.w_WB_B = w;
  return system.add_body(
      bodies::make_rigid_body("body", mass, Vector3d::Zero(), inertia * Matrix3d::Identity()),
      motion);
}

bodies::FrameIndex add_frame(System& system, bodies::BodyIndex body, const Vector3d& x) {
  bodies::Frame frame;
  frame.body = body;
  frame.x_B = x;
  return system.add_frame(frame);
}

TEST(ModesOfPendulums, PhysicalPendulumHasItsFrequency) {
  const double m = 2.0, length = 0.7, inertia = 0.3;
  System system;
  system.set_gravity({0, -kGravity, 0});
  const Vector3d p(0, -length, 0);
  add_body(system, m, inertia, p);
  testing_support::add_joint(system, "pin", JointType::revolute, bodies::kGround, {},
                             bodies::BodyIndex(0), {p}, Vector3d::Zero());
  system.finalize();
  const std::vector<Mode> modes = modes_of(system, 5);
  ASSERT_EQ(modes.size(), 1u);
  const double omega = std::sqrt(m * kGravity * length / (inertia + m * length * length));
  EXPECT_NEAR(modes[0].s.imag(), omega, 1e-12 * omega);
  EXPECT_EQ(modes[0].s.real(), 0.0);
}

TEST(ModesOfPendulums, UprightPendulumGrowsAndDecays) {
  const double length = 0.7;
  System system;
  system.set_gravity({0, kGravity, 0});
  const Vector3d p(0, -length, 0);
  add_body(system, 1.0, 0.0, p);
  testing_support::add_joint(system, "pin", JointType::revolute, bodies::kGround, {},
                             bodies::BodyIndex(0), {p}, Vector3d::Zero());
  system.finalize();
  const std::vector<Mode> modes = modes_of(system, 5);
  ASSERT_EQ(modes.size(), 2u);
  const double rate = std::sqrt(kGravity / length);
  for (const Mode& mode : modes) {
    EXPECT_EQ(mode.kind, Mode::Kind::aperiodic);
    EXPECT_NEAR(std::abs(mode.s.real()), rate, 1e-12 * rate);
  }
  EXPECT_NEAR(modes[0].s.real() + modes[1].s.real(), 0.0, 1e-12 * rate);
}

TEST(ModesOfPendulums, DoublePendulumOfTwoPointMasses) {
  System system;
  system.set_gravity({0, -kGravity, 0});
  const Vector3d p1(0, -1, 0), p2(0, -2, 0);
  add_body(system, 1.0, 0.0, p1);
  add_body(system, 1.0, 0.0, p2);
  testing_support::add_joint(system, "upper", JointType::revolute, bodies::kGround, {},
                             bodies::BodyIndex(0), {p1}, Vector3d::Zero());
  testing_support::add_joint(system, "lower", JointType::revolute, bodies::BodyIndex(0), {p1},
                             bodies::BodyIndex(1), {p2}, p1);
  system.finalize();
  const std::vector<Mode> modes = modes_of(system, 5);
  ASSERT_EQ(modes.size(), 2u);
  for (int k : {0, 1}) {
    const double omega = std::sqrt(kGravity * (2.0 + (k == 0 ? -1.0 : 1.0) * std::sqrt(2.0)));
    EXPECT_NEAR(modes[k].s.imag(), omega, 1e-12 * omega);
  }
}

// n masses on a line, with springs and dampers between neighbours and to the ground before the
// first.
std::unique_ptr<System> make_chain(int n, double stiffness, double damping, bool is_held) {
  auto system = std::make_unique<System>();
  for (int i = 0; i < n; ++i) {
    const Vector3d p(i + 1, 0, 0);
    add_body(*system, 1.0, 1.0, p);
    testing_support::add_joint(*system, "guide", JointType::prismatic, bodies::kGround, {},
                               bodies::BodyIndex(i), {p}, p, Vector3d::UnitX());
  }
  bodies::FrameIndex before = add_frame(*system, bodies::kGround, Vector3d::Zero());
  for (int i = 0; i < n; ++i) {
    const auto frame = add_frame(*system, bodies::BodyIndex(i), Vector3d::Zero());
    if (i > 0 || is_held)
      system->add_force(std::make_unique<testing_support::WorldSpring>(
          system->link(before, frame), stiffness, damping, Vector3d::UnitX()));
    before = frame;
  }
  system->finalize();
  return system;
}

TEST(ModesOfChains, HeldChainHasTheSinesOfTextbooks) {
  constexpr int n = 12;
  const auto chain = make_chain(n, 400.0, 0.0, true);
  const std::vector<Mode> modes = modes_of(*chain, n);
  ASSERT_EQ(modes.size(), std::size_t{n});
  for (int k = 0; k < n; ++k) {
    const double omega = 2.0 * 20.0 * std::sin((2 * k + 1) * M_PI / (2.0 * (2 * n + 1)));
    EXPECT_NEAR(modes[k].s.imag(), omega, 1e-11 * omega);
    EXPECT_EQ(modes[k].kind, Mode::Kind::oscillation);
  }
}

TEST(ModesOfChains, FreeChainHasOneRigidMode) {
  constexpr int n = 8;
  const auto chain = make_chain(n, 400.0, 0.0, false);
  const std::vector<Mode> modes = modes_of(*chain, n);
  ASSERT_EQ(modes.size(), std::size_t{n});
  EXPECT_EQ(modes[0].kind, Mode::Kind::rigid);
  for (int k = 1; k < n; ++k) {
    const double omega = 2.0 * 20.0 * std::sin(k * M_PI / (2.0 * n));
    EXPECT_NEAR(modes[k].s.imag(), omega, 1e-11 * omega);
  }
}

TEST(ModesOfChains, LargeChainsBySparseMatricesAgree) {
  constexpr int n = 200, count = 8;
  for (const double damping : {0.0, 2.0}) {
    const auto chain = make_chain(n, 400.0, damping, true);
    const system::State state = testing_support::start(*chain);
    const system::Linearisation l = system::linearise(*chain, state, IncrementAxes::body);
    const std::vector<Mode> modes = find_sparse_modes(l, count);
    ASSERT_EQ(modes.size(), std::size_t{count});
    for (int k = 0; k < count; ++k) {
      const double omega = 2.0 * 20.0 * std::sin((2 * k + 1) * M_PI / (2.0 * (2 * n + 1)));
      EXPECT_NEAR(std::abs(modes[k].s), omega, 1e-9 * omega);
      EXPECT_NEAR(modes[k].damping_ratio(), 0.5 * damping / 400.0 * omega, 1e-9);
    }
  }
  const auto free = make_chain(30, 400.0, 0.0, false);
  const system::State state = testing_support::start(*free);
  const std::vector<Mode> modes =
      find_sparse_modes(system::linearise(*free, state, IncrementAxes::body), 3);
  ASSERT_EQ(modes.size(), 4u);
  EXPECT_EQ(modes[0].kind, Mode::Kind::rigid);
  EXPECT_NEAR(modes[1].s.imag(), 40.0 * std::sin(M_PI / 60.0), 1e-8);
}

TEST(ModesOfChains, FreeBodyHasSixRigidModes) {
  System system;
  add_body(system, 2.0, 0.3, {1, 2, 3});
  system.finalize();
  const std::vector<Mode> modes = modes_of(system, 5);
  ASSERT_EQ(modes.size(), 6u);
  for (const Mode& mode : modes) EXPECT_EQ(mode.kind, Mode::Kind::rigid);
}

TEST(ModesOfChains, DampersProportionalToSpringsGiveTheirRatios) {
  constexpr int n = 6;
  const double beta = 0.004;
  for (const bool is_held : {true, false}) {
    const auto chain = make_chain(n, 400.0, 400.0 * beta, is_held);
    const std::vector<Mode> modes = modes_of(*chain, n);
    ASSERT_EQ(modes.size(), std::size_t{n});
    for (int k = is_held ? 0 : 1; k < n; ++k) {
      const double omega =
          2.0 * 20.0 *
          std::sin(is_held ? (2 * k + 1) * M_PI / (2.0 * (2 * n + 1)) : k * M_PI / (2.0 * n));
      EXPECT_NEAR(std::abs(modes[k].s), omega, 1e-10 * omega);
      EXPECT_NEAR(modes[k].damping_ratio(), 0.5 * beta * omega, 1e-10);
    }
    if (!is_held) {
      EXPECT_EQ(modes[0].kind, Mode::Kind::rigid);
    }
  }
}

// The lowest frequency is not lost beside one ten thousand times higher.
TEST(ModesOfChains, SoftModesAreAccurateBesideStiffOnes) {
  const double stiff = 1e8, soft = 2.0;
  System system;
  for (int i : {0, 1}) {
    const Vector3d p(i + 1, 0, 0);
    add_body(system, 1.0, 1.0, p);
    testing_support::add_joint(system, "guide", JointType::prismatic, bodies::kGround, {},
                               bodies::BodyIndex(i), {p}, p, Vector3d::UnitX());
  }
  const auto ground = add_frame(system, bodies::kGround, Vector3d::Zero());
  const auto first = add_frame(system, bodies::BodyIndex(0), Vector3d::Zero());
  const auto second = add_frame(system, bodies::BodyIndex(1), Vector3d::Zero());
  const Vector3d apart = Vector3d::UnitX();
  system.add_force(
      std::make_unique<testing_support::WorldSpring>(system.link(ground, first), soft, 0.0, apart));
  system.add_force(std::make_unique<testing_support::WorldSpring>(system.link(first, second), stiff,
                                                                  1.0, apart));
  system.finalize();
  const std::vector<Mode> modes = modes_of(system, 2);
  ASSERT_EQ(modes.size(), 2u);
  // omega^2 = s/2 (1 - s/(8 k)); the sum s + k is known to k eps.
  EXPECT_NEAR(modes[0].s.imag(), 1.0, 2e-8);
  EXPECT_NEAR(modes[1].s.imag(), std::sqrt(2.0 * stiff), 1e-7 * std::sqrt(stiff));
  EXPECT_NEAR(modes[1].s.real(), -1.0, 1e-6);
}

// A disc on a spherical joint at its centre, kept upright by an isotropic spring: forward and
// backward whirl are I w^2 -+ I_z Omega w - k = 0, seen from the world; seen from the disc they are
// shifted by the speed.
class Gyroscope : public testing::Test {
 protected:
  static constexpr double kInertia = 0.5, kPolar = 0.8, kStiffness = 300.0, kSpeed = 40.0;
  Gyroscope() {
    system::InitialMotion motion;
    motion.w_WB_B = Vector3d(0, 0, kSpeed);
    system_.add_body(bodies::make_rigid_body("disc", 3.0, Vector3d::Zero(),
                                             Vector3d(kInertia, kInertia, kPolar).asDiagonal()),
                     motion);
    testing_support::add_joint(system_, "centre", JointType::spherical, bodies::kGround, {},
                               bodies::BodyIndex(0), motion, Vector3d::Zero());
    const auto ground = add_frame(system_, bodies::kGround, Vector3d::Zero());
    const auto disc = add_frame(system_, bodies::BodyIndex(0), Vector3d::Zero());
    system_.add_force(
        std::make_unique<testing_support::UprightSpring>(system_.link(ground, disc), kStiffness));
    system_.finalize();
  }
  static double whirl(double sign) {
    const double g = kPolar * kSpeed;
    return (sign * g + std::sqrt(g * g + 4.0 * kInertia * kStiffness)) / (2.0 * kInertia);
  }
  System system_;
};

TEST_F(Gyroscope, WhirlSplitsAsSeenFromTheWorld) {
  const std::vector<Mode> modes = modes_of(system_, 5, IncrementAxes::world);
  ASSERT_EQ(modes.size(), 3u);
  EXPECT_EQ(modes[0].kind, Mode::Kind::rigid);
  EXPECT_NEAR(modes[1].s.imag(), whirl(-1.0), 1e-9);
  EXPECT_NEAR(modes[2].s.imag(), whirl(+1.0), 1e-9);
  EXPECT_NEAR(modes[1].s.real(), 0.0, 1e-9);
}

TEST_F(Gyroscope, TheDiscSeesItShiftedByItsSpeed) {
  const std::vector<Mode> modes = modes_of(system_, 5, IncrementAxes::body);
  ASSERT_EQ(modes.size(), 3u);
  std::vector<double> expected = {whirl(-1.0) + kSpeed, std::abs(whirl(+1.0) - kSpeed)};
  std::sort(expected.begin(), expected.end());
  EXPECT_NEAR(modes[1].s.imag(), expected[0], 1e-9);
  EXPECT_NEAR(modes[2].s.imag(), expected[1], 1e-9);
}

TEST_F(Gyroscope, BothAxesFindSteadyMotion) {
  const system::State state = testing_support::start(system_);
  for (const IncrementAxes axes : {IncrementAxes::body, IncrementAxes::world}) {
    const auto linearise = [&](const system::State& at) {
      return system::linearise(system_, at, axes);
    };
    const system::Linearisation l = linearise(state);
    const MinimalCoordinates m = make_minimal_coordinates(l);
    EXPECT_LT(unsteadiness(system_, state, linearise, l, m, find_modes(l, m, 3)), 1e-6);
  }
}

TEST(Unsteadiness, OfAPendulumOnItsWayIsSeen) {
  const auto pendulum = testing_support::make_simple_pendulum();
  integrators::GeneralizedAlphaOptions options;
  const system::State state = testing_support::run_generalized_alpha(*pendulum, 0.3, 300, options);
  const auto linearise = [&](const system::State& at) {
    return system::linearise(*pendulum, at, IncrementAxes::body);
  };
  const system::Linearisation l = linearise(state);
  const MinimalCoordinates m = make_minimal_coordinates(l);
  EXPECT_GT(unsteadiness(*pendulum, state, linearise, l, m, find_modes(l, m, 3)), 0.1);
}

}  // namespace
}  // namespace solidyn::analyses
