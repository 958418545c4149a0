// What sensors of a beam's sections read, where statics alone says it.
#include <gtest/gtest.h>

#include <cmath>

#include "beam_statics.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::BeamStatics;

// Of loads that turn the beam by less than 1e-3: what is of second order.
constexpr double kSmall = 1e-6;

constexpr double kRoundOff = 1e-7;  // N, of stretch with E A = 1e8 N

const char* const kNoLine = "loads.q.force=[0, 0, 0]";

BeamStatics cantilever(const std::string& sensor, std::vector<std::string> overrides = {}) {
  overrides.push_back("sensors.s=" + sensor);
  return BeamStatics("loaded.yaml", overrides);
}

// Under a dead wrench at the tip, whatever the deflection: the force everywhere, and its moment.
TEST(SectionForces, CarryTheWrenchAtTheTip) {
  const std::string tip =
      "{type: force, at: beam.tip, force: ['0.7*t', '-1.1*t', '0.5*t'], torque: ['0.2*t', '0.3*t', '-0.4*t']}";
  for (const char* place : {"point: root", "point: middle", "point: middle, side: before",
                            "point: tip", "fraction: 0.5", "fraction: 1"}) {
    const BeamStatics beam =
        cantilever("{type: section_force, body: beam, " + std::string(place) + "}",
                   {"loads.tip=" + tip, kNoLine, "analyses.statics.load_steps=4"});
    const bool is_root = std::string(place) == "point: root";
    const bool is_tip = std::string(place) == "point: tip" || std::string(place) == "fraction: 1";
    const auto& nodes = beam.built->bodies[0].nodes;
    const auto& bodies = beam.built->system.kinematics().bodies;
    const bodies::BodyState& here = bodies[nodes[is_root ? 0 : is_tip ? 4 : 2]];
    const Vector3d force(0.7, -1.1, 0.5), arm = bodies[nodes[4]].p_WB - here.p_WB;
    const Vector3d moment = Vector3d(0.2, 0.3, -0.4) + arm.cross(force);
    EXPECT_GT(bodies[nodes[4]].p_WB.y(), -0.9);  // far from straight
    EXPECT_LT(bodies[nodes[4]].p_WB.y(), -0.2);
    const VectorXd found = reading(beam);
    EXPECT_LT((found.head<3>() - here.R_WB.transpose() * force).norm(), kRoundOff) << place;
    EXPECT_LT((found.tail<3>() - here.R_WB.transpose() * moment).norm(), kRoundOff) << place;
  }
}

struct Place {
  double fraction;
  int elements;
};
class UnderAUniformLoad : public testing::TestWithParam<Place> {};
INSTANTIATE_TEST_SUITE_P(SectionForces, UnderAUniformLoad,
                         testing::Values(Place{0.0, 1}, Place{0.3, 1}, Place{0.3, 4},
                                         Place{0.25, 4}, Place{0.9, 3}, Place{1.0, 2}));

// q (L - s), q (L - s)^2/2, and torque and tension that grow the same way.
TEST_P(UnderAUniformLoad, ForcesAreExactBetweenNodesToo) {
  const double left = 1.0 - GetParam().fraction;
  const BeamStatics beam = cantilever(
      "{type: section_force, body: beam, fraction: " + std::to_string(GetParam().fraction) + "}",
      {"loads.q.force=['2e-4*t', '1e-4*t', '-3e-4*t']", "loads.q.torque=['5e-4*t', 0, 0]",
       "bodies.beam.points={root: [0, 0, 0], tip: [1, 0, 0]}",
       "bodies.beam.elements=" + std::to_string(GetParam().elements)});
  VectorXd expected(6);
  expected << 2e-4 * left, 1e-4 * left, -3e-4 * left, 5e-4 * left, 1.5e-4 * left * left,
      0.5e-4 * left * left;
  EXPECT_LT((reading(beam) - expected).norm(), 3e-4 * expected.head<3>().norm() + kSmall * 0.1);
}

TEST(SectionForces, JumpAtALoad) {
  const auto shear = [](const char* side) {
    return reading(cantilever(
        "{type: section_force, body: beam, point: middle, component: shear_y, side: " +
            std::string(side) + "}",
        {"loads.p={type: force, at: beam.middle, force: [0, '1e-3*t', 0]}", kNoLine}))[0];
  };
  EXPECT_NEAR(shear("before"), 1e-3, 1e-9);
  EXPECT_NEAR(shear("after"), 0.0, 1e-9);
}

// E A = 1e8 N, G A_y = 1e4 N, G A_z = 2e4 N, G J = 1.5e6, E I_y = 2e6, E I_z = 1e6 N m^2.
TEST(SectionStrains, AreForcesByStiffness) {
  const std::string tip =
      "loads.tip={type: force, at: beam.tip, force: ['10*t', '1*t', '2*t'], torque: ['3*t', 0, 0]}";
  const std::vector<std::string> overrides = {tip,
                                              kNoLine,
                                              "bodies.beam.shear=included",
                                              "bodies.beam.section.shear_y=2e-4",
                                              "bodies.beam.section.shear_z=4e-4",
                                              "bodies.beam.section.I_y=2e6",
                                              "bodies.beam.section.I_z=1e6",
                                              "bodies.beam.section.torsion_constant=3e6"};
  const VectorXd found =
      reading(cantilever("{type: section_strain, body: beam, fraction: 0.4}", overrides));
  VectorXd expected(6);
  expected << 1e-7, 1e-4, 1e-4, 2e-6, -2.0 * 0.6 / 2e6, 1.0 * 0.6 / 1e6;
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(found[i] / expected[i], 1.0, 2e-3) << i;
}

// E A = 1e8 N, G J = 1.5, E I_y = 2, E I_z = 1 N m^2; rigid in shear.
TEST_P(UnderAUniformLoad, StrainsAreForcesByStiffness) {
  const auto found = [](const char* type, const char* torsion) {
    return reading(cantilever(
        std::string("{type: ") + type +
            ", body: beam, fraction: " + std::to_string(GetParam().fraction) + "}",
        {"loads.q.force=['2e-4*t', '1e-4*t', '-3e-4*t']", "loads.q.torque=['5e-4*t', 0, 0]",
         "bodies.beam.points={root: [0, 0, 0], tip: [1, 0, 0]}", torsion,
         "bodies.beam.elements=" + std::to_string(GetParam().elements)}));
  };
  for (const char* torsion : {"bodies.beam.torsion=linear", "bodies.beam.torsion=constant",
                              "bodies.beam.fixed_strains=[stretch]"}) {
    const VectorXd force = found("section_force", torsion),
                   strain = found("section_strain", torsion);
    const bool is_fixed = std::string(torsion) == "bodies.beam.fixed_strains=[stretch]";
    VectorXd expected(6);
    expected << (is_fixed ? 0.0 : force[0] / 1e8), 0.0, 0.0, force[3] / 1.5, force[4] / 2.0,
        force[5];
    EXPECT_LT((strain - expected).norm(), 1e-10) << torsion;
    const double left = 1.0 - GetParam().fraction;
    EXPECT_NEAR(strain[5], 0.5e-4 * left * left, 2e-7);  // where elements alone have linear ones
  }
}

TEST(SectionStrains, AreThoseGivenWhereGiven) {
  const VectorXd given = reading(
      cantilever("{type: section_strain, body: beam, fraction: 0.3}",
                 {"bodies.beam.driven_strains={curvature_z: '0.7*t', twist: 0.2}",
                  "bodies.beam.prestrain={curvature_y: '0.1*t'}", "loads.q.force=[0, '2*t', 0]"}));
  EXPECT_NEAR(given[5], 0.7, 1e-9);
  EXPECT_NEAR(given[3], 0.2, 1e-9);
  const VectorXd drawn =
      reading(cantilever("{type: section_strain, body: beam, fraction: 0.3}",
                         {"bodies.beam.prestress={axial: 5, bending_z: 0.3}",
                          "joints.stop={type: fixed, between: [ground, beam.tip]}", kNoLine}));
  EXPECT_LT(drawn.norm(), 1e-9);
}

// A straight beam whose tip has set out has forces of damping, and no strain yet.
TEST(SectionStrains, AreNotThoseOfDamping) {
  const auto read = [](const char* type) {
    const BeamStatics beam = cantilever(
        std::string("{type: ") + type + ", body: beam, fraction: 0.3}",
        {kNoLine, "bodies.beam.damping={rayleigh: {stiffness: 0.01}}", "bodies.beam.elements=1",
         "bodies.beam.points={root: [0, 0, 0], tip: [1, 0, 0]}", "materials.unit.density=1e-15"});
    system::State moving = beam.state().clone();
    moving.v.segment<6>(beam.built->system.layout().velocity_offset(beam.tip())) << 0, 0.3, -0.2,
        0.4, 0.5, 0.6;
    beam.built->system.update(moving);
    VectorXd values(6);
    beam.built->sensors[0].read({beam.built->system, moving}, values.data());
    return values;
  };
  EXPECT_LT(read("section_strain").norm(), 1e-6);
  EXPECT_NEAR(read("section_force")[3], 0.01 * 1.5 * 0.4, 1e-6);
}

TEST(SectionStresses, AreThoseOfTheOutermostFibres) {
  const auto stress = [](const std::string& component, const std::string& section) {
    return reading(
        cantilever("{type: section_force, body: beam, point: root, component: " + component + "}",
                   {"bodies.beam.section=" + section, kNoLine, "materials.unit.youngs_modulus=1e9",
                    "loads.tip={type: force, at: beam.tip, force: ['2*t', '3*t', '-4*t']}"}))[0];
  };
  // N/A +- (M_z 6/(h w^2) + M_y 6/(w h^2)), and N/A +- M/W
  const std::string plate = "{type: rectangle, width: 0.1, height: 0.2}",
                    rod = "{type: circle, radius: 0.1}";
  const double bending = 3.0 * 6 / 0.002 + 4.0 * 6 / 0.004;
  EXPECT_NEAR(stress("stress_max", plate), 100.0 + bending, 2.0);
  EXPECT_NEAR(stress("stress_min", plate), 100.0 - bending, 2.0);
  EXPECT_NEAR(stress("stress_max", rod), (2.0 / 0.01 + 5.0 / 0.00025) / M_PI, 2.0);
}

}  // namespace
}  // namespace solidyn
