// Lines for beams, as the readers of three formats find them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scratch_folder.h"
#include "solidyn/formats/abaqus/deck/input.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "text_file.h"

namespace solidyn::formats {
namespace {

using Eigen::Vector3d;
using imported::LineElement;
using imported::LineElements;
using testing::ElementsAre;
using testing::SizeIs;

constexpr double kRoundoff = 1e-14;

LineElements nastran(const std::string& more) {
  return parse_nastran_bulk(
             "GRID,1,,0.,0.,0.\nGRID,2,,1.,0.,0.\nMAT1,1,2.e11,8.e10,,7850.\n" + more, "a.bdf")
      .lines;
}

const char* const kBar = "CBAR,1,1,1,2,0.,1.,0.\n";

/// @throws std::bad_variant_access when the first section has another shape
template <class Shape>
Shape first_shape(const LineElements& lines) {
  EXPECT_TRUE(lines.errors.empty()) << lines.errors[0].what;
  return std::get<Shape>(lines.properties.at(0).shape);
}

beams::Section general(const LineElements& lines) { return first_shape<beams::Section>(lines); }

TEST(LinesOfNastranBulk, PlaneOneIsThatOfXAndY) {
  const LineElements lines =
      nastran(std::string(kBar) + "PBAR,1,1,5.,3.,2.,4.,7.\n,,,,,,,,,\n,.8,.7\n");
  const beams::Section s = general(lines);
  EXPECT_EQ(s.I_z, 3.0);  // I1: the integral of y^2
  EXPECT_EQ(s.I_y, 2.0);
  EXPECT_EQ(s.area, 5.0);
  EXPECT_EQ(s.torsion_constant, 4.0);
  EXPECT_EQ(s.shear_y, 0.8);
  EXPECT_EQ(s.shear_z, 0.7);
  EXPECT_EQ(lines.properties[0].mass_per_length, 7.0);
  EXPECT_NEAR(lines.materials.at(0).poissons_ratio, 0.25, kRoundoff);
}

TEST(LinesOfNastranBulk, AProductOfInertiaTurnsToPrincipalAxes) {
  // 5 along an axis at 30 degrees from y, 1 across it.
  const double c = std::cos(M_PI / 6), s = std::sin(M_PI / 6);
  const double I1 = 5 * c * c + s * s, I2 = 5 * s * s + c * c, I12 = 4 * c * s;
  const LineElements lines =
      nastran(std::string(kBar) + "PBAR,1,1,1.," + std::to_string(I1) + "," + std::to_string(I2) +
              ",1.,,,\n,,,,,,,,,\n,,," + std::to_string(I12) + "\n");
  const beams::Section found = general(lines);
  EXPECT_NEAR(found.I_z, 5.0, 1e-5);  // six digits are written
  EXPECT_NEAR(found.I_y, 1.0, 1e-5);
  EXPECT_NEAR(lines.properties[0].turn, M_PI / 6, 1e-5);
}

TEST(LinesOfNastranBulk, PbeamHasRowsOfStations) {
  const LineElements lines = nastran(
      std::string("CBEAM,1,1,1,2,0.,1.,0.\n") +
      "PBEAM,1,1,5.,3.,2.,,4.,7.\n,1.,1.,,,,,,\n,YES,1.0,5.,3.,2.,,4.,7.\n,1.,1.,,,,,,\n,NO,.5\n"
      ",.9,0.\n");
  const beams::Section s = general(lines);
  EXPECT_EQ(s.I_z, 3.0);
  EXPECT_EQ(s.shear_y, 0.9);
  EXPECT_EQ(s.shear_z, 0.0);
}

TEST(LinesOfNastranBulk, ShapesStandInTheirPlanes) {
  const LineElements bar = nastran(std::string(kBar) + "PBARL,1,1,,BAR\n,.03,.02\n");
  EXPECT_EQ(first_shape<beams::Rectangle>(bar).width, 0.02);   // along y
  EXPECT_EQ(first_shape<beams::Rectangle>(bar).height, 0.03);  // along z
  const LineElements i = nastran(std::string(kBar) + "PBEAML,1,1,,I\n,.2,.1,.1,.01,.02,.02\n");
  EXPECT_EQ(first_shape<beams::ISection>(i).height, 0.2);
  EXPECT_EQ(i.properties.at(0).turn, -0.5 * M_PI);  // the web is along y
  const LineElements tube = nastran(std::string(kBar) + "PBARL,1,1,,TUBE\n,.05,.04,3.\n");
  EXPECT_NEAR(first_shape<beams::Tube>(tube).wall, 0.01, kRoundoff);
  EXPECT_EQ(tube.properties.at(0).mass_per_length, 3.0);
}

TEST(LinesOfNastranBulk, VectorsAndOffsetsAreInTheGridsAxes) {
  const LineElements lines = nastran(
      "CORD2R,4,,0.,0.,0.,1.,0.,0.\n,0.,1.,0.\n"  // its z is x, its x is y, its y is z
      "GRID,5,,0.,0.,0.,4\nGRID,6,,9.,0.,0.,4\nGRID,7,,0.,2.,2.\n"
      "CBAR,1,1,5,6,1.,0.,0.,,\n,,,0.,.1,0.,.2,0.,0.\n"
      "CBAR,2,1,5,6,0.,1.,0.,BGG\nCBAR,3,1,5,6,7\nPBARL,1,1,,ROD\n,.01\n");
  ASSERT_THAT(lines.elements, SizeIs(3)) << lines.errors.at(0).what;
  EXPECT_LT((lines.elements[0].towards_y - Vector3d(0, 1, 0)).norm(), kRoundoff);
  EXPECT_LT((lines.elements[0].offsets[0] - Vector3d(0, 0, 0.1)).norm(), kRoundoff);
  EXPECT_LT((lines.elements[0].offsets[1] - Vector3d(0, 0.2, 0)).norm(), kRoundoff);
  EXPECT_EQ(lines.elements[1].towards_y, Vector3d(0, 1, 0));
  EXPECT_EQ(lines.elements[2].towards_y, Vector3d(0, 2, 2));
}

TEST(LinesOfNastranBulk, BarorFillsWhatIsBlank) {
  const LineElements lines = nastran(
      "BAROR,,3,,,0.,0.,1.\nCBAR,1,,1,2\nCBAR,2,2,1,2,0.,1.,0.\nPBARL,3,1,,ROD\n,.01\n"
      "PBARL,2,1,,ROD\n,.02\n$NAME PBARL 2 thick\nSET1,4,2\n$NAME SET 4 tip\n");
  ASSERT_THAT(lines.elements, SizeIs(2));
  EXPECT_EQ(lines.properties[lines.elements[0].property].name, "PBARL 3");
  EXPECT_EQ(lines.elements[0].towards_y, Vector3d(0, 0, 1));
  EXPECT_EQ(lines.elements[1].towards_y, Vector3d(0, 1, 0));
  EXPECT_THAT(lines.groups.at("thick"), ElementsAre(1U));
  EXPECT_THAT(lines.node_sets.at("tip"), ElementsAre(2));
}

TEST(LinesOfNastranBulk, MistakesOfBeamsDoNotConcernSolids) {
  const auto model =
      parse_nastran_bulk("GRID,1,,0.,0.,0.\nCBAR,1,1,1,7\nPBARL,1,1,,HAT\n", "a.bdf");
  EXPECT_THAT(model.lines.errors, SizeIs(2));
  EXPECT_EQ(model.report.unsupported.count("CBAR"), 1U);
  EXPECT_EQ(model.other_elements.at("CBAR"), 1);
}

// ---- Abaqus

LineElements abaqus(const std::string& more) {
  return parse_abaqus_input(
             "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 2, 0, 0\n4, 0, 0, 5\n"
             "*MATERIAL, NAME=steel\n*ELASTIC\n2e11, 0.25\n*DENSITY\n7850\n" +
                 more,
             "a.inp")
      .lines;
}

TEST(LinesOfAbaqusInput, QuadraticBeamsAreTwoLines) {
  const LineElements lines = abaqus(
      "*ELEMENT, TYPE=B32, ELSET=all\n7, 1, 2, 3, 4\n"
      "*BEAM SECTION, ELSET=all, MATERIAL=Steel, SECTION=RECT\n.02, .03\n0, 1, 0\n");
  ASSERT_THAT(lines.elements, SizeIs(2));
  EXPECT_EQ(lines.elements[0].nodes, (std::array<std::int64_t, 2>{1, 2}));
  EXPECT_EQ(lines.elements[1].nodes, (std::array<std::int64_t, 2>{2, 3}));
  EXPECT_EQ(lines.elements[1].towards_y, Vector3d(0, 0, 5));    // by the further node
  EXPECT_EQ(first_shape<beams::Rectangle>(lines).width, 0.02);  // along axis 1
  EXPECT_THAT(lines.groups.at("all"), ElementsAre(0U, 1U));
}

TEST(LinesOfAbaqusInput, NumbersLeftOutOfAnAxisAreZero) {
  const std::string element = "*ELEMENT, TYPE=B31, ELSET=all\n7, 1, 2\n";
  for (const char* n1 : {"0, 1, 0", "0, 1", ", 1"}) {
    const LineElements lines = abaqus(
        element + "*BEAM SECTION, ELSET=all, MATERIAL=Steel, SECTION=RECT\n.02, .03\n" + n1 + "\n");
    EXPECT_TRUE(lines.errors.empty());
    EXPECT_EQ(lines.elements.at(0).towards_y, Vector3d::UnitY()) << n1;
  }
}

TEST(LinesOfAbaqusInput, SectionsThatAreNotUniformOrNotTheOnlyOneAreRefused) {
  const std::string element = "*ELEMENT, TYPE=B31, ELSET=all\n7, 1, 2\n";
  const std::string section = "*BEAM SECTION, ELSET=all, MATERIAL=Steel, SECTION=RECT";
  for (const char* parameter : {", OFFSET1=0.5", ", OFFSET2=0.5", ", TAPER"})
    EXPECT_THAT(abaqus(element + section + parameter + "\n.02, .03\n").errors, SizeIs(1))
        << parameter;
  EXPECT_THAT(abaqus(element + section + "\n.02, .03\n" + section + "\n.02, .04\n").errors,
              SizeIs(1));
}

TEST(LinesOfAbaqusInput, AGeneralSectionHasItsOwnModuli) {
  const LineElements lines = abaqus(
      "*ELEMENT, TYPE=B33, ELSET=all\n7, 1, 2\n"
      "*BEAM GENERAL SECTION, ELSET=all, DENSITY=2700\n5, 2, 0, 3, 4\n0, 1, 0\n7e10, 2.8e10\n");
  const beams::Section s = general(lines);
  EXPECT_EQ(s.I_y, 2.0);  // I11: the integral of the square of the coordinate along axis 2
  EXPECT_EQ(s.I_z, 3.0);
  EXPECT_FALSE(lines.elements.at(0).has_shear);
  const imported::Material& m = lines.materials.at(lines.properties[0].material);
  EXPECT_EQ(m.density, 2700.0);
  EXPECT_NEAR(m.poissons_ratio, 0.25, kRoundoff);
}

TEST(LinesOfAbaqusInput, AxesTurnWithTheInstanceAndAnIStandsOnItsNodes) {
  const LineElements lines = parse_abaqus_input(R"(*PART, NAME=p
*NODE
1, 0, 0, 0
2, 1, 0, 0
*ELEMENT, TYPE=B31, ELSET=all
1, 1, 2
*BEAM SECTION, ELSET=all, MATERIAL=steel, SECTION=I
0, .2, .1, .1, .02, .02, .01
0, 1, 0
*END PART
*ASSEMBLY, NAME=a
*INSTANCE, NAME=i, PART=p
0, 0, 0
0, 0, 0, 1, 0, 0, 90
*END INSTANCE
*END ASSEMBLY
*MATERIAL, NAME=steel
*ELASTIC
2e11, 0.25
)",
                                                "a.inp")
                                 .lines;
  ASSERT_THAT(lines.elements, SizeIs(1));
  EXPECT_LT((lines.elements[0].towards_y - Vector3d(0, 0, 1)).norm(), kRoundoff);
  // Axis 2 is -y now; the centroid is half the height above the bottom.
  EXPECT_LT((lines.elements[0].offsets[0] - Vector3d(0, -0.1, 0)).norm(), kRoundoff);
}

// ---- Gmsh

TEST(LinesOfGmshFiles, AreTakenOnceWithAllGroupsAndTheMiddleNode) {
  const test::ScratchFolder folder;
  test::write_text(folder / "a.msh", R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 1 "ring"
0 5 "tip"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 0.5 0.1 0
4 2 0 0
$EndNodes
$Elements
4
1 1 2 2 2 2 4
2 8 2 1 1 1 2 3
3 1 2 1 2 2 4
4 15 2 5 1 4
$EndElements
)");
  const imported::SolidModel model = read_gmsh_model(folder / "a.msh");
  ASSERT_THAT(model.lines.elements, SizeIs(3));
  EXPECT_EQ(model.lines.elements[0].nodes, (std::array<std::int64_t, 2>{2, 4}));
  EXPECT_EQ(model.lines.elements[1].nodes, (std::array<std::int64_t, 2>{1, 3}));
  EXPECT_EQ(model.lines.elements[2].nodes, (std::array<std::int64_t, 2>{3, 2}));
  EXPECT_THAT(model.lines.groups.at("ring"), ElementsAre(0U, 1U, 2U));
  EXPECT_THAT(model.lines.groups.at("physical_1_2"), ElementsAre(0U));
  EXPECT_THAT(model.lines.node_sets.at("tip"), ElementsAre(4));
}

}  // namespace
}  // namespace solidyn::formats
