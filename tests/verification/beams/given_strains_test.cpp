// Beams with strains or stresses of their own, and beams some of whose strains are given.
#include <gtest/gtest.h>

#include <cmath>

#include "beam_statics.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::BeamStatics;

const char* const kNoLoad = "loads.q.force=[0, 0, 0]";

BeamStatics beam_with(const std::vector<std::string>& overrides) {
  return BeamStatics("loaded.yaml", overrides);
}

TEST(Prestrain, HeatLengthensWhatIsFreeAndColdPullsWhatIsHeld) {
  const auto warmed = [](const char* kelvin) {
    return "bodies.beam.prestrain={stretch: '1.2e-5*" + std::string(kelvin) + "*t'}";
  };
  const char* const sensor = "sensors.s={type: section_force, body: beam, fraction: 0.3}";
  const BeamStatics free = beam_with({warmed("80"), kNoLoad, sensor});
  EXPECT_NEAR(free.tip_state().p_WB.x(), 1.0 + 9.6e-4, 1e-12);
  EXPECT_LT(reading(free).norm(), 1e-6);
  const BeamStatics held = beam_with(
      {warmed("(-80)"), kNoLoad, sensor, "joints.stop={type: fixed, between: [ground, beam.tip]}"});
  EXPECT_NEAR(reading(held)[0], 9.6e-4 * 1e8, 1e-4);
}

// What it does against a wall is all of the energy, in however many steps.
TEST(Prestrain, OfWhatIsHeldWorksItsEnergy) {
  for (const char* steps : {"1", "5"}) {
    const BeamStatics held = beam_with({"bodies.beam.prestrain={stretch: '-1e-3*t'}", kNoLoad,
                                        "joints.stop={type: fixed, between: [ground, beam.tip]}",
                                        std::string("analyses.statics.load_steps=") + steps});
    EXPECT_NEAR(held.statics->work(), 0.5 * 1e8 * 1e-6, 1e-6) << steps;
  }
}

// Time is the load parameter, and nothing has a velocity.
TEST(Prestrain, IsNotDampedInStatics) {
  const BeamStatics free = beam_with({"bodies.beam.prestrain={stretch: '1e-2*t'}", kNoLoad,
                                      "bodies.beam.damping={rayleigh: {stiffness: 0.01}}"});
  EXPECT_NEAR(free.tip_state().p_WB.x(), 1.01, 1e-10);
}

// Held at both ends it buckles at 4 pi^2 E I/L^2 and then carries no more, but for its shortening.
TEST(Prestrain, HeatBucklesWhatIsHeld) {
  const BeamStatics beam = beam_with({"bodies.beam.prestrain={stretch: '1e-3*t'}",
                                      "sensors.s={type: section_force, body: beam, fraction: 0.3}",
                                      "joints.stop={type: fixed, between: [ground, beam.tip]}",
                                      "bodies.beam.elements=16", "analyses.statics.load_steps=10"});
  const VectorXd force = reading(beam);
  EXPECT_NEAR(force.head<3>().norm(), 4.0 * M_PI * M_PI, 0.02);
}

// A circle has constant curvature, which Magnus's rule integrates exactly but for Simpson's.
TEST(Prestrain, CurvatureRollsABeamUp) {
  const BeamStatics beam = beam_with({"bodies.beam.prestrain={curvature_z: '2*pi*t'}", kNoLoad,
                                      "bodies.beam.elements=16", "analyses.statics.load_steps=20"});
  EXPECT_LT(beam.tip_state().p_WB.norm(), 1e-9);
  EXPECT_LT((beam.tip_state().R_WB - Eigen::Matrix3d::Identity()).norm(), 1e-9);
}

TEST(Prestress, BendsAndTwistsWhatIsFree) {
  // E I = 1 N m^2 and G J = 1.5 N m^2: it turns until its moment is gone.
  const BeamStatics bent = beam_with({"bodies.beam.prestress={bending_z: 0.5}", kNoLoad});
  EXPECT_NEAR(std::asin(bent.tip_state().R_WB(1, 0)), -0.5, 1e-9);
  EXPECT_NEAR(bent.tip_state().p_WB.y(), -(1.0 - std::cos(0.5)) / 0.5, 1e-6);
  const BeamStatics twisted = beam_with({"bodies.beam.prestress={torsion: 0.3}", kNoLoad});
  EXPECT_NEAR(std::asin(twisted.tip_state().R_WB(2, 1)), -0.2, 1e-9);
}

TEST(Prestress, IsCarriedBetweenWalls) {
  const BeamStatics beam =
      beam_with({"bodies.beam.prestress={axial: 70, torsion: 1, bending_y: -2, bending_z: 3}",
                 kNoLoad, "sensors.s={type: section_force, body: beam, fraction: 0.6}",
                 "joints.stop={type: fixed, between: [ground, beam.tip]}"});
  VectorXd expected(6);
  expected << 70, 0, 0, 1, -2, 3;
  EXPECT_LT((reading(beam) - expected).norm(), 1e-6);
}

// Whatever loads it carries, its shape is the arc; the wall has their moment.
// 16 G J/l^2 = 384 N.
TEST(Prestress, BeyondTheLimitOfLobattosRuleIsRefused) {
  const std::string lobatto = "bodies.beam.curvature_rule=lobatto";
  EXPECT_THROW(beam_with({"bodies.beam.prestress={axial: 400}", kNoLoad, lobatto}),
               base::InputError);
  beam_with({"bodies.beam.prestress={axial: 370}", kNoLoad, lobatto});
  beam_with({"bodies.beam.prestress={axial: 400}", kNoLoad});
}

std::string refusal_of(const std::vector<std::string>& overrides) {
  try {
    beam_with(overrides);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "nothing is refused";
}

TEST(Prestress, AndPrestrainTogetherLeaveALength) {
  // E A = 1e8 N: a tension as drawn of half of that is a stretch of -0.5.
  const std::string tension = "bodies.beam.prestress={axial: 5e7}";
  const std::string refused =
      refusal_of({tension, "bodies.beam.prestrain={stretch: '-0.6*t'}", kNoLoad});
  EXPECT_NE(refused.find("prestress and prestrain together stretch element 1 by -1.1 at t = 1 s"),
            std::string::npos)
      << refused;
}

// The orientation of a section tells less than half a turn: section_strain was that of the least
// one.
TEST(DrivenStrains, ThatTurnAnElementByHalfATurnAreRefused) {
  for (const std::string key : {"driven_strains", "prestrain"}) {
    const std::string strain = "bodies.beam." + key + "={curvature_z: '8*t'}";
    const std::string refused = refusal_of({strain, "bodies.beam.elements=2", kNoLoad});
    EXPECT_NE(refused.find("rotate the ends of element 1, 0.5 m long, by 4 rad at t = 1 s"),
              std::string::npos)
        << refused;
    EXPECT_NE(refused.find("use 2 times as many elements"), std::string::npos) << refused;
    const BeamStatics finer = beam_with(
        {strain, "bodies.beam.elements=8", kNoLoad,
         "sensors.s={type: section_strain, body: beam, fraction: 0.3, component: curvature_z}"});
    EXPECT_NEAR(reading(finer)[0], 8.0, 1e-6);
  }
}

TEST(DrivenStrains, GiveTheShapeUnderAnyLoad) {
  const BeamStatics beam = beam_with({"bodies.beam.fixed_strains=[stretch, twist, curvature_y]",
                                      "bodies.beam.driven_strains={curvature_z: '1.5*t'}",
                                      "bodies.beam.elements=16", "loads.q.force=[0, '2*t', '3*t']",
                                      "sensors.s={type: section_force, body: beam, point: root}"});
  const Vector3d tip(std::sin(1.5) / 1.5, (1.0 - std::cos(1.5)) / 1.5, 0.0);
  EXPECT_LT((beam.tip_state().p_WB - tip).norm(), 1e-6);
  // Of loads along the arc: the sum, and its moment about the root at the arc's centre of mass.
  const double x = (1.0 - std::cos(1.5)) / 2.25, y = (1.5 - std::sin(1.5)) / 2.25;
  VectorXd expected(6);
  expected << 0, 2, 3, 3 * y, -3 * x, 2 * x;
  EXPECT_LT((reading(beam) - expected).norm(), 1e-4);
}

TEST(DrivenStrains, FixedStretchIsTheLimitOfStiffBeams) {
  const auto tip = [](const std::vector<std::string>& overrides) {
    const BeamStatics beam("tube.yaml", overrides);
    return Vector3d(beam.tip_state().p_WB);
  };
  const Vector3d fixed =
      tip({"bodies.beam.fixed_strains=[stretch]", "bodies.beam.section.area=5.969e-5"});
  const Vector3d stiff = tip({"bodies.beam.section.area=5.969"});
  const Vector3d soft = tip({"bodies.beam.section.area=5.969e-5"});
  EXPECT_LT((fixed - stiff).norm(), 1e-7);
  EXPECT_GT((soft - stiff).norm(), 1e-6);
}

TEST(DrivenStrains, PrestrainIsTheSameOnBothPaths) {
  const auto tip = [](const std::string& fixed) {
    const BeamStatics beam =
        beam_with({"bodies.beam.torsion=constant", fixed,
                   "bodies.beam.prestrain={curvature_z: '0.8*t', twist: 0.3}",
                   "bodies.beam.prestress={bending_y: 0.4}", "loads.q.force=[0, '2*t', '-1*t']",
                   "analyses.statics.load_steps=4"});
    return Vector3d(beam.tip_state().p_WB);
  };
  // E A = 1e8 N: what stretch does is at most 1e-7.
  EXPECT_LT((tip("bodies.beam.fixed_strains=[stretch]") - tip("title=eliminated")).norm(), 2e-7);
}

}  // namespace
}  // namespace solidyn
