// Materials with directions: *ELASTIC of three types, *EXPANSION, *ORIENTATION.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/base/error.h"
#include "solidyn/formats/abaqus/deck/input.h"
#include "solidyn/materials/orthotropic.h"

namespace solidyn {
namespace {

using imported::SolidModel;
using materials::Matrix6d;
using ::testing::HasSubstr;

SolidModel parse_directions(const std::string& text) {
  return formats::parse_abaqus_input(text, "deck.inp");
}

std::string error_of_directions(const std::string& text) {
  try {
    parse_directions(text);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kMesh =
    "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n"
    "*ELEMENT, TYPE=C3D4, ELSET=body\n7, 1, 2, 3, 4\n";
const std::string kMaterial =
    "*MATERIAL, NAME=wood\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"
    "1500, 600, 900, .35, .2, .25, 250, 400\n320,\n*DENSITY\n7,\n"
    "*EXPANSION, TYPE=ORTHO\n1e-5, 2e-5, 3e-5\n";
const std::string kSection = "*SOLID SECTION, ELSET=body, MATERIAL=wood";

TEST(AbaqusDirections, EngineeringConstantsAreThoseOfOurs) {
  const SolidModel model = parse_directions(kMesh + kMaterial + kSection + "\n");
  const imported::Material& m = model.materials.at(0);
  const materials::OrthotropicElastic expected{
      {1500.0, 600.0, 900.0}, {0.35, 0.2, 0.25}, {250.0, 400.0, 320.0}, 7.0};
  EXPECT_LT((m.stiffness.value() - expected.stiffness()).norm(), 1e-12);
  EXPECT_EQ(m.density, 7.0);
  EXPECT_EQ(m.expansion[1], 2e-5);
  EXPECT_TRUE(model.report.unsupported.empty());
  EXPECT_TRUE(model.report.skipped.empty());
}

// Abaqus' order is 11, 22, 33, 12, 13, 23; ours has 23 before 13.
TEST(AbaqusDirections, OrthotropicConstantsAreThoseOfTheStiffness) {
  const SolidModel model = parse_directions(kMesh +
                                            "*MATERIAL, NAME=wood\n*ELASTIC, TYPE=ORTHOTROPIC\n"
                                            "100, 12, 200, 13, 23, 300, 44, 55\n66, 20.\n" +
                                            kSection + "\n");
  Matrix6d C = Matrix6d::Zero();
  C.topLeftCorner<3, 3>() << 100, 12, 13, 12, 200, 23, 13, 23, 300;
  C.diagonal().tail<3>() << 44, 66, 55;
  EXPECT_EQ(model.materials.at(0).stiffness.value(), C);
}

// Constant D_pq, p and q in Abaqus' order, is 100 p on the diagonal and 10 p + q above it.
TEST(AbaqusDirections, AnisotropicConstantsComeByColumns) {
  const SolidModel model =
      parse_directions(kMesh +
                       "*MATERIAL, NAME=wood\n*ELASTIC, TYPE=ANISOTROPIC\n"
                       "100, 12, 200, 13, 23, 300, 14, 24\n34, 400, 15, 25, 35, 45, 500, 16\n"
                       "26, 36, 46, 56, 600\n" +
                       kSection + "\n");
  const Matrix6d C = model.materials.at(0).stiffness.value();
  EXPECT_EQ(C(0, 3), 14.0);
  EXPECT_EQ(C(0, 5), 15.0);  // 1113: xx with zx
  EXPECT_EQ(C(2, 4), 36.0);  // 3323: zz with yz
  EXPECT_EQ(C(3, 5), 45.0);
  EXPECT_EQ(C(4, 5), 56.0);
  EXPECT_EQ(C(4, 4), 600.0);
  EXPECT_EQ(C(5, 5), 500.0);
  EXPECT_EQ(C, C.transpose());
}

TEST(AbaqusDirections, OrientationByPointsAndATurn) {
  const SolidModel model =
      parse_directions(kMesh + kMaterial + "*ORIENTATION, NAME=o\n0, 2, 0, -1, 0, 0\n3, 90.\n" +
                       kSection + ", ORIENTATION=O\n");
  // x' = y, y' = -x; then a quarter turn about z': 1 is along y' and 2 against x'.
  const Eigen::Matrix3d R = model.regions.at(0).axes.at({0.0, 0.0, 0.0});
  EXPECT_LT((R.col(0) + Eigen::Vector3d::UnitX()).norm(), 1e-14);
  EXPECT_LT((R.col(1) + Eigen::Vector3d::UnitY()).norm(), 1e-14);
}

TEST(AbaqusDirections, CylindricalOrientationIsRadialHoopAxial) {
  const SolidModel model = parse_directions(
      kMesh + kMaterial + "*ORIENTATION, NAME=o, SYSTEM=CYLINDRICAL\n1, 0, 0, 1, 0, 5\n" +
      kSection + ", ORIENTATION=o\n");
  const Eigen::Matrix3d R = model.regions.at(0).axes.at({1.0, 3.0, 0.7});
  EXPECT_LT((R.col(0) - Eigen::Vector3d::UnitY()).norm(), 1e-14);
  EXPECT_LT((R.col(1) + Eigen::Vector3d::UnitX()).norm(), 1e-14);
  EXPECT_LT((R.col(2) - Eigen::Vector3d::UnitZ()).norm(), 1e-14);
}

// A part that stands twice, the second time turned by 90 degrees about z.
TEST(AbaqusDirections, OrientationsTurnWithTheirInstance) {
  const SolidModel model = parse_directions(
      "*PART, NAME=p\n" + kMesh + "*ORIENTATION, NAME=o\n1, 0, 0, 0, 1, 0\n" + kSection +
      ", ORIENTATION=o\n*END PART\n*ASSEMBLY, NAME=a\n*INSTANCE, NAME=i, PART=p\n*END INSTANCE\n"
      "*INSTANCE, NAME=j, PART=p\n5, 0, 0\n5, 0, 0, 5, 0, 1, 90.\n*END INSTANCE\n*END ASSEMBLY\n" +
      kMaterial);
  ASSERT_EQ(model.regions.size(), 2u);
  EXPECT_TRUE(model.regions[0].axes.R.isIdentity(1e-14));
  EXPECT_LT((model.regions[1].axes.R.col(0) - Eigen::Vector3d::UnitY()).norm(), 1e-14);
}

TEST(AbaqusDirections, WhatIsNotUnderstoodIsRefusedWhereItMatters) {
  const std::string spherical = "*ORIENTATION, NAME=o, SYSTEM=SPHERICAL\n0, 0, 0, 0, 0, 1\n";
  EXPECT_THAT(
      error_of_directions(kMesh + kMaterial + spherical + kSection + ", ORIENTATION=o\n"),
      HasSubstr(
          "`o` of an orthotropic or anisotropic material is not supported: SYSTEM=SPHERICAL"));
  EXPECT_THAT(error_of_directions(kMesh + kMaterial + kSection + ", ORIENTATION=other\n"),
              HasSubstr("`other` of an orthotropic or anisotropic material is not in the file"));
  EXPECT_EQ(error_of_directions(kMesh + "*MATERIAL, NAME=wood\n*ELASTIC\n2e5, .3\n" + spherical +
                                kSection + ", ORIENTATION=o\n"),
            "no error");
  EXPECT_THAT(
      error_of_directions(kMesh + "*MATERIAL, NAME=wood\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n"
                                  "1500, 600, 900, 1.7, .2, .25, 250, 400\n320,\n"),
      HasSubstr("*ELASTIC.poissons_ratios[0] is 1.7"));
  EXPECT_THAT(
      error_of_directions(kMesh + "*MATERIAL, NAME=wood\n*ELASTIC, TYPE=ANISOTROPIC\n1, 2, 3\n"),
      HasSubstr("has 1 of 3 lines of data"));
}

TEST(AbaqusDirections, ExpansionOfIsotropicMaterialsIsKept) {
  const SolidModel model = parse_directions(
      kMesh + "*MATERIAL, NAME=wood\n*ELASTIC\n2e5, .3\n*EXPANSION\n1.2e-5,\n" + kSection + "\n");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(model.materials.at(0).expansion[i], 1.2e-5);
}

// One direction for each element: as programs write it for composites, and of no account for
// isotropic materials.
TEST(AbaqusDirections, OrientationByADistributionMattersWhereAMaterialHasDirectionsAlone) {
  const std::string orientation =
      "*ORIENTATION, NAME=o, SYSTEM=RECTANGULAR\nd\n3, 0.\n"
      "*ORIENTATION, NAME=p\n1, 0, 0, 0, 1, 0\n3, angles\n";
  const std::string isotropic =
      "*MATERIAL, NAME=steel\n*ELASTIC\n2e11, .3\n*DENSITY\n7800,\n"
      "*EXPANSION\n1e-5,\n*EXPANSION, PORE FLUID\n9e-4,\n"
      "*SOLID SECTION, ELSET=body, MATERIAL=steel, ORIENTATION=o\n";
  const SolidModel model = parse_directions(kMesh + orientation + isotropic);
  EXPECT_EQ(model.materials.at(0).expansion[0], 1e-5);
  EXPECT_THAT(error_of_directions(kMesh + orientation + kMaterial + kSection + ", ORIENTATION=o\n"),
              HasSubstr("by a distribution"));
}

}  // namespace
}  // namespace solidyn
