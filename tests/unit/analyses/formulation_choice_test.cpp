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

// Both begin without the velocities that these take at once.
TEST(FormulationChoice, CountsDecideWithDampersThatAreFasterThanTheStep) {
  const FormulationChoice choice =
      choice_of(*make_links(3, 1e4, 1.0), automatic(IntegratorKind::generalized_alpha));
  EXPECT_EQ(choice.formulation, Formulation::recursive);
  EXPECT_THAT(choice.reason, HasSubstr("by counts of operations"));
}

enum class Hangs { no, on_a_ball, on_a_free_body };

std::unique_ptr<system::System> make_bodies(Hangs hangs) {
  auto made = std::make_unique<system::System>();
  for (int i = 0; i < 3; ++i)
    made->add_body(bodies::make_rigid_body("body", 1.0, Vector3d::Zero(),
                                           Vector3d(0.1, 0.2, 0.3).asDiagonal()),
                   {});
  const BodyIndex carrier = hangs == Hangs::on_a_ball ? bodies::kGround : BodyIndex(1);
  if (hangs != Hangs::no)
    system::add_joint(
        *made, "joint",
        hangs == Hangs::on_a_ball ? joints::JointType::spherical : joints::JointType::revolute,
        system::add_frames(*made, carrier, BodyIndex(0), Vector3d(1, 0, 0)));
  made->finalize();
  return made;
}

// Alone they have the same unknowns in both; what they carry is less exact in relative ones. On
// ball joints both are as exact.
TEST(FormulationChoice, StaysWithAbsoluteCoordinatesForFreeBodies) {
  const DynamicsOptions options = automatic(IntegratorKind::generalized_alpha);
  EXPECT_THAT(choice_of(*make_bodies(Hangs::no), options).reason, HasSubstr("hang on no joint"));
  EXPECT_THAT(choice_of(*make_bodies(Hangs::on_a_free_body), options).reason,
              HasSubstr("free bodies that carry others"));
  EXPECT_THAT(choice_of(*make_bodies(Hangs::on_a_ball), options).reason,
              HasSubstr("by counts of operations"));
}

// A row of links on balls.
TEST(FormulationChoice, TakesRelativeCoordinatesForLinksOnBalls) {
  system::System chain;
  for (int i = 0; i < 3; ++i) {
    system::InitialMotion pose;
    pose.p_WB = Vector3d(i + 0.5, 0, 0);
    chain.add_body(bodies::make_rigid_body("link", 1.0, Vector3d::Zero(),
                                           Vector3d(0.02, 1.0 / 12, 1.0 / 12).asDiagonal()),
                   pose);
    system::add_joint(chain, "ball", joints::JointType::spherical,
                      system::add_frames(chain, i > 0 ? BodyIndex(i - 1) : bodies::kGround,
                                         BodyIndex(i), Vector3d(i, 0, 0)));
  }
  chain.finalize();
  EXPECT_EQ(choice_of(chain, automatic(IntegratorKind::generalized_alpha)).formulation,
            Formulation::recursive);
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

TEST(FormulationChoice, IsKeptWhereAStartWouldChooseAnother) {
  const DynamicsOptions options = automatic(IntegratorKind::generalized_alpha);
  const auto bodies = make_bodies(Hangs::on_a_free_body);
  Dynamics dynamics(*bodies, options);
  dynamics.start();
  ASSERT_EQ(dynamics.formulation().formulation, Formulation::absolute);
  Dynamics later(*bodies, options);
  later.resume(dynamics.state().clone(), 1, dynamics.monitor(), Formulation::recursive);
  EXPECT_EQ(later.formulation().formulation, Formulation::recursive);
}

}  // namespace
}  // namespace solidyn
