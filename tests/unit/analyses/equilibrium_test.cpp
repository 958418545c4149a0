// Equilibria of one body against closed forms: load steps, work, stability, held time.
#include <gmock/gmock.h>

#include <cmath>

#include "analyses/stability.h"
#include "mechanisms.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/connect.h"

namespace solidyn::analyses {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::TimeFunction;
using testing::HasSubstr;

// A pendulum of 2 kg at 0.5 m below its pin about z, with a torsional spring and a horizontal push
// on the bob.
struct Pendulum {
  double gravity = 10.0, stiffness = 0.0;
  std::string push = "0", push_y = "0";
  Vector3d bob = Vector3d(0, -0.5, 0);
  bool is_pinned = true;

  std::unique_ptr<system::System> make() const {
    auto system = std::make_unique<system::System>();
    system::InitialMotion motion;
    motion.p_WB = bob;
    system->set_gravity(Vector3d(0, -gravity, 0));
    const auto body = system->add_body(
        bodies::make_rigid_body("bob", 2.0, Vector3d::Zero(), 0.1 * Matrix3d::Identity()), motion);
    const auto pin = system::add_frames(*system, system::kGround, body, Vector3d::Zero());
    if (is_pinned) system::add_joint(*system, "pin", joints::JointType::revolute, pin);
    forces::SpringDamper::Options options;
    options.stiffness = stiffness;
    if (stiffness > 0.0)
      system::add_spring(*system, "spring", bodies::RotationAngle(), options, pin);
    system::add_load(
        *system, "push", system::add_frame(*system, body, bob),
        {TimeFunction::expression(push), TimeFunction::expression(push_y), TimeFunction()});
    system->finalize();
    return system;
  }
};

double angle_of(const system::State& s) { return std::atan2(s.q[0], -s.q[1]); }

TEST(EquilibriumUnderGrowingLoads, IsThatOfTheForcesAtEachLoadStep) {
  const auto system = Pendulum{10.0, 0.0, "30*t"}.make();
  StaticsOptions options;
  options.load_steps = 8;
  Statics statics(*system, options);
  statics.start();
  EXPECT_NEAR(angle_of(statics.state()), 0.0, 1e-12);
  while (!statics.is_done()) {
    statics.advance();
    EXPECT_NEAR(std::tan(angle_of(statics.state())), 30.0 * statics.state().t / 20.0, 1e-8);
    EXPECT_LT(statics.constraint_violation(), 1e-10);
    EXPECT_TRUE(statics.state().v.isZero(0.0));
  }
  EXPECT_EQ(statics.steps(), 8);
  EXPECT_EQ(statics.state().t, 1.0);
  EXPECT_EQ(statics.statistics().relaxed_equilibria, 0);
}

// Newton's method for both: corrections are squared from one to the next.
TEST(EquilibriumUnderGrowingLoads, IsFoundQuadratically) {
  const auto system = Pendulum{10.0, 3.0, "8*t"}.make();
  StaticsOptions options;
  options.load_steps = 1;
  options.tolerance = 1e-13;
  Statics statics(*system, options);
  statics.start();
  statics.advance();
  const std::vector<double>& c = statics.statistics().corrections;
  ASSERT_GE(c.size(), 3U);
  for (std::size_t i = 1; i < c.size(); ++i)
    if (c[i - 1] < 0.1 && c[i] > 1e-13) {
      EXPECT_LT(c[i], 5.0 * c[i - 1] * c[i - 1]) << i;
    }
}

// W of the load is what springs and weights store, for it grows slowly: by the trapezoidal rule
// over the load steps.
TEST(WorkOfLoads, IsTheEnergyThatTheyStore) {
  std::vector<double> misses;
  for (const int n : {10, 20}) {
    const auto system = Pendulum{10.0, 3.0, "25*t"}.make();
    StaticsOptions options;
    options.load_steps = n;
    Statics statics(*system, options);
    statics.start();
    const auto energy = [&] {
      system->update(statics.state());
      const bodies::Energy e = system->energy(statics.state());
      return e.strain + e.potential;
    };
    const double before = energy();
    while (!statics.is_done()) statics.advance();
    EXPECT_GT(energy() - before, 1.0);
    misses.push_back(std::abs(energy() - before - statics.work()));
    EXPECT_LT(misses.back(), 0.01);
  }
  EXPECT_NEAR(std::log2(misses[0] / misses[1]), 2.0, 0.3);
}

TEST(TimeOfLoads, CanBeHeldAtTheStart) {
  const auto equilibrium = [](LoadTime time, const std::string& push) {
    const auto system = Pendulum{10.0, 0.0, push}.make();
    StaticsOptions options;
    options.time = time;
    Statics statics(*system, options);
    statics.start();
    const bool is_held = statics.is_held();
    while (!statics.is_done()) statics.advance();
    return std::make_tuple(is_held, std::tan(angle_of(statics.state())) * 20.0, statics.state().t);
  };
  const auto [never, last, t_last] = equilibrium(LoadTime::parameter, "5 + 10*t");
  EXPECT_FALSE(never);
  EXPECT_NEAR(last, 15.0, 1e-6);
  EXPECT_EQ(t_last, 1.0);
  const auto [held, first, t_first] = equilibrium(LoadTime::start, "5 + 10*t");
  EXPECT_TRUE(held);
  EXPECT_NEAR(first, 5.0, 1e-6);
  EXPECT_EQ(t_first, 0.0);
  EXPECT_TRUE(std::get<0>(equilibrium(LoadTime::start_if_varying, "5 + 10*t")));
  EXPECT_TRUE(std::get<0>(equilibrium(LoadTime::start_if_varying, "5*cos(6.283185307179586*t)")));
  const auto [varies, same, t_same] = equilibrium(LoadTime::start_if_varying, "5");
  EXPECT_FALSE(varies);
  EXPECT_NEAR(same, 5.0, 1e-6);
  EXPECT_EQ(t_same, 1.0);
}

// Upside down: k - m g l against a turn, which is k/l^2 - m g/l along the bob's way.
class UprightPendulum : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(WithSpring, UprightPendulum, testing::Values(2.0, 9.9, 10.1, 50.0));

TEST_P(UprightPendulum, StandsWhereItsSpringIsStifferThanItsWeight) {
  const double margin = GetParam() - 10.0;  // N m/rad; m g l = 10 N m
  const auto system = Pendulum{10.0, GetParam(), "0", "0", Vector3d(0, 0.5, 0)}.make();
  system::State state = testing_support::start(*system);
  const Stability stability = examine_stability(*system, state);
  EXPECT_EQ(stability.kind, margin > 0 ? Stability::Kind::stable : Stability::Kind::unstable);
  EXPECT_EQ(stability.stiffness > 0.0, margin > 0.0);
  if (margin < 0.0) {
    EXPECT_THAT(stability.description, HasSubstr("bob"));
    EXPECT_GT(std::abs(stability.motion[5]), 0.1);  // turns about z
    EXPECT_NEAR(stability.motion[0], -0.5 * stability.motion[5], 1e-9);
  }

  StaticsOptions options;
  options.method = StaticsMethod::newton;
  options.load_steps = 2;
  Statics statics(*system, options);
  statics.start();
  while (!statics.is_done()) statics.advance();
  EXPECT_EQ(statics.statistics().unstable_equilibria > 0, margin < 0.0);
  EXPECT_EQ(statics.statistics().first_unstable.has_value(), margin < 0.0);
}

// Relaxation ends where it falls to: m g l sin x = k x, on either side.
TEST(RelaxedEquilibrium, IsTheOneThatTheMotionComesToRestIn) {
  for (const double push : {0.02, -0.02}) {
    const auto system = Pendulum{10.0, 4.0, std::to_string(push), "0", Vector3d(0, 0.5, 0)}.make();
    StaticsOptions options;
    options.load_steps = 1;
    Statics statics(*system, options);
    statics.start();
    while (!statics.is_done()) statics.advance();
    const double turn = std::atan2(-statics.state().q[0], statics.state().q[1]);
    EXPECT_GT(-push * turn, 0.0);
    EXPECT_NEAR(10.0 * std::sin(turn) - 0.5 * push * std::cos(turn), 4.0 * turn, 1e-6);
    EXPECT_GT(statics.statistics().relaxed_equilibria, 0);
    EXPECT_EQ(statics.statistics().unstable_equilibria, 0);
  }
}

TEST(FreeMotion, IsNamedWithTheBodyAndTheDirection) {
  Pendulum flying;
  flying.is_pinned = false;
  flying.gravity = 0.0;
  flying.push = "t";
  const auto system = flying.make();
  StaticsOptions options;
  options.method = StaticsMethod::newton;
  Statics statics(*system, options);
  try {
    statics.start();
    while (!statics.is_done()) statics.advance();
    FAIL() << "an equilibrium of a free body";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), HasSubstr("`bob` can move freely along (1, 0, 0)"));
  }
}

TEST(EquilibriumThatIsNot, LeavesTheLastOneThatWas) {
  // A load that is infinite from t = 0.5 on.
  auto system = std::make_unique<system::System>();
  system::InitialMotion motion;
  motion.p_WB = Vector3d(0.3, 0, 0);
  const auto body = system->add_body(
      bodies::make_rigid_body("slider", 1.0, Vector3d::Zero(), Matrix3d::Identity()), motion);
  const auto guide =
      system::add_frames(*system, system::kGround, body, motion.p_WB, Vector3d::UnitX());
  system::add_joint(*system, "guide", joints::JointType::prismatic, guide);
  forces::SpringDamper::Options options;
  options.stiffness = 100.0;
  system::add_spring(*system, "spring", bodies::PointAlongFrameAxis(Vector3d::UnitZ()), options,
                     guide);
  system::add_load(*system, "pull", guide.B,
                   {TimeFunction::expression("t < 0.5 ? 10*t : 5 + 1e300*(t - 0.5)*1e300"),
                    TimeFunction(), TimeFunction()});
  system->finalize();
  StaticsOptions o;
  o.load_steps = 4;
  o.method = StaticsMethod::newton;
  o.smallest_step = 1e-3;
  Statics statics(*system, o);
  statics.start();
  EXPECT_THROW(
      {
        while (!statics.is_done()) statics.advance();
      },
      base::ComputationError);
  EXPECT_GE(statics.state().t, 0.49);
  EXPECT_LE(statics.state().t, 0.5);
  EXPECT_NEAR(statics.state().q[0], 0.3 + 0.1 * statics.state().t, 1e-9);
}

}  // namespace
}  // namespace solidyn::analyses
