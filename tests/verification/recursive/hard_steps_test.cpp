// Steps that are hard in relative coordinates: drives whose speed jumps, mechanisms far from the
// origin, constraints that contradict each other.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"
#include "random_trees.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::Vector3d;
using integrators::PetscTs;
using integrators::PetscTsOptions;
using integrators::RelativeGeneralizedAlpha;
using system::State;

constexpr double kMass = 1.5, kInertia = 0.1, kArm = 1.0, kToCentre = 0.4;

// An arm on the ground at `place`, and a pendulum on its end; the drive's law turns the arm.
std::unique_ptr<system::System> make_arm(const char* law, const Vector3d& place, bool has_spring) {
  auto arm = std::make_unique<system::System>();
  if (has_spring) arm->set_gravity(Vector3d(0, -9.81, 0));
  const auto body = [&](const char* name, double x) {
    system::InitialMotion pose;
    pose.p_WB = place + Vector3d(x, 0, 0);
    return arm->add_body(
        bodies::make_rigid_body(name, kMass, Vector3d::Zero(),
                                Vector3d(kInertia, kInertia, kInertia).asDiagonal()),
        pose);
  };
  const BodyIndex link = body("arm", 0.5 * kArm), bob = body("bob", kArm + kToCentre);
  const auto pin = system::add_frames(*arm, bodies::kGround, link, place);
  system::add_joint(*arm, "pin", joints::JointType::revolute, pin);
  if (law) system::add_rotation_drive(*arm, "motor", math::TimeFunction::expression(law), pin);
  system::add_joint(*arm, "hinge", joints::JointType::revolute,
                    system::add_frames(*arm, link, bob, place + Vector3d(kArm, 0, 0)));
  if (has_spring) {
    forces::SpringDamper::Options options;
    options.stiffness = 1e4;
    const auto frame = [&](BodyIndex of, const Vector3d& p) {
      return system::add_frame(*arm, of, p);
    };
    system::add_spring(*arm, "spring", bodies::Distance(), options,
                       {frame(bodies::kGround, place + Vector3d(kArm, 1, 0)),
                        frame(bob, place + Vector3d(kArm + kToCentre, 0, 0))});
  }
  arm->finalize();
  return arm;
}

// The pendulum gets its motion through the hinge, about which its angular momentum stays zero:
// m c (L Omega + c w) + J w = 0.
double speed_after(double jump) {
  return -kMass * kToCentre * kArm * jump / (kInertia + kMass * kToCentre * kToCentre);
}

// After a tenth of a millisecond the motion has changed by less than kSoon.
constexpr double kJump = 2.0, kSoon = 2e-3, kDuration = 1e-4;

double speed_of_bob(system::System& arm, const State& state) {
  return state.v[arm.layout().velocity_offset(BodyIndex(1)) + 5];
}

TEST(DriveThatJumps, MovesWhatHangsOnItByItsImpulse) {
  // At the start, at the beginning of a step, and within one.
  for (const char* law : {"2*abs(t)", "max(0, 2*(t - 2e-5))", "max(0, 2*(t - 2.7e-5))"})
    for (const double rho : {0.5, 0.8, 0.95}) {
      SCOPED_TRACE(testing::Message() << law << ", rho " << rho);
      const auto arm = make_arm(law, Vector3d::Zero(), false);
      State state = testing_support::start(*arm);
      integrators::GeneralizedAlphaOptions options;
      options.rho_infinity = rho;
      RelativeGeneralizedAlpha integrator(*arm, options);
      integrator.initialize(state);
      for (int i = 0; i < 10; ++i) {
        integrator.step(state, 0.1 * kDuration);
        arm->accept(state);
      }
      EXPECT_NEAR(speed_of_bob(*arm, state), speed_after(kJump), kSoon);
    }
}

TEST(DriveThatJumps, DoesSoInExplicitStepsToo) {
  const auto arm = make_arm("max(0, 2*(t - 2.7e-5))", Vector3d::Zero(), false);
  PetscTsOptions options;
  options.type = PetscTsOptions::Type::rk;
  options.is_relative = true;
  const State state = testing_support::run_petsc_ts(*arm, kDuration, options);
  EXPECT_NEAR(speed_of_bob(*arm, state), speed_after(kJump), kSoon);
}

// The step after the jump begins with the acceleration of after it.
TEST(DriveThatJumps, InItsAccelerationAloneKeepsOrderTwo) {
  const auto speed = [](int n_steps) {
    const auto arm = make_arm("t < 2^-7 ? 0 : 50*(t - 2^-7)^2", Vector3d::Zero(), false);
    State state = testing_support::start(*arm);
    RelativeGeneralizedAlpha integrator(*arm, {});
    integrator.initialize(state);
    for (int i = 0; i < n_steps; ++i) {
      integrator.step(state, 0.03125 / n_steps);  // 2^-5 s, so that steps end at the jump
      arm->accept(state);
    }
    return speed_of_bob(*arm, state);
  };
  const double exact = speed(1024), coarse = std::abs(speed(16) - exact),
               fine = std::abs(speed(32) - exact);
  EXPECT_GT(coarse, 1e-9);
  EXPECT_LT(fine, 0.3 * coarse);
}

// The first step begins with what the law does after a kink there, not with the differences across
// it: a jump of the speed, of the acceleration, and both.
TEST(DriveThatJumps, AtTheStartKeepsOrderTwo) {
  for (const char* law : {"2*abs(t)", "t < 0 ? 0 : 50*t^2", "t < 0 ? t : 3*t + 20*t^2"}) {
    SCOPED_TRACE(law);
    const auto speed = [&](int n_steps) {
      const auto arm = make_arm(law, Vector3d::Zero(), true);
      State state = testing_support::start(*arm);
      RelativeGeneralizedAlpha integrator(*arm, {});
      integrator.initialize(state);
      for (int i = 0; i < n_steps; ++i) {
        integrator.step(state, 0.04 / n_steps);
        arm->accept(state);
      }
      return speed_of_bob(*arm, state);
    };
    const double limit = (4.0 * speed(160) - speed(80)) / 3.0, error = std::abs(speed(40) - limit);
    EXPECT_LT(std::abs(speed(20) - limit), 5.0 * error);
    EXPECT_GT(std::abs(speed(20) - limit), 3.0 * error);
    PetscTsOptions options;
    options.type = PetscTsOptions::Type::rk;
    options.relative_tolerance = 1e-11;
    options.is_relative = true;
    const auto arm = make_arm(law, Vector3d::Zero(), true);
    const State state = testing_support::run_petsc_ts(*arm, 0.04, options);
    EXPECT_NEAR(limit, speed_of_bob(*arm, state), 0.1 * error);
  }
}

TEST(DriveThatJumps, AtTheStartDoesTheWorkOfItsImpulse) {
  const auto arm = make_arm("2*abs(t)", Vector3d::Zero(), true);
  State state = testing_support::start(*arm);
  RelativeGeneralizedAlpha integrator(*arm, {});
  integrator.initialize(state);
  integrator.step(state, 1e-3);
  ASSERT_TRUE(integrator.corrected_start());
  const double w = speed_after(kJump), v = kArm * kJump + kToCentre * w,
               of_arm = kInertia + kMass * 0.25 * kArm * kArm;
  EXPECT_NEAR(integrator.corrected_start()->kinetic_energy.sum(),
              0.5 * (of_arm * kJump * kJump + kMass * v * v + kInertia * w * w), 1e-6);
  arm->accept(state);
  // Of the speed after the kink: at it the law has none.
  const double power = arm->external_powers(state).sum();
  EXPECT_GT(std::abs(power), 1.0);
  EXPECT_NEAR(integrator.corrected_start()->power.sum(), power, 0.01 * std::abs(power));
  integrator.step(state, 1e-3);
  EXPECT_FALSE(integrator.corrected_start());
}

// Laws without a kink, from steps that resolve them to 160 periods in one: at Gauss' places some
// look like a jump of the speed, those of 85.53 and 254.39 rad in a step among them.
TEST(DriveThatJumps, DoesNotDoSoWhereAStepDoesNotResolveItsLaw) {
  constexpr double kStep = 1e-3;
  struct Law {
    double turn, phase;  // rad in a step
  };
  std::vector<Law> laws = {{85.5279, 1.2163}, {254.39, 1.6102}};
  for (double turn = 0.3; turn < 1000.0; turn *= 1.7)
    for (double phase = 0.1; phase < 6.3; phase += 1.3) laws.push_back({turn, phase});
  for (const Law& law : laws) {
    // Of accelerations that a step can take.
    const double size = 1e-3 / (law.turn * law.turn);
    const std::string text =
        fmt::format("{:.17g}*sin({:.17g}*t+{})", size, law.turn / kStep, law.phase);
    const auto arm = make_arm(text.c_str(), Vector3d::Zero(), false);
    State state = testing_support::start(*arm);
    RelativeGeneralizedAlpha integrator(*arm, {});
    integrator.initialize(state);
    integrator.step(state, kStep);
    EXPECT_FALSE(integrator.corrected_start()) << text;
  }
}

// Springs see places whose round-off increments of hinges cannot fall below.
TEST(FarFromTheOrigin, StepsConvergeAsTheyDoNear) {
  double angle = 0.0;
  for (const double place : {0.0, 1e6}) {
    const auto arm = make_arm(nullptr, Vector3d(place, 0, 0), true);
    State state = testing_support::start(*arm);
    RelativeGeneralizedAlpha integrator(*arm, {});
    integrator.initialize(state);
    for (int i = 0; i < 50; ++i) {
      integrator.step(state, 1e-3);
      arm->accept(state);
    }
    const double y = state.q[arm->layout().configuration_offset(BodyIndex(1)) + 1];
    if (place == 0.0)
      angle = y;
    else
      EXPECT_NEAR(y, angle, 1e-6);
  }
}

TEST(RelativeSteps, NameConstraintsThatContradictEachOther) {
  auto system = std::make_unique<system::System>();
  const auto body = [&](const char* name, const Vector3d& p) {
    system::InitialMotion pose;
    pose.p_WB = p;
    return system->add_body(
        bodies::make_rigid_body(name, 1.0, Vector3d::Zero(), Vector3d(0.1, 0.1, 0.1).asDiagonal()),
        pose);
  };
  const BodyIndex crank = body("crank", Vector3d(0, 0.4, 0)),
                  rod = body("rod", Vector3d(0.5, 0.65, 0)),
                  lever = body("lever", Vector3d(1, 0.25, 0));
  const auto hinge = [&](const char* name, BodyIndex a, BodyIndex b, const Vector3d& p,
                         joints::JointType type) {
    const auto frames = system::add_frames(*system, a, b, p);
    system::add_joint(*system, name, type, frames);
    return frames;
  };
  using joints::JointType;
  const auto left = hinge("left", bodies::kGround, crank, Vector3d::Zero(), JointType::revolute);
  hinge("knee", crank, rod, Vector3d(0, 0.8, 0), JointType::revolute);
  hinge("elbow", rod, lever, Vector3d(1, 0.5, 0), JointType::spherical);
  hinge("right", bodies::kGround, lever, Vector3d(1, 0, 0), JointType::revolute);
  system::add_rotation_drive(*system, "motor", math::TimeFunction::expression("3*t"), left);
  system->finalize();
  State state = testing_support::start(*system);
  RelativeGeneralizedAlpha integrator(*system, {});
  integrator.initialize(state);
  try {
    for (int i = 0; i < 400; ++i) {  // the crank cannot turn beyond its dead centre
      integrator.step(state, 1e-3);
      system->accept(state);
    }
    FAIL() << "nothing was thrown";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("the constraints contradict each other"));
    EXPECT_THAT(e.what(), testing::HasSubstr("driven by: motor"));
    EXPECT_THAT(e.what(), testing::HasSubstr("beyond a dead centre"));
  }
}

// Largest error of multipliers in the first ten steps of a loop in motion, and their size.
std::pair<double, double> error_of_first_multipliers(unsigned seed, int n_parts) {
  using K = joints::Hinge::Kind;
  constexpr double kStep = 2e-3;
  const auto multipliers = [&](int n) {  // at the ends of these steps, of n parts each
    testing_support::RandomTree random(seed);
    BodyIndex last = bodies::kGround;
    for (const K kind : {K::universal, K::spherical, K::cylindrical, K::revolute})
      last = random.add_body(last, kind, {});
    const auto A = random.add_frame(last);
    system::add_joint(random.system(), "cut", joints::JointType::spherical,
                      {random.add_frame_at(bodies::kGround, A), A});
    random.set_in_motion();
    State state = random.state().clone();
    RelativeGeneralizedAlpha integrator(random.system(), {});
    integrator.initialize(state);
    Eigen::MatrixXd all(state.lambda.size(), 10);
    for (int i = 0; i < 10 * n; ++i) {
      integrator.step(state, kStep / n);
      random.system().accept(state);
      integrator.complete(state);
      if (i % n == n - 1) all.col(i / n) = state.lambda;
    }
    return all;
  };
  const Eigen::MatrixXd limit = multipliers(16);
  return {(multipliers(n_parts) - limit).lpNorm<Eigen::Infinity>(),
          limit.lpNorm<Eigen::Infinity>()};
}

// Speeds begin with the error along closures that a step leaves them, as in absolute coordinates;
// without that multipliers swing by order one in the step.
TEST(RelativeSteps, BeginWithMultipliersOfLoopsThatDoNotSwing) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    SCOPED_TRACE(seed);
    const auto [error, size] = error_of_first_multipliers(seed, 1);
    const auto [of_half, unused] = error_of_first_multipliers(seed, 2);
    EXPECT_LT(error, 2e-3 * size);
    EXPECT_GT(error, 3.0 * of_half);
  }
}

}  // namespace
}  // namespace solidyn
