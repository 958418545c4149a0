// Rules of Abaqus and CalculiX input that the samples do not show.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "solidyn/base/error.h"
#include "solidyn/formats/abaqus/deck/input.h"

namespace solidyn {
namespace {

using formats::parse_abaqus_input;
using imported::RigidElement;
using imported::SolidModel;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

SolidModel parse(const std::string& text) { return parse_abaqus_input(text, "deck.inp"); }

std::string error_of(const std::string& text) {
  try {
    parse(text);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kNodes =
    "*NODE, NSET=all\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n9, 5, 5, 5\n";
const std::string kTet = kNodes + "*ELEMENT, TYPE=C3D4, ELSET=body\n7, 1, 2, 3, 4\n";

std::vector<std::int64_t> tags(const SolidModel& model, const std::string& set) {
  std::vector<std::int64_t> result;
  for (std::int32_t node : model.mesh.sets.at(set).nodes)
    result.push_back(model.mesh.node_tags[node]);
  return result;
}

TEST(AbaqusSyntax, CaseBlanksCommentsAndLineEndsDoNotMatter) {
  const SolidModel model = parse(
      "** comment\r\n  *Node , nSet = All \r\n 1 ,0.,0., 0.\r\n** another\r\n2, +1.D+0,,\r\n\r\n"
      "3, 0, 1\r\n4,0,0,.1E1\r\n*element, type = c3d4,\r\n elset=Body\r\n 7,1,2,\r\n3,4\r\n");
  EXPECT_EQ(model.mesh.n_nodes(), 4);
  EXPECT_EQ(model.mesh.x(0, 1), 1.0);
  EXPECT_EQ(model.mesh.x(2, 3), 1.0);
  EXPECT_EQ(model.mesh.blocks.at(0).tags, (std::vector<std::int64_t>{7}));
  EXPECT_EQ(model.mesh.sets.count("Body"), 1U);
}

TEST(AbaqusSyntax, SetsOfTheAssemblyMayCarryItsName) {
  const std::string deck =
      "*PART, NAME=p\n" + kTet +
      "*END PART\n*ASSEMBLY, NAME=Whole\n*INSTANCE, NAME=i, PART=p\n*END INSTANCE\n"
      "*NSET, NSET=held, INSTANCE=i\n1, 2\n*END ASSEMBLY\n";
  for (const char* name : {"held", "ASSEMBLY.held", "assembly.held", "Whole.held"}) {
    const SolidModel model = parse(deck + "*BOUNDARY\n" + name + ", 1, 3\n");
    EXPECT_EQ(model.supports.size(), 2U) << name;
  }
  EXPECT_THAT(error_of(deck + "*BOUNDARY\nOther.held, 1, 3\n"),
              HasSubstr("there is no node or node set `Other.held`"));
}

TEST(AbaqusSyntax, WhatWasCutOffIsWarnedOf) {
  const auto warnings_of = [](const std::string& text) {
    std::string all;
    for (const base::Diagnostic& warning : parse(text).report.warnings) all += warning.what + "\n";
    return all;
  };
  const std::string good = kTet + "*STEP\n*STATIC\n*END STEP\n";
  EXPECT_THAT(warnings_of(good), testing::Not(HasSubstr("is not closed")));
  EXPECT_THAT(warnings_of(good.substr(0, good.size() - 1)),
              testing::Not(HasSubstr("is not closed")));
  EXPECT_THAT(warnings_of(kTet + "*STEP\n*STATIC\n"), HasSubstr("*STEP is not closed"));
  EXPECT_THAT(warnings_of(kTet.substr(0, kTet.size() - 1)),
              HasSubstr("the last line does not end with a line break"));
}

TEST(AbaqusSyntax, NodesOfNoSolidAreLoose) {
  const SolidModel model = parse(kTet);
  EXPECT_EQ(model.mesh.n_nodes(), 4);
  ASSERT_EQ(model.loose_nodes.size(), 1U);
  EXPECT_EQ(model.loose_nodes[0].tag, 9);
  EXPECT_EQ(model.loose_nodes[0].x, Eigen::Vector3d(5, 5, 5));
}

TEST(AbaqusSyntax, CylindricalNodesAndSystemsAreGlobal) {
  const SolidModel model = parse(
      "*SYSTEM\n10, 0, 0, 10, 1, 0\n9, 0, 0\n*NODE, SYSTEM=C\n1, 2, 90, 3\n*SYSTEM\n*NODE\n"
      "2, 1, 0, 0\n");
  ASSERT_EQ(model.loose_nodes.size(), 2U);
  // x' = +y, y' = -x, z' = z, from (10, 0, 0): the node is at y' = 2, z' = 3
  EXPECT_LT((model.loose_nodes[0].x - Eigen::Vector3d(8, 0, 3)).norm(), 1e-14);
  EXPECT_EQ(model.loose_nodes[1].x, Eigen::Vector3d(1, 0, 0));
}

TEST(AbaqusSets, GenerateRepeatAndNest) {
  const SolidModel model = parse(kTet +
                                 "*NSET, NSET=odd, GENERATE\n1, 5, 2\n*NSET, NSET=more\nODD, 4\n"
                                 "*NSET, NSET=More\n2,\n*NSET, NSET=of_body, ELSET=body\n");
  EXPECT_THAT(tags(model, "odd"), ElementsAre(1, 3));
  EXPECT_THAT(tags(model, "more"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(tags(model, "of_body"), ElementsAre(1, 2, 3, 4));
}

TEST(AbaqusSets, QuotedNamesKeepBlanksAndCommas) {
  const SolidModel model =
      parse(kTet + "*NSET, NSET=\"left, upper\"\n1\n*NSET, NSET=both\n\"left, upper\", 2\n");
  EXPECT_THAT(tags(model, "left, upper"), ElementsAre(1));
  EXPECT_THAT(tags(model, "both"), ElementsAre(1, 2));
}

TEST(AbaqusSets, KindsOfOneNameAreToldApart) {
  const SolidModel model = parse(kTet +
                                 "*NSET, NSET=s\n1\n*SURFACE, NAME=s\nbody, S1\n"
                                 "*ELSET, ELSET=s\n7\n");
  EXPECT_THAT(tags(model, "s"), ElementsAre(1));
  EXPECT_THAT(tags(model, "s_2d"), ElementsAre(1, 2, 3));
  EXPECT_THAT(tags(model, "s_3d"), ElementsAre(1, 2, 3, 4));
}

TEST(AbaqusSets, EveryFaceOfASolidHasItsNodes) {
  const SolidModel model = parse(kTet +
                                 "*SURFACE, NAME=f1\n7, S1\n*SURFACE, NAME=f2\n7, S2\n"
                                 "*SURFACE, NAME=f3\nbody, S3\n*SURFACE, NAME=f4\n7, S4\n"
                                 "*SURFACE, TYPE=NODE, NAME=n\n2, 1.0\n");
  EXPECT_THAT(tags(model, "f1"), ElementsAre(1, 2, 3));
  EXPECT_THAT(tags(model, "f2"), ElementsAre(1, 2, 4));
  EXPECT_THAT(tags(model, "f3"), ElementsAre(2, 3, 4));
  EXPECT_THAT(tags(model, "f4"), ElementsAre(1, 3, 4));
  EXPECT_THAT(tags(model, "n"), ElementsAre(2));
}

std::string two_instances(const std::string& assembly) {
  return "*PART, NAME=P\n" + kTet +
         "*NSET, NSET=tip\n4\n*END PART\n*ASSEMBLY, NAME=A\n"
         "*INSTANCE, NAME=P-1, PART=P\n*END INSTANCE\n"
         "*INSTANCE, NAME=P-2, PART=p\n10, 0, 0\n10, 0, 0, 10, 0, 1, 90\n*END INSTANCE\n" +
         assembly + "*END ASSEMBLY\n";
}

TEST(AbaqusInstances, AreShiftedThenTurned) {
  const SolidModel model = parse(two_instances(""));
  ASSERT_EQ(model.mesh.n_nodes(), 8);
  EXPECT_LT((model.mesh.x.col(5) - Eigen::Vector3d(10, 1, 0)).norm(), 1e-14);  // was (1, 0, 0)
  EXPECT_LT((model.mesh.x.col(6) - Eigen::Vector3d(9, 0, 0)).norm(), 1e-14);   // was (0, 1, 0)
}

TEST(AbaqusInstances, TagsOfTheSecondFollowThoseOfTheFirst) {
  const SolidModel model =
      parse(two_instances("*NSET, NSET=both\nP-1.1, P-2.tip\n"
                          "*NSET, NSET=second, INSTANCE=p-2\n1, 2\n"));
  EXPECT_THAT(model.mesh.node_tags, ElementsAre(1, 2, 3, 4, 10, 11, 12, 13));
  EXPECT_THAT(model.mesh.blocks.at(0).tags, ElementsAre(7, 14));
  EXPECT_THAT(tags(model, "both"), ElementsAre(1, 13));
  EXPECT_THAT(tags(model, "second"), ElementsAre(10, 11));
  EXPECT_THAT(tags(model, "P-1.tip"), ElementsAre(4));
  EXPECT_THAT(tags(model, "P-2.tip"), ElementsAre(13));
  ASSERT_FALSE(model.report.warnings.empty());
  EXPECT_THAT(model.report.warnings[0].what, HasSubstr("P-2: nodes by 9, elements by 7"));
}

TEST(AbaqusProperties, SectionsAndMaterialsBecomeRegions) {
  const SolidModel model =
      parse(kTet +
            "*ELEMENT, TYPE=C3D4T, ELSET=hot\n8, 1, 3, 2, 9\n"
            "*SOLID SECTION, ELSET=body, MATERIAL=Steel\n,\n"
            "*SOLID SECTION, ELSET=hot, MATERIAL=ALU\n"
            "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1E11, 0.3\n*DENSITY\n7850.,\n"
            "*MATERIAL, NAME=Alu\n*ELASTIC, TYPE=ISO\n7E10, 0.33, 20\n6E10, 0.33, 100\n");
  ASSERT_EQ(model.regions.size(), 2U);
  EXPECT_THAT(model.mesh.blocks.at(0).regions, ElementsAre(0, 1));
  EXPECT_EQ(model.regions[0].material, 0);
  EXPECT_EQ(model.regions[1].material, 1);
  EXPECT_EQ(model.regions[1].element_name, "C3D4T");
  EXPECT_EQ(model.materials[1].youngs_modulus, 7e10);
  EXPECT_EQ(model.materials[1].density, 0.0);
  ASSERT_EQ(model.report.warnings.size(), 1U);
  EXPECT_THAT(model.report.warnings[0].what, HasSubstr("depends on temperature"));
}

TEST(AbaqusProperties, PointMassesTurnWithTheirInstance) {
  const std::string part =
      "*PART, NAME=P\n" + kTet +
      "*ELEMENT, TYPE=MASS, ELSET=m\n50, 9\n*MASS, ELSET=m\n2.5\n"
      "*ELEMENT, TYPE=ROTARYI, ELSET=r\n51, 9\n*ROTARY INERTIA, ELSET=r\n1, 2, 3, 0.5\n"
      "*END PART\n*ASSEMBLY\n*INSTANCE, NAME=i, PART=P\n0, 0, 0\n0,0,0, 0,0,1, 90\n"
      "*END INSTANCE\n*END ASSEMBLY\n";
  const SolidModel model = parse(part);
  ASSERT_EQ(model.masses.size(), 2U);
  EXPECT_EQ(model.masses[0].mass, 2.5);
  EXPECT_EQ(model.masses[0].node, 9);
  Eigen::Matrix3d turned;  // x -> y, y -> -x
  turned << 2, -0.5, 0, -0.5, 1, 0, 0, 0, 3;
  EXPECT_LT((model.masses[1].inertia - turned).norm(), 1e-14);
}

TEST(AbaqusCouplings, EveryKindBecomesARigidElement) {
  const SolidModel model = parse(
      kTet +
      "*NSET, NSET=rp\n9\n*SURFACE, NAME=s\nbody, S1\n"
      "*COUPLING, CONSTRAINT NAME=c1, REF NODE=rp, SURFACE=s\n*KINEMATIC\n1, 3\n"
      "*COUPLING, CONSTRAINT NAME=c2, REF NODE=9, SURFACE=s\n*DISTRIBUTING\n"
      "*KINEMATIC COUPLING, REF NODE=9\n1, 1, 3\n2, 1, 3\n"
      "*RIGID BODY, REF NODE=9, ELSET=body\n*RIGID BODY, REF NODE=9, PIN NSET=all\n"
      "*MPC\nBEAM, 4, 9\n"
      "*ELEMENT, TYPE=DCOUP3D, ELSET=d\n60, 9\n*DISTRIBUTING COUPLING, ELSET=d\n1, 2.0\n2, 3.0\n");
  ASSERT_EQ(model.rigid_elements.size(), 7U);
  for (const RigidElement& element : model.rigid_elements) EXPECT_EQ(element.reference, 9);
  EXPECT_EQ(model.rigid_elements[0].name, "c1");
  EXPECT_EQ(model.rigid_elements[0].kind, RigidElement::Kind::rbe2);
  EXPECT_EQ(model.rigid_elements[0].components, "123");
  EXPECT_THAT(model.rigid_elements[0].nodes, ElementsAre(1, 2, 3));
  EXPECT_EQ(model.rigid_elements[1].kind, RigidElement::Kind::rbe3);
  EXPECT_EQ(model.rigid_elements[1].components, "123456");
  EXPECT_THAT(model.rigid_elements[1].weights, ElementsAre(1.0, 1.0, 1.0));
  EXPECT_THAT(model.rigid_elements[2].nodes, ElementsAre(1, 2));
  EXPECT_THAT(model.rigid_elements[3].nodes, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(model.rigid_elements[4].components, "123");
  EXPECT_THAT(model.rigid_elements[5].nodes, ElementsAre(4));
  EXPECT_THAT(model.rigid_elements[6].weights, ElementsAre(2.0, 3.0));
}

/// Preprocessors write a line for each node.
TEST(AbaqusCouplings, BeamsToOneNodeAreOneRigidElement) {
  const SolidModel model = parse(
      kTet + "*NSET, NSET=rp\n9\n*MPC\nBEAM, 1, 9\nBEAM, 2, rp\n*MPC\nBEAM, 3, 9\nBEAM, 9, 4\n");
  ASSERT_EQ(model.rigid_elements.size(), 2U);
  EXPECT_EQ(model.rigid_elements[0].reference, 9);
  EXPECT_THAT(model.rigid_elements[0].nodes, ElementsAre(1, 2, 3));
  EXPECT_EQ(model.rigid_elements[0].where.line, 12);
  EXPECT_EQ(model.rigid_elements[1].reference, 4);
  EXPECT_THAT(model.rigid_elements[1].nodes, ElementsAre(9));
}

/// Node 9 belongs to no solid.
TEST(AbaqusMasses, OnANodeOfTheirOwnThatABeamTiesAreOffThatNode) {
  const std::string mass = "*ELEMENT, TYPE=MASS, ELSET=m\n50, 9\n*MASS, ELSET=m\n2.5,\n";
  const SolidModel tied = parse(kTet + mass + "*MPC\nBEAM, 9, 2\nBEAM, 3, 2\n");
  ASSERT_EQ(tied.masses.size(), 1U);
  EXPECT_EQ(tied.masses[0].node, 2);
  ASSERT_EQ(tied.loose_nodes.size(), 1U);
  EXPECT_EQ(tied.masses[0].offset, tied.loose_nodes[0].x - Eigen::Vector3d(1, 0, 0));
  EXPECT_EQ(tied.masses[0].where.line, 11);
  ASSERT_EQ(tied.rigid_elements.size(), 1U);
  EXPECT_THAT(tied.rigid_elements[0].nodes, ElementsAre(3));
  EXPECT_TRUE(parse(kTet + mass + "*MPC\nBEAM, 9, 2\n").rigid_elements.empty());
  for (const char* held :
       {"*BOUNDARY\n9, 1\n", "*MPC\nBEAM, 9, 1\n"}) {  // more than a mass hangs there
    const SolidModel model = parse(kTet + mass + "*MPC\nBEAM, 9, 2\n" + held);
    EXPECT_EQ(model.masses.at(0).node, 9) << held;
    EXPECT_TRUE(model.masses.at(0).offset.isZero(0.0)) << held;
  }
}

TEST(AbaqusSets, MayNameElementsThatAreNoSolids) {
  const SolidModel model =
      parse(kTet +
            "*ELEMENT, TYPE=B31, ELSET=beams\n50, 1, 9\n51, 9, 4\n"
            "*ELEMENT, TYPE=CONN3D2, ELSET=to_ground\n60, , 9\n"
            "*ELEMENT, TYPE=U1, ELSET=user\n70, 1, 2,\n3, 4\n71, 1, 2\n"
            "*ELSET, ELSET=everything\nbeams, body, to_ground\n*ELSET, ELSET=numbered\n50, 70\n"
            "*NSET, NSET=ends, ELSET=beams\n*RIGID BODY, REF NODE=9, ELSET=beams\n");
  EXPECT_EQ(model.other_elements.at("B31"), 2);
  EXPECT_EQ(model.other_elements.at("U1"), 2);
  EXPECT_THAT(tags(model, "beams"), ElementsAre(1, 4));
  EXPECT_EQ(model.mesh.sets.at("beams").dimension, 1);
  EXPECT_THAT(tags(model, "everything"), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(model.mesh.sets.at("everything").dimension, 3);
  EXPECT_THAT(tags(model, "numbered"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(tags(model, "ends"), ElementsAre(1, 4));
  EXPECT_EQ(model.mesh.sets.count("to_ground"), 0U);  // nothing of it is in the mesh
  ASSERT_EQ(model.rigid_elements.size(), 1U);
  EXPECT_THAT(model.rigid_elements[0].nodes, ElementsAre(1, 4));
}

/// Decks of which only the solids are left may have beams without their nodes.
TEST(AbaqusSets, NodesOfOtherElementsMayBeMissing) {
  const SolidModel model = parse(kTet + "*ELEMENT, TYPE=B31, ELSET=beams\n50, 1, 888\n");
  EXPECT_THAT(tags(model, "beams"), ElementsAre(1));
}

TEST(AbaqusSupports, ComponentsAndNamesAreMerged) {
  const SolidModel model = parse(kTet + "*BOUNDARY\n1, 1, 2\n1, 3\n2, ENCASTRE\nall, XSYMM\n");
  std::map<std::int64_t, std::string> supports;
  for (const imported::Support& support : model.supports)
    supports[support.node] = support.components;
  EXPECT_EQ(supports[1], "12356");
  EXPECT_EQ(supports[2], "123456");
  EXPECT_EQ(supports[9], "156");
}

TEST(AbaqusTransforms, GiveAxesOfNodes) {
  const SolidModel model = parse(kTet +
                                 "*NSET, NSET=two\n2\n*NSET, NSET=three\n3\n"
                                 "*TRANSFORM, NSET=two\n0, 1, 0, -1, 0, 0\n"
                                 "*TRANSFORM, NSET=three, TYPE=C\n0, 0, 0, 0, 0, 1\n");
  Eigen::Matrix3d quarter;  // x' = y, y' = -x
  quarter << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  ASSERT_EQ(model.node_axes.size(), 2U);
  EXPECT_LT((model.node_axes.at(2) - quarter).norm(), 1e-15);
  EXPECT_LT((model.node_axes.at(3) - quarter).norm(), 1e-15);  // radial direction at (0, 1, 0)
}

TEST(AbaqusReport, ListsWhatChangesMatrices) {
  const SolidModel model = parse(kTet +
                                 "*EQUATION\n2\n1, 1, 1., 2, 1, -1.\n*MPC\nTIE, 1, 2\n"
                                 "*OUTPUT, FIELD\n*ELEMENT, TYPE=SPRINGA, ELSET=k\n"
                                 "9, 1, 2\n*SPRING, ELSET=k\n\n100.\n");
  EXPECT_EQ(model.report.unsupported.count("EQUATION"), 1U);
  EXPECT_EQ(model.report.unsupported.count("MPC, TIE"), 1U);
  EXPECT_EQ(model.report.unsupported.count("SPRING"), 1U);
  EXPECT_EQ(model.report.unsupported.at("EQUATION").line, 9);
  EXPECT_EQ(model.report.skipped.at("OUTPUT"), 1);
  EXPECT_EQ(model.other_elements.at("SPRINGA"), 1);
}

TEST(AbaqusErrors, NameLineAndWhatIsWrong) {
  EXPECT_THAT(error_of("*NODE\n1, 0, zero\n"), HasSubstr("deck.inp:2: error: `1, 0, zero`"));
  EXPECT_THAT(error_of("*NODE\n1, 0, nan\n"), HasSubstr("deck.inp:2"));
  EXPECT_THAT(error_of("*NODE\n1, 1.0E+400\n"), HasSubstr("deck.inp:2"));
  EXPECT_THAT(error_of("*NODE\n-1, 0\n"), HasSubstr("positive label"));
  EXPECT_THAT(error_of(kNodes + "*ELEMENT, TYPE=C3D27\n1, 1\n"), HasSubstr("C3D27"));
  EXPECT_THAT(error_of(kNodes + "*ELEMENT, TYPE=C3D15V\n1, 1\n"), HasSubstr("C3D15V"));
  EXPECT_THAT(error_of(kNodes + "*ELEMENT, TYPE=SC8R\n1, 1\n"), HasSubstr("SC8R"));
  EXPECT_THAT(error_of(kNodes + "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3\n"), HasSubstr("4 nodes"));
  EXPECT_THAT(error_of(kNodes + "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 77\n"),
              HasSubstr("77 (element 1)"));
  EXPECT_THAT(error_of(kNodes + "*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 3\n"), HasSubstr("twice"));
  EXPECT_THAT(error_of(kNodes + "*NGEN\n1, 2, 1\n"), HasSubstr("*NGEN generates nodes"));
  EXPECT_THAT(error_of(kTet + "*NODE\n1, 9, 9, 9\n"), HasSubstr("defined twice: 1"));
  EXPECT_THAT(error_of(kTet + "*NSET, NSET=s\nnowhere\n"), HasSubstr("`nowhere`"));
  EXPECT_THAT(error_of(kTet + "*NSET, NSET=s\n88\n"), HasSubstr("88"));
  EXPECT_THAT(error_of(kTet + "*NSET, NSET=s\nt\n*NSET, NSET=t\ns\n"),
              HasSubstr("contains itself"));
  EXPECT_THAT(error_of(kTet + "*SURFACE, NAME=s\nbody, S5\n"), HasSubstr("no face `S5`"));
  EXPECT_THAT(error_of(kTet + "*SOLID SECTION, ELSET=body, MATERIAL=none\n"),
              HasSubstr("no material `none`"));
  EXPECT_THAT(error_of("*PART, NAME=p\n" + kTet), HasSubstr("*PART is not closed"));
  EXPECT_THAT(error_of("*INSTANCE, NAME=i, PART=q\n*END INSTANCE\n"), HasSubstr("part `q`"));
  EXPECT_THAT(error_of("*INCLUDE, INPUT=other.inp\n"), HasSubstr("other.inp"));
  EXPECT_THAT(error_of(""), HasSubstr("empty"));
}

TEST(AbaqusErrors, SameNodeTwiceIsNoError) { EXPECT_NO_THROW(parse(kTet + "*NODE\n1, 0, 0, 0\n")); }

class AbaqusInclude : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "solidyn_abaqus_include";
    std::filesystem::create_directories(folder_ / "sub");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string error_of_file(const std::string& path) {
    try {
      formats::read_abaqus_input(path);
    } catch (const base::InputError& error) {
      return error.what();
    }
    return "no error";
  }
  std::filesystem::path folder_;
};

TEST_F(AbaqusInclude, KeywordsAndDataComeFromOtherFiles) {
  write("sub/nodes.txt", "1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n");
  write("elements.inp", "*ELEMENT, TYPE=C3D4, ELSET=body\n7, 1, 2, 3, 4");
  const std::string main = write("main.inp",
                                 "*NODE, INPUT=sub/nodes.txt, NSET=all\n"
                                 "*INCLUDE, INPUT=elements.inp\n8, 1, 3, 2, 4\n");
  const SolidModel model = formats::read_abaqus_input(main);
  EXPECT_EQ(model.mesh.n_nodes(), 4);
  EXPECT_EQ(model.mesh.blocks.at(0).size(), 2);
  EXPECT_EQ(model.mesh.sets.at("all").nodes.size(), 4U);
}

TEST_F(AbaqusInclude, ComplaintsNameTheIncludedFile) {
  write("bad.inp", "*NODE\n1, x\n");
  EXPECT_THAT(error_of_file(write("main.inp", "*INCLUDE, INPUT=bad.inp\n")),
              HasSubstr("bad.inp:2: error"));
}

TEST_F(AbaqusInclude, FilesElsewhereCirclesAndMissingOnesAreRefused) {
  EXPECT_THAT(error_of_file(write("main.inp", "*INCLUDE, INPUT=/etc/passwd\n")),
              HasSubstr("outside the folder"));
  EXPECT_THAT(error_of_file(write("main.inp", "*INCLUDE, INPUT=sub/../../x.inp\n")),
              HasSubstr("outside the folder"));
  EXPECT_THAT(error_of_file(write("main.inp", "*INCLUDE, INPUT=none.inp\n")),
              HasSubstr("cannot be read"));
  write("a.inp", "*INCLUDE, INPUT=b.inp\n");
  write("b.inp", "*INCLUDE, INPUT=a.inp\n");
  EXPECT_THAT(error_of_file(write("main.inp", "*INCLUDE, INPUT=a.inp\n")),
              HasSubstr("includes itself"));
}

}  // namespace
}  // namespace solidyn
