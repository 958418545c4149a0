// What Formulation::automatic means, and why.
#include "solidyn/analyses/formulation_choice.h"

#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/forces/effort.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using analyses::Dynamics;
using analyses::DynamicsOptions;
using analyses::Formulation;
using analyses::FormulationChoice;
using analyses::IntegratorKind;
using bodies::BodyIndex;
using Eigen::Vector3d;
using testing::HasSubstr;

DynamicsOptions automatic(IntegratorKind integrator) {
  DynamicsOptions options;
  options.formulation = Formulation::automatic;
  options.integrator = integrator;
  options.duration = 1.0;
  options.step = 1e-3;
  return options;
}

FormulationChoice choice_of(system::System& system, const DynamicsOptions& options) {
  Dynamics dynamics(system, options);
  dynamics.start();
  return dynamics.formulation();
}

// Links of 1 m and 1 kg on revolute joints that turn as one, the first one with a damper to the
// ground.
std::unique_ptr<system::System> make_links(int n, double damping = 0.0, double rate = 0.0) {
  auto chain = std::make_unique<system::System>();
  chain->set_gravity(Vector3d(0, -9.81, 0));
  for (int i = 0; i < n; ++i) {
    system::InitialMotion pose;
    pose.p_WB = Vector3d(i + 0.5, 0, 0);
    pose.w_WB_B = Vector3d(0, 0, rate);
    pose.v_WB = pose.w_WB_B.cross(pose.p_WB);
    chain->add_body(bodies::make_rigid_body("link", 1.0, Vector3d::Zero(),
                                            Vector3d(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal()),
                    pose);
    system::add_joint(*chain, "joint", joints::JointType::revolute,
                      system::add_frames(*chain, i > 0 ? BodyIndex(i - 1) : bodies::kGround,
                                         BodyIndex(i), Vector3d(i, 0, 0)));
  }
  if (damping > 0.0) {
    forces::SpringDamper::Options damper;
    damper.damping = damping;
    system::add_spring(*chain, "damper", bodies::RotationAngle(), damper,
                       system::add_frames(*chain, bodies::kGround, BodyIndex(0), Vector3d::Zero()));
  }
  chain->finalize();
  return chain;
}

TEST(FormulationChoice, TakesWhatIsAskedFor) {
  for (const Formulation asked : {Formulation::absolute, Formulation::recursive}) {
    DynamicsOptions options = automatic(IntegratorKind::runge_kutta);
    options.formulation = asked;
    EXPECT_EQ(choice_of(*make_links(3), options).formulation, asked);
  }
}

TEST(FormulationChoice, TakesRelativeCoordinatesForExplicitStepsOfAChain) {
  const FormulationChoice choice =
      choice_of(*make_links(10), automatic(IntegratorKind::runge_kutta));
  EXPECT_EQ(choice.formulation, Formulation::recursive);
  EXPECT_THAT(choice.reason, HasSubstr("by counts of operations"));
}

TEST(FormulationChoice, StaysWithAbsoluteCoordinatesWhereOptionsAreForThem) {
  DynamicsOptions options = automatic(IntegratorKind::bathe);
  EXPECT_THAT(choice_of(*make_links(10), options).reason, HasSubstr("the integrator"));
  options = automatic(IntegratorKind::runge_kutta);
  options.baumgarte_alpha = 10.0;
  EXPECT_THAT(choice_of(*make_links(10), options).reason, HasSubstr("`baumgarte`"));
  options = automatic(IntegratorKind::runge_kutta);
  options.preset = solvers::Preset::direct;
  const FormulationChoice choice = choice_of(*make_links(10), options);
  EXPECT_THAT(choice.reason, HasSubstr("`preset: direct`"));
  EXPECT_EQ(choice.formulation, Formulation::absolute);
}

// Bricard's, whose redundant rows absolute coordinates solve more than once; a parallelogram has
// none, and counts are too hopeful of it where it is driven.
TEST(FormulationChoice, CountsDecideForImplicitStepsOfLoopsButDrivenOnes) {
  const DynamicsOptions options = automatic(IntegratorKind::generalized_alpha);
  const FormulationChoice bricard = choice_of(*testing_support::make_bricard(), options);
  EXPECT_EQ(bricard.formulation, Formulation::recursive);
  EXPECT_THAT(bricard.reason, HasSubstr("by counts of operations"));
  const FormulationChoice parallelogram =
      choice_of(*testing_support::make_driven_parallelogram("0.5*t"), options);
  EXPECT_EQ(parallelogram.formulation, Formulation::absolute);
  EXPECT_THAT(parallelogram.reason, HasSubstr("with drives and loops"));
}

// Absolute coordinates begin without the velocities that these take at once, of the start or of the
// weight; where there are none that makes no difference.
TEST(FormulationChoice, StaysWithAbsoluteCoordinatesForFastDampers) {
  const DynamicsOptions options = automatic(IntegratorKind::generalized_alpha);
  EXPECT_THAT(choice_of(*make_links(3, 1e4, 1.0), options).reason, HasSubstr("dampers"));
  EXPECT_THAT(choice_of(*make_links(3, 1e4), options).reason, HasSubstr("dampers"));
  const auto still = make_links(3, 1e4);
  still->set_gravity(Vector3d::Zero());
  EXPECT_THAT(choice_of(*still, options).reason, Not(HasSubstr("dampers")));
  EXPECT_THAT(choice_of(*make_links(3, 1e-3, 1.0), options).reason, Not(HasSubstr("dampers")));
}

// Alone they have the same unknowns in both; on ball joints they are less exact in relative ones.
TEST(FormulationChoice, StaysWithAbsoluteCoordinatesForBodiesThatTurnFreely) {
  const DynamicsOptions options = automatic(IntegratorKind::generalized_alpha);
  for (const bool hangs : {false, true}) {
    system::System system;
    for (int i = 0; i < 3; ++i)
      system.add_body(bodies::make_rigid_body("body", 1.0, Vector3d::Zero(),
                                              Vector3d(0.1, 0.2, 0.3).asDiagonal()),
                      {});
    if (hangs)
      system::add_joint(
          system, "ball", joints::JointType::spherical,
          system::add_frames(system, bodies::kGround, BodyIndex(0), Vector3d(1, 0, 0)));
    system.finalize();
    EXPECT_THAT(choice_of(system, options).reason,
                HasSubstr(hangs ? "turn about all axes" : "hang on no joint"));
  }
}

TEST(FormulationChoice, IsKeptByAMotionThatGoesOn) {
  const DynamicsOptions options = automatic(IntegratorKind::runge_kutta);
  const auto chain = make_links(10);
  Dynamics dynamics(*chain, options);
  dynamics.start();
  dynamics.advance();
  for (const Formulation before : {Formulation::absolute, Formulation::recursive}) {
    Dynamics later(*chain, options);
    later.resume(dynamics.state().clone(), dynamics.steps(), dynamics.monitor(), before);
    EXPECT_EQ(later.formulation().formulation, before);
    EXPECT_THAT(later.formulation().reason, HasSubstr("continues"));
  }
}

// Dampers that were at rest at the start and are at work where a run was stopped.
TEST(FormulationChoice, IsKeptWhereAStartWouldChooseAnother) {
  const DynamicsOptions options = automatic(IntegratorKind::generalized_alpha);
  const auto still = make_links(10, 1e4), moving = make_links(10, 1e4, 1.0);
  for (const auto& chain : {still.get(), moving.get()}) chain->set_gravity(Vector3d::Zero());
  Dynamics dynamics(*still, options);
  dynamics.start();
  ASSERT_EQ(dynamics.formulation().formulation, Formulation::recursive);
  Dynamics other(*moving, options);
  other.start();
  ASSERT_THAT(other.formulation().reason, HasSubstr("dampers"));
  Dynamics later(*moving, options);
  later.resume(other.state().clone(), 1, dynamics.monitor(), Formulation::recursive);
  EXPECT_EQ(later.formulation().formulation, Formulation::recursive);
}

}  // namespace
}  // namespace solidyn
