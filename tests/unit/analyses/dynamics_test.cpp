// What the start of a run, and the end of one that cannot go on, tell the user.
#include "solidyn/analyses/dynamics.h"

#include <gmock/gmock.h>

#include "mechanisms.h"
#include "model_runs.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn::analyses {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing_support::make_driven_disc;

std::vector<std::string> warnings_at_start(const std::string& angle) {
  base::clear_logged_warnings();
  const auto system = make_driven_disc({angle});
  Dynamics(*system, {}).start();
  const std::vector<std::string> warnings = base::logged_warnings();
  base::clear_logged_warnings();
  return warnings;
}

// The disc's centre, 0.2 m from the bearing, moves along a chord of 2 * 0.2 m * sin(0.15).
TEST(Start, WarnsWhereADriveMovesTheDrawnMechanism) {
  EXPECT_THAT(warnings_at_start("0.3 + 2*t"),
              ElementsAre(HasSubstr("moved disc by 0.0598 m and 17.2 deg")));
}

TEST(Start, IsSilentWhereTheDrawingIsTheStart) {
  EXPECT_THAT(warnings_at_start("2*t"), IsEmpty());
  EXPECT_THAT(warnings_at_start("1e-8 + 2*t"), IsEmpty());
}

TEST(Start, RefusesAFreeBodyWithoutInertia) {
  system::System system;
  system.add_body(bodies::make_rigid_body("pebble", 1.0, Vector3d::Zero(), Matrix3d::Zero()), {});
  system.finalize();
  try {
    Dynamics(system, {}).start();
    FAIL() << "a point mass was given an angular acceleration";
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("initial accelerations are undefined"));
    EXPECT_THAT(e.what(), HasSubstr("without inertia: pebble"));
    EXPECT_THAT(e.what(), HasSubstr("give each rigid body an `inertia`"));
  }
}

// On a joint that holds it, the same body needs none.
TEST(Start, AcceptsAPointMassThatCannotTurn) {
  const auto pendulum = testing_support::make_simple_pendulum({joints::JointType::revolute});
  EXPECT_NO_THROW(Dynamics(*pendulum, {}).start());
}

std::string failure_of(system::System& system, double step) {
  DynamicsOptions options;
  options.duration = 0.1;
  options.step = step;
  Dynamics dynamics(system, options);
  dynamics.start();
  try {
    while (!dynamics.is_done()) dynamics.advance();
  } catch (const base::ComputationError& e) {
    return e.what();
  }
  return "none";
}

// Positions, velocities and accelerations agree at t = 0, nothing does later.
TEST(Advance, NamesDrivesThatContradictEachOtherLater) {
  for (const double step : {1e-3, 1e-4}) {
    const auto system = make_driven_disc({"0", "40*t^3"});
    const std::string failure = failure_of(*system, step);
    EXPECT_THAT(failure, HasSubstr("contradict each other"));
    EXPECT_THAT(failure, HasSubstr("drive 1 (driven angle)"));
    EXPECT_THAT(failure, HasSubstr("drive 2 (driven angle)"));
    EXPECT_THAT(failure, HasSubstr("t = 0.0"));
  }
}

// At the dead centre the slider may be held: only the second order of the angle moves it.
const std::vector<std::string> kHeldSlider = {
    "joints.hold={type: fixed, between: [ground, slider], at: [0.45, 0, 0]}",
    "joints.drive.angle=1000*t^3", "analyses.dynamics.duration=0.08"};

testing_support::ModelRun run_rigid(std::vector<std::string> overrides) {
  base::clear_logged_warnings();
  return testing_support::run_model(PETSC_COMM_SELF,
                                    "examples/slider_crank/slider_crank_rigid.yaml", overrides);
}

TEST(Advance, NamesAHeldSliderBesideTheDriveOfItsCrank) {
  std::string failure;
  try {
    run_rigid(kHeldSlider);
  } catch (const base::ComputationError& e) {
    failure = e.what();
  }
  EXPECT_THAT(failure, HasSubstr("contradict each other"));
  EXPECT_THAT(failure, HasSubstr("joint hold (translation along world x)"));
  EXPECT_THAT(failure, HasSubstr("driven by: joint drive"));
}

TEST(Advance, NamesThemWithEveryIntegrator) {
  for (const char* integrator : {"bdf", "runge_kutta"}) {
    std::vector<std::string> overrides = kHeldSlider;
    overrides.push_back(std::string("analyses.dynamics.integrator=") + integrator);
    overrides.push_back("formulation=absolute");  // relative coordinates cannot close the loop
    std::string failure;
    try {
      run_rigid(overrides);
    } catch (const base::ComputationError& e) {
      failure = e.what();
    }
    EXPECT_THAT(failure, HasSubstr("contradict each other")) << integrator;
    EXPECT_THAT(failure, HasSubstr("joint hold (translation along world x)")) << integrator;
    EXPECT_THAT(failure, HasSubstr("driven by: joint drive")) << integrator;
  }
  base::clear_logged_warnings();
}

// On accelerations, without projection, the constraints are met in the least-squares sense, and
// nothing fails.
TEST(Observe, WarnsOnceOfConstraintsThatAreNotKept) {
  std::vector<std::string> overrides = kHeldSlider;
  overrides.push_back("analyses.dynamics.integrator=bdf");
  overrides.push_back("analyses.dynamics.baumgarte={alpha: 1, beta: 1}");
  run_rigid(overrides);
  EXPECT_THAT(base::logged_warnings(), testing::Contains(HasSubstr("violated by")).Times(1));
  run_rigid({"analyses.dynamics.integrator=bdf"});
  EXPECT_THAT(base::logged_warnings(), IsEmpty());
  base::clear_logged_warnings();
}

// Some 2000 rad in one step: Newton's failure, not a contradiction.
TEST(Advance, TellsAStepThatIsTooLongFromAContradiction) {
  const auto system = make_driven_disc({"1e8*t^3"});
  const std::string failure = failure_of(*system, 0.02);
  EXPECT_THAT(failure, testing::Not(HasSubstr("contradict")));
}

}  // namespace
}  // namespace solidyn::analyses
