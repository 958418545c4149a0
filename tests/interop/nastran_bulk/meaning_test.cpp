#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/formats/nastran/bulk_and_punch.h"

/// What entries mean, in decks small enough to check by hand.
namespace solidyn {
namespace {

using imported::Integration;
using imported::SolidModel;
using testing::ElementsAre;

const std::string kTet =
    "GRID,1\nGRID,2,,1.\nGRID,3,,,1.\nGRID,4,,,,1.\nCTETRA,1,1,1,2,3,4\n"
    "PSOLID,1,1\nMAT1,1,2.+11,,.3,7800.\n";

SolidModel parse(const std::string& text) { return formats::parse_nastran_bulk(text, "a.bdf"); }

Eigen::Vector3d loose(const SolidModel& model, std::int64_t tag) {
  for (const imported::LooseNode& node : model.loose_nodes)
    if (node.tag == tag) return node.x;
  ADD_FAILURE() << "no node " << tag;
  return Eigen::Vector3d::Zero();
}

/// System 5 is cylindrical about x through (0, 0, 1), from y; 6 is rectangular in it; 7 spherical.
const std::string kSystems =
    "CORD2R,6,5,2.,90.,3.,2.,90.,4.\n,3.,90.,3.\n"
    "CORD2C,5,0,0.,0.,1.,1.,0.,1.\n,0.,1.,1.\n"
    "CORD2S,7,0,0.,0.,0.,0.,0.,1.\n,1.,0.,0.\n";

TEST(NastranMeaning, CommasBehindTheTenthColumnSeparateNoFields) {
  const SolidModel model = parse(kTet +
                                 "DEQATN  14      F1(A,B,C,D,R) = A+B*C-(D**3+10.0)+SIN(PI(1)*R)\n"
                                 "        +A**2/(B-C);F=A+MAX(B,C,D,A,B,C,D,A,B,C)\n"
                                 "DEQATN,15,G(A,B,C,D,E,F,G,H,I,J,K)=A+B\n"
                                 "GRID    20              1.      2.      3.\n");
  EXPECT_EQ(loose(model, 20), Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(model.report.skipped.at("DEQATN"), 2);
}

TEST(NastranMeaning, PositionsInSystemsThatAreDefinedInEachOther) {
  const SolidModel model = parse(kTet + kSystems +
                                 "GRID,10,5,2.,90.,3.\nGRID,11,6,0.,0.,1.\n"
                                 "GRID,12,7,2.,90.,90.\nGRID,13,7,2.,0.,0.\n");
  // theta counts from y towards z = x cross y
  EXPECT_LT((loose(model, 10) - Eigen::Vector3d(3.0, 0.0, 3.0)).norm(), 1e-14);
  EXPECT_LT((loose(model, 11) - Eigen::Vector3d(4.0, 0.0, 3.0)).norm(), 1e-14);
  EXPECT_LT((loose(model, 12) - Eigen::Vector3d(0.0, 2.0, 0.0)).norm(), 1e-14);
  EXPECT_LT((loose(model, 13) - Eigen::Vector3d(0.0, 0.0, 2.0)).norm(), 1e-14);
}

TEST(NastranMeaning, ComponentsOfRoundSystemsTurnWithTheNode) {
  const SolidModel model =
      parse(kTet + kSystems + "GRID,10,5,2.,90.,3.,5\nGRID,12,,0.,2.,0.,7\nGRDSET,,,,,,,,\n");
  Eigen::Matrix3d cylindrical, spherical;
  cylindrical << 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0;  // r = z, theta = -y, axis = x
  spherical << 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0;   // r = y, theta = -z, phi = -x
  EXPECT_LT((model.node_axes.at(10) - cylindrical).norm(), 1e-14);
  EXPECT_LT((model.node_axes.at(12) - spherical).norm(), 1e-14);
}

TEST(NastranMeaning, SystemsOfGridsFollowTheGrids) {
  const SolidModel model = parse(kTet +
                                 "GRID,20,,1.,1.,1.\nGRID,21,,1.,1.,2.\nGRID,22,,1.,2.,1.\n"
                                 "CORD1R,8,20,21,22\nGRID,23,8,1.,2.,3.\n");
  EXPECT_LT((loose(model, 23) - Eigen::Vector3d(-1.0, 2.0, 4.0)).norm(), 1e-14);  // x is y, y is -x
}

TEST(NastranMeaning, DefaultsOfGrdsetFillBlankFieldsOnly) {
  const SolidModel model = parse(kTet + kSystems +
                                 "GRDSET,,7,,,,7,4\nGRID,30,0,1.,2.,3.,0,1\n"
                                 "GRID,31,,2.,90.,90.\n");
  EXPECT_EQ(loose(model, 30), Eigen::Vector3d(1.0, 2.0, 3.0));
  EXPECT_EQ(model.node_axes.count(30), 0u);
  EXPECT_LT((loose(model, 31) - Eigen::Vector3d(0.0, 2.0, 0.0)).norm(), 1e-14);
  EXPECT_EQ(model.node_axes.count(31), 1u);
  for (const imported::Support& support : model.supports)
    EXPECT_EQ(support.components, support.node == 30 ? "1" : "4");
}

TEST(NastranMeaning, MassesMayStandInOtherSystems) {
  const SolidModel model =
      parse(kTet +
            "CORD2R,9,0,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\nCONM2,1,2,9,3.,.1,.2,.3\n,1.,.4,2.,.5,.6,3.\n"
            "CONM2,2,2,-1,3.,.1,.2,.3\nPARAM,WTMASS,.5\n");
  ASSERT_EQ(model.masses.size(), 2u);
  EXPECT_EQ(model.masses[0].mass, 1.5);
  EXPECT_EQ(model.materials[0].density, 3900.0);
  // axes 9: x is y, y is z, z is x
  EXPECT_LT((model.masses[0].offset - Eigen::Vector3d(0.3, 0.1, 0.2)).norm(), 1e-15);
  Eigen::Matrix3d inertia;
  inertia << 3.0, -0.5, -0.6, -0.5, 1.0, -0.4, -0.6, -0.4, 2.0;
  EXPECT_LT((model.masses[0].inertia - 0.5 * inertia).norm(), 1e-14);
  EXPECT_LT((model.masses[1].offset - Eigen::Vector3d(-0.9, 0.2, 0.3)).norm(), 1e-15);
}

TEST(NastranMeaning, WeightsOfRbe3BelongToTheGridsBehindThem) {
  const SolidModel model =
      parse(kTet +
            "GRID,9\nRBE3,5,,9,123456,1.,123,1,2\n,2.5,123,3,UM,4,1,ALPHA,1.-5\n"
            "RBE2,6,9,123,1,2,3,4,1.-5\n");
  ASSERT_EQ(model.rigid_elements.size(), 2u);
  EXPECT_THAT(model.rigid_elements[0].nodes, ElementsAre(1, 2, 3));
  EXPECT_THAT(model.rigid_elements[0].weights, ElementsAre(1.0, 1.0, 2.5));
  EXPECT_EQ(model.rigid_elements[0].node_components, "123");
  EXPECT_TRUE(model.rigid_elements[0].components_of_nodes.empty());
  EXPECT_THAT(model.rigid_elements[1].nodes, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(model.rigid_elements[1].components, "123");
}

TEST(NastranMeaning, AttachmentsKnowTheirLines) {
  const SolidModel model = parse(kTet + "CONM2,1,2,,3.\nRBE2,6,1,123,2,3\n");
  EXPECT_EQ(model.rigid_elements.at(0).where.line, model.masses.at(0).where.line + 1);
  EXPECT_FALSE(model.masses[0].where.file.empty());
}

TEST(NastranMeaning, ComponentsOfRbe3MayDifferByGrid) {
  const SolidModel model = parse(kTet + "GRID,9\nRBE3,5,,9,123456,1.,123,1,2\n,1.,3,3,4\n");
  ASSERT_EQ(model.rigid_elements.size(), 1u);
  EXPECT_EQ(model.rigid_elements[0].node_components, "");
  EXPECT_THAT(model.rigid_elements[0].components_of_nodes, ElementsAre("123", "123", "3", "3"));
}

TEST(NastranMeaning, SetsKnowGridsFromElements) {
  const SolidModel model = parse(
      "SOL 103\nCEND\nSET 1 = 1 THRU 3 EXCEPT 2\nSET 2 = 1,\n4\n"
      "SET 3 = 1\nSET 4 = ALL\nSTRESS = 3\nSPC = 8\nBEGIN BULK\n" +
      kTet + "SET3,7,ELEM,1\nSET1,1,4\nSPC1,8,1,1\nSPC,9,2,123\nENDDATA\n");
  const auto& sets = model.mesh.sets;
  EXPECT_THAT(sets.at("SET 1").nodes, ElementsAre(0, 2));
  EXPECT_THAT(sets.at("SET 2").nodes, ElementsAre(0, 3));
  EXPECT_EQ(sets.at("SET 3").nodes.size(), 4u);
  EXPECT_EQ(sets.at("SET 3").dimension, 3);
  EXPECT_EQ(sets.at("SET 7").dimension, 3);
  EXPECT_THAT(sets.at("SET1 1 (2)").nodes, ElementsAre(3));
  EXPECT_EQ(sets.count("SET 4"), 0u);
  ASSERT_EQ(model.supports.size(), 1u);
  EXPECT_EQ(model.supports[0].node, 1);
}

TEST(NastranMeaning, IntegrationFollowsPsolid) {
  const std::string grids =
      "GRID,1\nGRID,2,,1.\nGRID,3,,1.,1.\nGRID,4,,,1.\nGRID,5,,,,1.\nGRID,6,,1.,,1.\n"
      "GRID,7,,1.,1.,1.\nGRID,8,,,1.,1.\nCHEXA,1,1,1,2,3,4,5,6\n,7,8\nMAT1,1,2.+11,,.3,7800.\n";
  EXPECT_EQ(parse(grids + "PSOLID,1,1\n").regions[0].integration, Integration::incompatible_modes);
  EXPECT_EQ(parse(grids + "PSOLID,1,1,,2,,FULL\n").regions[0].integration, Integration::standard);
}

TEST(NastranMeaning, TwoConstantsGiveTheThird) {
  const SolidModel a = parse(kTet + "MAT1,2,,8.+10,.25,1.\nPSOLID,2,2\nCTETRA,2,2,1,2,3,4\n");
  EXPECT_DOUBLE_EQ(a.materials[1].youngs_modulus, 2e11);
  const SolidModel b = parse(kTet + "MAT1,2,2.+11,8.+10,,1.\nPSOLID,2,2\nCTETRA,2,2,1,2,3,4\n");
  EXPECT_DOUBLE_EQ(b.materials[1].poissons_ratio, 0.25);
}

TEST(NastranMeaning, RepeatedEntriesThatAgreeAreWarnedOf) {
  const SolidModel model = parse(kTet + "GRID,2,,1.\nCTETRA,1,1,1,2,3,4\n");
  EXPECT_EQ(model.mesh.n_nodes(), 4);
  EXPECT_EQ(model.mesh.blocks[0].size(), 1);
  EXPECT_EQ(model.report.warnings.size(), 2u);
}

}  // namespace
}  // namespace solidyn
