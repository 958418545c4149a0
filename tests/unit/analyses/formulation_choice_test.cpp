// What Formulation::automatic means, and why.
#include "solidyn/analyses/formulation_choice.h"

#include <gmock/gmock.h>

#include <regex>

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

// Alone they have the same unknowns in both; with what hangs on them, and on ball joints, both are
// as exact.
TEST(FormulationChoice, CountsDecideWithFreeBodiesThatCarryOthers) {
  const DynamicsOptions options = automatic(IntegratorKind::generalized_alpha);
  EXPECT_THAT(choice_of(*make_bodies(Hangs::no), options).reason, HasSubstr("hang on no joint"));
  EXPECT_THAT(choice_of(*make_bodies(Hangs::on_a_free_body), options).reason,
              HasSubstr("by counts of operations"));
  EXPECT_THAT(choice_of(*make_bodies(Hangs::on_a_ball), options).reason,
              HasSubstr("by counts of operations"));
}

// Links in two rows on a hub that is free, and the same with a soft spring from each link to its
// opposite, all of which border the tree.
std::unique_ptr<system::System> make_free_rows(double stiffness = 0.0) {
  constexpr int kLinks = 8;
  auto rows = std::make_unique<system::System>();
  const auto add_body = [&](double x) {
    system::InitialMotion pose;
    pose.p_WB = Vector3d(x, 0, 0);
    rows->add_body(bodies::make_rigid_body("link", 1.0, Vector3d::Zero(),
                                           Vector3d(0.02, 1.0 / 12, 1.0 / 12).asDiagonal()),
                   pose);
  };
  add_body(0.0);
  for (const int side : {1, -1})
    for (int i = 1; i <= kLinks; ++i) {
      add_body(side * i);
      const int link = static_cast<int>(rows->bodies().size()) - 1;
      system::add_joint(*rows, "joint", joints::JointType::revolute,
                        system::add_frames(*rows, BodyIndex(i == 1 ? 0 : link - 1), BodyIndex(link),
                                           Vector3d(side * (i - 0.5), 0, 0)));
    }
  forces::SpringDamper::Options spring;
  spring.stiffness = stiffness;
  for (int link = 1; stiffness > 0.0 && link <= kLinks; ++link)
    system::add_spring(
        *rows, "spring", bodies::RotationAngle(), spring,
        system::add_frames(*rows, BodyIndex(link), BodyIndex(link + kLinks), Vector3d(link, 1, 0)));
  rows->finalize();
  return rows;
}

// By which the reason says that the chosen formulation is the faster one.
double predicted_ratio(const FormulationChoice& choice) {
  std::smatch found;
  if (!std::regex_search(choice.reason, found, std::regex("take ([0-9.e+]+) times as long"))) {
    ADD_FAILURE() << choice.reason;
    return 0.0;
  }
  return std::stod(found[1]);
}

TEST(FormulationChoice, TakesRelativeCoordinatesForRowsOnAFreeBody) {
  const FormulationChoice choice =
      choice_of(*make_free_rows(), automatic(IntegratorKind::generalized_alpha));
  EXPECT_EQ(choice.formulation, Formulation::recursive) << choice.reason;
  EXPECT_GT(predicted_ratio(choice), 1.5);
}

// Eight springs between distant links, whose new matrices are rare: about as long in both. Without
// what 24 unknowns at the border take in each iteration it would be as without springs.
TEST(FormulationChoice, CountsTheBorderOfForcesBetweenDistantBodies) {
  const FormulationChoice choice =
      choice_of(*make_free_rows(0.1), automatic(IntegratorKind::generalized_alpha));
  EXPECT_EQ(choice.formulation, Formulation::absolute);
  EXPECT_LT(predicted_ratio(choice), 1.5) << choice.reason;
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
  const auto bodies = make_bodies(Hangs::no);
  Dynamics dynamics(*bodies, options);
  dynamics.start();
  ASSERT_EQ(dynamics.formulation().formulation, Formulation::absolute);
  Dynamics later(*bodies, options);
  later.resume(dynamics.state().clone(), 1, dynamics.monitor(), Formulation::recursive);
  EXPECT_EQ(later.formulation().formulation, Formulation::recursive);
}

}  // namespace
}  // namespace solidyn
