#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/materials/orthotropic.h"

/// Materials with directions: MAT9, MAT11 and the axes of PSOLID.
namespace solidyn {
namespace {

using imported::SolidModel;
using materials::Matrix6d;

const std::string kBareTet = "GRID,1\nGRID,2,,1.\nGRID,3,,,1.\nGRID,4,,,,1.\nCTETRA,1,1,1,2,3,4\n";
/// About x through (0, 0, 1), azimuth from y.
const std::string kSystem = "CORD2C,5,0,0.,0.,1.,1.,0.,1.\n,0.,1.,1.\n";
const std::string kMat11 =
    "MAT11,1,1500.,600.,900.,.35,.2,.25,250.\n,400.,320.,7.,1.-5,2.-5,3.-5\n";

SolidModel parse_directions(const std::string& text) {
  return formats::parse_nastran_bulk(text, "a.bdf");
}

TEST(NastranDirections, Mat11IsThatOfItsEngineeringConstants) {
  const SolidModel model = parse_directions(kBareTet + "PSOLID,1,1\n" + kMat11);
  ASSERT_EQ(model.materials.size(), 1u);
  const imported::Material& m = model.materials[0];
  const materials::OrthotropicElastic expected{
      {1500.0, 600.0, 900.0}, {0.35, 0.2, 0.25}, {250.0, 400.0, 320.0}, 7.0};
  EXPECT_LT((m.stiffness.value() - expected.stiffness()).norm(), 1e-12);
  EXPECT_EQ(m.density, 7.0);
  EXPECT_EQ(m.expansion[2], 3e-5);
  EXPECT_EQ(m.youngs_modulus, 0.0);
  EXPECT_TRUE(model.report.unsupported.empty());
}

// G_ij = 10 i + j above the diagonal, 100 i on it.
TEST(NastranDirections, Mat9GivesItsConstantsByRows) {
  const SolidModel model =
      parse_directions(kBareTet +
                       "PSOLID,1,1\n"
                       "MAT9,1,100.,12.,13.,14.,15.,16.,200.\n,23.,24.,25.,26.,300.,34.,35.,36.\n"
                       ",400.,45.,46.,500.,56.,600.,7.,1.-5\n,2.-5,3.-5,4.-5,5.-5,6.-5\n");
  const imported::Material& m = model.materials.at(0);
  const Matrix6d C = m.stiffness.value();
  for (int i = 0; i < 6; ++i)
    for (int j = i; j < 6; ++j) {
      EXPECT_EQ(C(i, j), i == j ? 100.0 * (i + 1) : 10.0 * (i + 1) + j + 1) << i << j;
      EXPECT_EQ(C(j, i), C(i, j));
    }
  EXPECT_EQ(m.density, 7.0);
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(m.expansion[i], (i + 1) * 1e-5, 1e-18);
}

TEST(NastranDirections, CordmGivesTheAxesOfTheMaterial) {
  const SolidModel model = parse_directions(kBareTet + kSystem + "PSOLID,1,1,5\n" + kMat11);
  const materials::Axes& axes = model.regions.at(0).axes;
  EXPECT_EQ(axes.kind, materials::Axes::Kind::cylindrical);
  const Eigen::Matrix3d above = axes.at({0.3, 0.0, 3.0});  // radial z, hoop -y, axial x
  EXPECT_LT((above.col(0) - Eigen::Vector3d::UnitZ()).norm(), 1e-14);
  EXPECT_LT((above.col(1) + Eigen::Vector3d::UnitY()).norm(), 1e-14);
  EXPECT_LT((above.col(2) - Eigen::Vector3d::UnitX()).norm(), 1e-14);
  EXPECT_TRUE(
      parse_directions(kBareTet + "PSOLID,1,1\n" + kMat11).regions.at(0).axes.R.isIdentity());
}

TEST(NastranDirections, AxesOfElementsAreNotUnderstood) {
  const SolidModel model = parse_directions(kBareTet + "PSOLID,1,1,-1\n" + kMat11);
  EXPECT_EQ(model.report.unsupported.count(
                "PSOLID, CORDM = -1 with an orthotropic or anisotropic material"),
            1u);
  // of an isotropic material they are nothing
  EXPECT_TRUE(parse_directions(kBareTet + "PSOLID,1,1,-1\nMAT1,1,2.+11,,.3,7800.\n")
                  .report.unsupported.empty());
}

TEST(NastranDirections, ConstantsThatAreNoMaterialAreRefused) {
  EXPECT_THAT(
      [] {
        parse_directions(kBareTet +
                         "PSOLID,1,1\nMAT11,1,1500.,600.,900.,1.7,.2,.25,250.\n,4.,3.\n");
      },
      testing::ThrowsMessage<base::InputError>(
          testing::HasSubstr("MAT11 1.poissons_ratios[0] is 1.7")));
}

TEST(NastranDirections, WritersRefuseThem) {
  const SolidModel model = parse_directions(kBareTet + "PSOLID,1,1\n" + kMat11);
  EXPECT_THAT([&] { formats::write_nastran_bulk("never.bdf", model); },
              testing::ThrowsMessage<base::InputError>(
                  testing::HasSubstr("material MAT11 1 is orthotropic or anisotropic")));
}

TEST(NastranDirections, MaterialsThatDifferInExpansionAreNotTheSame) {
  const std::string mat1 = "MAT1,1,2.+11,,.3,7800.,1.-5\n";
  EXPECT_NO_THROW(parse_directions(kBareTet + "PSOLID,1,1\n" + mat1 + mat1));
  EXPECT_THROW(parse_directions(kBareTet + "PSOLID,1,1\n" + mat1 + "MAT1,1,2.+11,,.3,7800.,9.-5\n"),
               base::InputError);
}

// Whether it is used or not: what it does to stiffness is not known.
TEST(NastranDirections, DependenceOnTemperatureIsStiffnessThatIsNotUnderstood) {
  const SolidModel model = parse_directions(kBareTet + "PSOLID,1,1\n" + kMat11 + "MATT11,1,7\n");
  EXPECT_EQ(model.report.unsupported.count("MATT11"), 1u);
}

}  // namespace
}  // namespace solidyn
