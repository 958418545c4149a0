// Sections by stiffness and mass, apart from shape and material: doc/beams.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "network_equilibrium.h"
#include "solidyn/beams/section.h"

namespace solidyn {
namespace {

using testing_support::Equilibrium;

constexpr double kE = 7e10, kNu = 0.3, kDensity = 2700.0;

std::string model_of(const std::string& section, const std::string& material) {
  return fmt::format(R"(
solidyn: 1
gravity: [0, 0, -9.81]
materials:
  aluminium: {{youngs_modulus: {}, poissons_ratio: {}, density: {}}}
bodies:
  beam:
    type: beam
    points: {{root: [0, 0, 0], tip: [0.6, 0.3, 0.4]}}
    elements: 2
    section: {}
    {}
analyses:
  - statics: {{load_steps: 1}}
)",
                     kE, kNu, kDensity, section, material);
}

bodies::BeamElementData first_element(const std::string& section, const std::string& material) {
  const auto built = model::build(
      PETSC_COMM_SELF, model::parse_model(model_of(section, material), "beam.yaml", "."), {});
  return dynamic_cast<const bodies::BeamBody&>(built->system.body(built->bodies[0].index)).data(0);
}

void expect_same(const bodies::BeamElementData& a, const bodies::BeamElementData& b) {
  const auto expect_close = [](double x, double y) { EXPECT_NEAR(x, y, 1e-12 * std::abs(y)); };
  expect_close(a.rigidity.EA, b.rigidity.EA);
  expect_close(a.rigidity.GJ, b.rigidity.GJ);
  expect_close(a.rigidity.EI_y, b.rigidity.EI_y);
  expect_close(a.rigidity.EI_z, b.rigidity.EI_z);
  expect_close(a.rigidity.GA_y, b.rigidity.GA_y);
  expect_close(a.rigidity.GA_z, b.rigidity.GA_z);
  expect_close(a.mass_per_length, b.mass_per_length);
  for (int i = 0; i < 3; ++i) expect_close(a.inertia_per_length[i], b.inertia_per_length[i]);
}

// A rectangle of 20 mm by 30 mm in numbers.
std::string rectangle_in_numbers(const std::string& shear) {
  const beams::Section s = beams::make_rectangle(0.02, 0.03, kNu);
  const double G = 0.5 * kE / (1.0 + kNu);
  return fmt::format(
      "{{type: stiffness, EA: {:.17g}, GJ: {:.17g}, EI_y: {:.17g}, EI_z: {:.17g}, {} mass_per_length: {:.17g}, mass_moments: [{:.17g}, {:.17g}, {:.17g}]}}",
      kE * s.area, G * s.torsion_constant, kE * s.I_y, kE * s.I_z,
      shear.empty() ? fmt::format("GA_y: {:.17g}, GA_z: {:.17g},", G * s.area * s.shear_y,
                                  G * s.area * s.shear_z)
                    : "",
      kDensity * s.area, kDensity * (s.I_y + s.I_z), kDensity * s.I_y, kDensity * s.I_z);
}

TEST(SectionByStiffness, IsThatOfAShapeWithTheSameNumbers) {
  expect_same(first_element(rectangle_in_numbers(""), ""),
              first_element("{type: rectangle, width: 0.02, height: 0.03}", "material: aluminium"));
}

TEST(SectionByStiffness, NeedsNoStiffnessOfShearWhereThereIsNone) {
  expect_same(first_element(rectangle_in_numbers("none"), "shear: none"),
              first_element("{type: rectangle, width: 0.02, height: 0.03}",
                            "material: aluminium\n    shear: none"));
}

TEST(SectionByShape, TakesMassAndMomentsInPlaceOfThoseOfTheMaterial) {
  bodies::BeamElementData expected =
      first_element("{type: circle, radius: 0.01}", "material: aluminium");
  expected.mass_per_length = 3.0;
  expected.inertia_per_length = {5e-4, 3e-4, 4e-4};
  expect_same(
      first_element(
          "{type: circle, radius: 0.01, mass_per_length: 3, mass_moments: [5e-4, 3e-4, 4e-4]}",
          "material: aluminium"),
      expected);
  expected.inertia_per_length = {5e-4, 0.0, 0.0};
  expect_same(
      first_element(
          "{type: circle, radius: 0.01, mass_per_length: 3, mass_moments: [5e-4, 3e-4, 4e-4]}",
          "material: aluminium\n    rotary_inertia: torsion"),
      expected);
}

TEST(SectionByStiffness, IsInTheUnitsOfTheFile) {
  std::string in_mm = model_of(
      "{type: stiffness, EA: 4.2e7, GJ: 1e9, EI_y: 2e9, EI_z: 3e9, GA_y: 1e7, GA_z: 2e7, mass_per_length: 1.62e-6, mass_moments: [2e-4, 1e-4, 1e-4]}",
      "");
  in_mm.replace(in_mm.find("gravity"), 0, "units: {length: mm, mass: t}\n");
  const auto built = model::build(PETSC_COMM_SELF, model::parse_model(in_mm, "beam.yaml", "."), {});
  const bodies::BeamElementData e =
      dynamic_cast<const bodies::BeamBody&>(built->system.body(built->bodies[0].index)).data(0);
  EXPECT_NEAR(e.rigidity.EA, 4.2e7, 1e-5);
  EXPECT_NEAR(e.rigidity.EI_y, 2e3, 1e-9);            // N mm^2
  EXPECT_NEAR(e.mass_per_length, 1.62, 1e-12);        // t/mm
  EXPECT_NEAR(e.inertia_per_length[0], 2e-4, 1e-16);  // t mm
}

// F L^3/(3 E I) of a CBAR whose own property and material are others.
TEST(SectionByStiffness, HoldsForTheLinesOfAMesh) {
  const Equilibrium beam(R"(
gravity: [0, 0, 0]
bodies:
  beam:
    type: beam
    mesh: net.bdf
    section: {type: stiffness, EA: 1.0e9, GA_y: 1.0e12, GA_z: 1.0e12, GJ: 1.0e5, EI_y: 2.0e5,
              EI_z: 3.0e5, mass_per_length: 1, mass_moments: [2, 1, 1]}
joints:
  wall: {type: fixed, between: [ground, beam.root]}
loads:
  push: {type: force, at: beam.tip, force: [0, "3*t", "2*t"]}
sensors:
  tip: {type: position, of: beam.tip}
)",
                         std::string(R"(GRID,1,,0.,0.,0.
GRID,2,,2.,0.,0.
CBAR,1,1,1,2,0.,1.,0.
SET1,1,1
SET1,2,2
$NAME SET 1 root
$NAME SET 2 tip
)") + testing_support::kSlender);
  EXPECT_NEAR(beam.seen(0)[1], 3.0 * 8.0 / (3.0 * 3e5), 1e-11);
  EXPECT_NEAR(beam.seen(0)[2], 2.0 * 8.0 / (3.0 * 2e5), 1e-11);
}

}  // namespace
}  // namespace solidyn
