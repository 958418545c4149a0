// Which eigenvalues are zero, and what they leave of the others.
#include <Eigen/Eigenvalues>

#include "linear_laws.h"
#include "mechanisms.h"
#include "solidyn/analyses/modes.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using joints::JointType;
using system::IncrementAxes;
using system::System;
using Kind = Mode::Kind;

int count(const std::vector<Mode>& modes, Kind kind) {
  return static_cast<int>(std::count_if(modes.begin(), modes.end(),
                                        [&](const Mode& mode) { return mode.kind == kind; }));
}

std::vector<Complex> not_zero(const std::vector<Mode>& modes) {
  std::vector<Complex> s;
  for (const Mode& mode : modes)
    if (mode.s != 0.0) s.push_back(mode.s);
  return s;
}

bodies::FrameIndex add_frame(System& system, bodies::BodyIndex body) {
  bodies::Frame frame;
  frame.body = body;
  return system.add_frame(frame);
}

// Masses on a guide, a damper between the first two, a spring from the ground to the third.
struct Guided {
  System system;
  bodies::FrameIndex ground;
  std::vector<bodies::FrameIndex> frames;

  explicit Guided(const std::vector<double>& masses) {
    ground = add_frame(system, bodies::kGround);
    for (std::size_t i = 0; i < masses.size(); ++i) {
      const Vector3d p(static_cast<double>(i), 0, 0);
      system.add_body(
          bodies::make_rigid_body("mass", masses[i], Vector3d::Zero(), Matrix3d::Identity()), {p});
      testing_support::add_joint(system, "guide", JointType::prismatic, bodies::kGround, {},
                                 bodies::BodyIndex(i), {p}, p, Vector3d::UnitX());
      frames.push_back(add_frame(system, bodies::BodyIndex(i)));
    }
  }
  void connect(bodies::FrameIndex A, bodies::FrameIndex B, double stiffness, double damping,
               double apart) {
    system.add_force(std::make_unique<testing_support::WorldSpring>(
        system.link(A, B), stiffness, damping, apart * Vector3d::UnitX()));
  }
  system::Linearisation linearised() {
    system.finalize();
    return system::linearise(system, testing_support::start(system), IncrementAxes::body);
  }
};

std::vector<Mode> dense_modes(const system::Linearisation& l, int n) {
  return find_modes(l, make_minimal_coordinates(l), n);
}

using Finder = std::vector<Mode> (*)(const system::Linearisation&, int);
class ZeroEigenvalues : public testing::TestWithParam<Finder> {};

// s (2 s + 3) = 0
TEST_P(ZeroEigenvalues, AMassWithADamperIsNeutral) {
  Guided g({2.0});
  g.connect(g.ground, g.frames[0], 0.0, 3.0, 0.0);
  const std::vector<Mode> modes = GetParam()(g.linearised(), 5);
  ASSERT_EQ(modes.size(), 2u);
  EXPECT_EQ(modes[0].kind, Kind::neutral);
  EXPECT_EQ(modes[1].kind, Kind::aperiodic);
  EXPECT_NEAR(modes[1].s.real(), -1.5, 1e-12);
}

// Two masses with a damper in between coast together, stay apart as they are put, and come to the
// same speed with c (1/m1 + 1/m2); a third one on a spring does not mind.
TEST_P(ZeroEigenvalues, OfADamperBetweenMassesLeaveTheOthersExact) {
  Guided g({2.0, 1.0, 1.0});
  g.connect(g.frames[0], g.frames[1], 0.0, 3.0, 1.0);
  g.connect(g.ground, g.frames[2], 100.0, 0.0, 2.0);
  const std::vector<Mode> modes = GetParam()(g.linearised(), 5);
  EXPECT_EQ(count(modes, Kind::rigid), 1);
  EXPECT_EQ(count(modes, Kind::neutral), 1);
  const std::vector<Complex> s = not_zero(modes);
  ASSERT_EQ(s.size(), 2u);
  EXPECT_LT(std::abs(s[0] + 4.5), 1e-10);
  EXPECT_LT(std::abs(s[1] - Complex(0, 10)), 1e-10);
}

// A creeping motion, c s + k = 0 but for inertia, far below the oscillations is not taken for zero.
TEST_P(ZeroEigenvalues, ASlowCreepIsNoZero) {
  Guided g({1.0, 1.0});
  g.connect(g.ground, g.frames[0], 1e-3, 1e3, 0.0);
  g.connect(g.ground, g.frames[1], 1e4, 0.0, 1.0);
  const std::vector<Mode> modes = GetParam()(g.linearised(), 5);
  EXPECT_EQ(count(modes, Kind::rigid) + count(modes, Kind::neutral), 0);
  EXPECT_NEAR(modes[0].s.real(), -1e-6, 1e-14);
}

// Free bodies on a chain of equal springs and dampers along all axes: six rigid modes, each other
// frequency three times over.
TEST_P(ZeroEigenvalues, AFreeChainHasItsRigidModesAndAllOfMultipleOnes) {
  constexpr int n = 30, n_wanted = 9;
  const double beta = 0.002;
  for (const double damping : {0.0, beta}) {
    System system;
    for (int i = 0; i < n; ++i)
      system.add_body(bodies::make_rigid_body("mass", 1.0, Vector3d::Zero(), Matrix3d::Identity()),
                      {Vector3d(i, 0, 0)});
    std::vector<bodies::FrameIndex> frames;
    for (int i = 0; i < n; ++i) frames.push_back(add_frame(system, bodies::BodyIndex(i)));
    for (int i = 0; i + 1 < n; ++i)
      system.add_force(std::make_unique<testing_support::WorldSpring>(
          system.link(frames[i], frames[i + 1]), 400.0, damping * 400.0, Vector3d::UnitX()));
    system.finalize();
    const system::Linearisation l =
        system::linearise(system, testing_support::start(system), IncrementAxes::world);
    const std::vector<Mode> modes = GetParam()(l, n_wanted);
    // Three translations together; every body's three rotations are free.
    EXPECT_EQ(count(modes, Kind::rigid), 3 + 3 * n);
    const std::vector<Complex> s = not_zero(modes);
    ASSERT_EQ(s.size(), std::size_t{n_wanted});
    for (int k = 0; k < n_wanted; ++k) {
      const double omega = 40.0 * std::sin((1 + k / 3) * M_PI / (2.0 * n));
      EXPECT_NEAR(std::abs(s[k]), omega, 1e-9 * omega) << k;
      EXPECT_NEAR(-s[k].real(), 0.5 * damping * omega * omega, 1e-8) << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Dense, ZeroEigenvalues, testing::Values(Finder(dense_modes)));
INSTANTIATE_TEST_SUITE_P(Sparse, ZeroEigenvalues, testing::Values(Finder(find_sparse_modes)));

// A disc of radius r, polar inertia C and diametral inertia A that rolls upright with speed v.
// Position, heading and turn about the own axis make chains of zeros of one to three. With lean q
// and turn p, spin W = v/r:
//   (A + m r^2) q'' + (C + m r^2) W p' - m g r q = 0,  A p' = C W q,
// so that A (A + m r^2) w^2 = C (C + m r^2) W^2 - A m g r (Neimark & Fufaev).
class RollingDisc : public testing::TestWithParam<double> {
 protected:
  RollingDisc() {
    system_.set_gravity({0, 0, -kGravity});
    system::InitialMotion motion;
    motion.p_WB = Vector3d(0, 0, kRadius);
    motion.v_WB = Vector3d(GetParam(), 0, 0);
    motion.w_WB_B = Vector3d(0, GetParam() / kRadius, 0);
    system_.add_body(bodies::make_rigid_body("disc", kMass, Vector3d::Zero(),
                                             Vector3d(kAcross, kPolar, kAcross).asDiagonal()),
                     motion);
    const Vector3d z = Vector3d::UnitZ();
    const auto plane =
        system_.add_frame(testing_support::frame_at(bodies::kGround, {}, Vector3d::Zero(), z));
    const auto disc = system_.add_frame(
        testing_support::frame_at(bodies::BodyIndex(0), motion, motion.p_WB, Vector3d::UnitY()));
    const joints::JointRows rows = joints::rolling_rows(kRadius);
    system_.add_constraint(std::make_unique<joints::Joint>("roll", system_.link(plane, disc),
                                                           rows.primitives, rows.names));
    system_.finalize();
  }
  static constexpr double kGravity = 9.81, kRadius = 0.3, kMass = 2.0, kAcross = 0.045,
                          kPolar = 0.09;
  System system_;
};

TEST_P(RollingDisc, HasItsZerosAndOneOscillationOrFall) {
  const double spin = GetParam() / kRadius, inertia = kMass * kRadius * kRadius;
  const double square =
      (kPolar * (kPolar + inertia) * spin * spin - kAcross * kMass * kGravity * kRadius) /
      (kAcross * (kAcross + inertia));
  const system::Linearisation l =
      system::linearise(system_, testing_support::start(system_), IncrementAxes::world);
  const MinimalCoordinates m = make_minimal_coordinates(l);
  ASSERT_EQ(m.n_y() + m.n_u(), 8);
  const std::vector<Mode> modes = find_modes(l, m, 8);
  const std::vector<Complex> s = not_zero(modes);
  // Rolling on and turning on stay; what else is displaced stays where it is. At rest the heading
  // is a displacement too.
  EXPECT_EQ(count(modes, Kind::rigid), 2);
  EXPECT_EQ(count(modes, Kind::neutral), spin == 0.0 ? 2 : 1);
  ASSERT_EQ(s.size(), square > 0.0 ? 1u : 2u);
  const double expected = std::sqrt(std::abs(square));
  if (square > 0.0) {
    EXPECT_LT(std::abs(s[0] - Complex(0.0, expected)), 1e-6 * expected);
  } else {
    EXPECT_NEAR(std::abs(s[0].real()), expected, 1e-6 * expected);
    EXPECT_NEAR(s[0].real() + s[1].real(), 0.0, 1e-6 * expected);
  }
}

// 0.9 m/s is too slow to stay upright.
INSTANTIATE_TEST_SUITE_P(Speeds, RollingDisc, testing::Values(0.0, 0.5, 0.9, 3.0, 30.0));

}  // namespace
}  // namespace solidyn::analyses
