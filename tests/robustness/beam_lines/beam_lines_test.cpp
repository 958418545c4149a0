// Mesh files of whose lines no beam can be made, and models that name what such a file lacks: each
// mistake with file and line, all at once.
#include <gtest/gtest.h>
#include <petsc.h>

#include <algorithm>

#include "scratch_folder.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "text_file.h"

namespace solidyn {
namespace {

using Diagnostics = std::vector<base::Diagnostic>;

const char* const kKeys = "mesh_units: SI";

std::string model_of(const std::string& mesh, const std::string& keys, const std::string& sensors) {
  return "solidyn: 1\n"
         "materials:\n"
         "  steel: {youngs_modulus: 2.0e11, poissons_ratio: 0.25, density: 8000}\n"
         "bodies:\n"
         "  frame: {type: beam, mesh: " +
         mesh + ", " + keys + "}\n" + sensors +
         "analyses:\n"
         "  - dynamics: {duration: 1, step: 0.1}\n";
}

// What is wrong when a beam is made of a file of this name and text.
Diagnostics complaints_of(const std::string& mesh, const std::string& text,
                          const std::string& keys = kKeys, const std::string& sensors = "") {
  const test::ScratchFolder folder;
  test::write_text(folder / mesh, text);
  try {
    const auto model =
        model::parse_model(model_of(mesh, keys, sensors), "m.yaml", folder.path(), {});
    model::build(PETSC_COMM_SELF, model, {});
  } catch (const base::InputError& error) {
    return error.diagnostics();
  }
  return {};
}

std::string shown(const Diagnostics& complaints) {
  std::string text;
  for (const base::Diagnostic& d : complaints) text += base::format(d) + "\n";
  return text;
}

// One complaint that holds the fragment, at the line; 0: at the file, or none.
void expect_one(const Diagnostics& found, const std::string& fragment, int line) {
  ASSERT_EQ(found.size(), 1U) << fragment << "\n" << shown(found);
  EXPECT_NE(found[0].what.find(fragment), std::string::npos) << shown(found);
  EXPECT_EQ(found[0].where.line, line) << shown(found);
  EXPECT_FALSE(found[0].remedy.empty()) << shown(found);
}

// ---- Nastran

const char* const kBulk = R"(GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,1.,1.,0.
CBAR,1,1,1,2,0.,0.,1.
CBAR,2,1,2,3,0.,0.,1.
PBARL,1,1,,ROD
,.01
MAT1,1,2.e11,,.3,7850.
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(LinesOfNastran, AreGoodAsTheyStand) {
  EXPECT_TRUE(complaints_of("a.bdf", kBulk).empty()) << shown(complaints_of("a.bdf", kBulk));
}

TEST(LinesOfNastran, RigidElementsMayHangOnOthersBehindThem) {
  const std::string chain =
      "GRID,4,,0.,1.,0.\nGRID,5,,0.,2.,0.\nRBE2,4,4,123456,5\n"
      "RBE2,5,1,123456,4\nCONM2,6,5,,2.\n";
  EXPECT_TRUE(complaints_of("a.bdf", kBulk + chain).empty())
      << shown(complaints_of("a.bdf", kBulk + chain));
}

struct Wrong {
  const char *what, *by, *fragment;
  int line;
};

class WrongBulk : public testing::TestWithParam<Wrong> {};

TEST_P(WrongBulk, IsToldWithItsLine) {
  const Wrong& wrong = GetParam();
  expect_one(complaints_of("a.bdf", replaced(kBulk, wrong.what, wrong.by)), wrong.fragment,
             wrong.line);
}

const char* const kFirst = "CBAR,1,1,1,2,0.,0.,1.";
const char* const kSection = "PBARL,1,1,,ROD\n,.01";
const char* const kMaterial = "MAT1,1,2.e11,,.3,7850.\n";

INSTANTIATE_TEST_SUITE_P(
    Elements, WrongBulk,
    testing::Values(
        Wrong{kFirst, "CBAR,1,1,1,2,1.,0.,0.", "CBAR 1 has an orientation parallel to its axis", 4},
        Wrong{kFirst, "CBAR,1,1,1,1,0.,0.,1.", "both ends are grid 1", 4},
        Wrong{"GRID,2,,1.", "GRID,2,,0.", "CBAR 1 has zero length", 4},
        Wrong{kFirst, "CBAR,1,1,1,9,0.,0.,1.", "uses grid 9", 4},
        Wrong{kFirst, "CBAR,1,1,1,2,9", "uses grid 9", 4},
        Wrong{kFirst, "CBAR,1,5,1,2,0.,0.,1.", "uses property 5", 4},
        Wrong{kFirst, "CBAR,1,1,1,2,0.,0.,1.,,\n,456", "pin flags (PA 456)", 4},
        Wrong{kFirst, "CBEAM,1,1,1,2,0.,0.,1.,,\n,,5", "pin flags (PB 5)", 4},
        Wrong{kFirst, "CBEAM,1,1,1,2,0.,0.,1.,,\n,,,,,,,,,\n,7", "warping", 4},
        Wrong{kFirst, "CBAR,1,1,1,2,0.,0.,1.,GGO", "offsets in element axes", 4},
        Wrong{kFirst, "CBAR,2,1,1,2,0.,0.,1.", "CBAR 2: another beam has the same number", 5},
        Wrong{kFirst, "CROD,9,1,1,2\nCBAR,1,1,1,2,0.,0.,1.", "CROD changes stiffness or mass", 4},
        Wrong{kFirst, "CBAR,1,1,1,2,0.,0.,1.\nRBE3,4,,1,123456,1.,123,2,3",
              "RBE3 4 couples nodes of beams, but not rigidly", 5},
        Wrong{kFirst, "CBAR,1,1,1,2,0.,0.,1.\nRBE2,4,1,123,3",
              "RBE2 4 couples nodes of beams, but not rigidly", 5},
        Wrong{kFirst, "CBAR,1,1,1,2,0.,0.,1.\nRBE2,4,1,123456,3\nRBE2,5,2,123456,3",
              "RBE2 5 constrains node 3, which is already constrained by another rigid element", 6},
        Wrong{kFirst, "CBAR,1,1,1,2,0.,0.,1.\nGRID,4,,0.,0.,9.\nCONM2,6,4,,2.",
              "CONM2 6 is on node 4, which is on no line", 6},
        Wrong{kFirst, "CBAR,1,1,1,2,0.,0.,1.\nCONM2,6,1,,-2.", "CONM2 6 has the mass -2 kg", 5},
        Wrong{kFirst,
              "CBAR,1,1,1,2,0.,0.,1.\nGRID,4,,5.,0.,0.\nGRID,5,,6.,0.,0.\nCBAR,3,1,4,5,0.,0.,1.",
              "2 disconnected parts: 2 lines with CBAR 1; 1 line with CBAR 3", 0}));

INSTANTIATE_TEST_SUITE_P(
    Properties, WrongBulk,
    testing::Values(
        Wrong{kMaterial, "", "PBARL 1 uses material 1", 6},
        Wrong{kMaterial, "MAT9,1\n", "PBARL 1 uses MAT9 1", 6},
        Wrong{"7850.", "", "CBAR 1, CBAR 2 have the material MAT1 1 with density 0", 4},
        Wrong{kSection, "PBARL,1,1,,BOX\n,.1,.1,.01,.01", "sections of type BOX", 6},
        Wrong{kSection, "PBARL,1,1,,BAR\n,.1", "field 3 of its continuation 1 is blank", 6},
        Wrong{kSection, "PBARL,1,1,,ROD\n,-.1", "DIM1 is -0.1", 6},
        Wrong{kSection, "PBARL,1,1,,TUBE\n,.1,.2", "the tube has a radius of 0.1", 6},
        Wrong{kSection, "PBARL,1,1,,I\n,.1,.05,.06,.01,.01,.01", "different flanges", 6},
        Wrong{kSection, "PBARL,1,1,,I\n,.1,.05,.05,.01,.06,.06", "leave no web", 6},
        Wrong{kSection, "PBARL,1,1,,ROD\n,.1,-3.", "the mass per length -3 is negative", 6},
        Wrong{kSection, "PBEAML,1,1,,ROD\n,.1,,NO,1.,.2", "tapered elements are", 6},
        Wrong{kSection, "PBAR,1,1,1.,2.,3.", "J is 0", 6},
        Wrong{kSection, "PBAR,1,1,1.,2.,3.,4.,,,\n,,,,,,,,,\n,,,2.5", "I12 is 2.5", 6},
        Wrong{kSection, "PBAR,1,1,1.,2.,3.,4.,,,\n,,,,,,,,,\n,.8,.7,.1", "K1 differs from K2", 6},
        Wrong{kSection, "PBEAM,1,1,1.,2.,3.,,4.,,\n,,,,,,,,,\n,NO,1.,.5", "tapered elements are",
              6},
        Wrong{kSection, "PBEAM,1,1,1.,2.,3.,,4.,,\n,,,,,,,,,\n,,,,,,,,,\n,,,,,.1", "neutral axes",
              6},
        Wrong{kSection, "PBEAM,1,1,1.,2.,3.,,4.,,\n,,,,,,,,,\n,,,,,.1", "inertia per length", 6}));

TEST(LinesOfNastran, AllMistakesComeAtOnce) {
  const Diagnostics found = complaints_of(
      "a.bdf", replaced(replaced(kBulk, kFirst, "CBAR,1,5,1,2,0.,0.,1."), "CBAR,2,1,2,3,0.,0.,1.",
                        "CBAR,2,1,2,3,0.,1.,0.\nCELAS2,3,1.,1,1"));
  EXPECT_EQ(found.size(), 3U) << shown(found);
}

TEST(LinesOfNastran, AMeshOfSolidsHasNone) {
  expect_one(complaints_of("a.bdf", R"(GRID,1,,0.,0.,0.
GRID,2,,1.,0.,0.
GRID,3,,0.,1.,0.
GRID,4,,0.,0.,1.
CTETRA,1,1,1,2,3,4
)"),
             "contains no lines for beam", 0);
}

// ---- Models

struct WrongKeys {
  const char *keys, *fragment;
  int line;
};

class WrongKeysOfLines : public testing::TestWithParam<WrongKeys> {};

TEST_P(WrongKeysOfLines, AreToldWithTheirLine) {
  const WrongKeys& wrong = GetParam();
  const std::string sets = "SET1,5,1,2\n$NAME SET 5 two\nGRID,8,,0.,0.,9.\nCONM2,6,1,,2.\n";
  expect_one(complaints_of("a.bdf", kBulk + sets, wrong.keys), wrong.fragment, wrong.line);
}

INSTANTIATE_TEST_SUITE_P(
    Keys, WrongKeysOfLines,
    testing::Values(
        WrongKeys{"groups: {legs: {section: {type: circle, radius: 0.1}}}",
                  "has no lines of this name", 5},
        WrongKeys{
            "groups: {PBARL_1: {section: {type: circle, radius: 0.1}}, two: {section: {type: circle, radius: 0.2}}}",
            "have two groups, PBARL_1 and two,", 4},
        WrongKeys{"places: {tip: {in_set: none}}", "has no set `none`", 5},
        WrongKeys{"places: {tip: {in_set: two}}", "the set `two` has 2 nodes", 5},
        WrongKeys{"places: {tip: {node: 8}}", "node 8 is on no line", 5},
        WrongKeys{"places: {tip: {at: [1, 2, 0]}}",
                  "there is no node at this point; the nearest, 3", 5},
        WrongKeys{"y_axis: [1, 0, 0]", "CBAR 1 has the direction of the `y_axis`", 4},
        WrongKeys{"mesh_units: mm, material: steel", "1 point masses (first: CONM2 6) have no unit",
                  0},
        WrongKeys{"mesh_units: mm", "CBAR 1, CBAR 2 have a material whose unit is unknown", 4}));

// ---- Gmsh and Abaqus

const char* const kGmsh = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
2
1 0 0 0
2 1 0 0
$EndNodes
$Elements
1
1 TYPE 2 0 1 NODES
$EndElements
)";

TEST(LinesOfGmsh, NeedSectionAndMaterial) {
  const std::string file = replaced(replaced(kGmsh, "TYPE", "1"), "NODES", "1 2");
  expect_one(complaints_of("a.msh", file, "material: steel"), "line 1 has no section", 0);
  expect_one(complaints_of("a.msh", file, "section: {type: circle, radius: 0.1}"),
             "line 1 has no material", 0);
  EXPECT_TRUE(complaints_of("a.msh", file, "section: {type: circle, radius: 0.1}, material: steel")
                  .empty());
}

const char* const kAbaqus = R"(*NODE
1, 0, 0, 0
2, 1, 0, 0
*ELEMENT, TYPE=B31, ELSET=all
1, 1, 2
*MATERIAL, NAME=iron
*ELASTIC
2e11, 0.3
*DENSITY
7850
*BEAM SECTION, ELSET=all, MATERIAL=iron, SECTION=RECT
0.01, 0.02
0, 1, 0
)";

TEST(LinesOfAbaqus, AreGoodAsTheyStand) {
  EXPECT_TRUE(complaints_of("a.inp", kAbaqus).empty()) << shown(complaints_of("a.inp", kAbaqus));
}

class WrongInput : public testing::TestWithParam<Wrong> {};

TEST_P(WrongInput, IsToldWithItsLine) {
  const Wrong& wrong = GetParam();
  expect_one(complaints_of("a.inp", replaced(kAbaqus, wrong.what, wrong.by)), wrong.fragment,
             wrong.line);
}

const char* const kGeneral = "*BEAM SECTION, ELSET=all, MATERIAL=iron, SECTION=RECT\n0.01, 0.02";

INSTANTIATE_TEST_SUITE_P(
    Sections, WrongInput,
    testing::Values(
        Wrong{"B31", "B21", "beams of type B21 are not supported", 4},
        Wrong{"1, 1, 2\n", "1, 1, 2, 1, 2\n", "elements of type B31 have 4 nodes", 4},
        Wrong{"1, 1, 2\n", "1, 1, 7\n", "uses node 7", 4},
        Wrong{"0, 1, 0", "1, 0, 0", "B31 1 has an orientation parallel to its axis", 4},
        Wrong{"MATERIAL=iron,", "MATERIAL=tin,", "there is no material `tin`", 11},
        Wrong{"RECT", "BOX", "shape `BOX`", 11},
        Wrong{"RECT", "CIRC", "shape CIRC has 2 dimensions", 11},
        Wrong{"RECT\n0.01, 0.02", "PIPE\n0.01, 0.02", "exceeds its radius", 11},
        Wrong{"RECT\n0.01, 0.02", "RECT\n0.01, 0", "2 positive ones", 11},
        Wrong{"RECT\n0.01, 0.02", "I\n.1, .2, .1, .2, .01, .01, .01", "different flanges", 11},
        Wrong{"0, 1, 0\n", "0, 1, 0\n*TRANSVERSE SHEAR\n1, 1\n", "*TRANSVERSESHEAR", 14},
        Wrong{"0, 1, 0\n", "0, 1, 0\n*RELEASE\n1, S1, ALLM\n", "*RELEASE", 14},
        Wrong{kGeneral, "*BEAM GENERAL SECTION, ELSET=all, DENSITY=7850\n1, 1, 2, 1, 1",
              "I12 2, I22 1, J 1 are not valid for a beam", 11},
        Wrong{"*DENSITY\n7850\n", "", "B31 1 has the material iron with density 0", 4}));

TEST(LinesOfAbaqus, HalvesOfOneWithAMiddleAreNamedOnce) {
  const std::string text =
      replaced(replaced(kAbaqus, "2, 1, 0, 0\n", "2, 1, 0, 0\n3, .5, 0, 0\n"),
               "TYPE=B31, ELSET=all\n1, 1, 2", "TYPE=B32, ELSET=all\n1, 1, 3, 2");
  const Diagnostics found = complaints_of("a.inp", replaced(text, "0, 1, 0\n", "1, 0, 0\n"));
  ASSERT_EQ(found.size(), 1U) << shown(found);
  EXPECT_EQ(found[0].what, "B32 1 has an orientation parallel to its axis");
}

// ---- Sensors of sections, and strains of groups

struct WrongSensor {
  const char *place, *fragment;
};

class WrongSection : public testing::TestWithParam<WrongSensor> {};

TEST_P(WrongSection, IsToldWithTheSensorsLine) {
  const std::string bulk =
      std::string(kBulk) + "GRID,4,,2.,0.,0.\nCBAR,7,2,2,4,0.,0.,1.\nPBAR,2,1,1.,2.,3.,4.\n";
  const std::string keys =
      std::string(kKeys) + ", places: {root: {node: 1}, mid: {node: 2}, tip: {node: 3}}";
  const std::string sensors =
      "sensors:\n  s: {type: section_force, body: frame, " + std::string(GetParam().place) + "}\n";
  expect_one(complaints_of("a.bdf", bulk, keys, sensors), GetParam().fragment, 7);
}

INSTANTIATE_TEST_SUITE_P(
    OfLines, WrongSection,
    testing::Values(
        WrongSensor{"point: end", "sensors.s.point: the beam `frame` has no place `end`"},
        WrongSensor{"point: mid",
                    "at `mid` the beam `frame` has 3 lines: CBAR 1, CBAR 2 and CBAR 7"},
        WrongSensor{"point: mid, side: after", "has 2 lines: CBAR 2 and CBAR 7"},
        WrongSensor{"point: tip, side: after", "has no line that begins there"},
        WrongSensor{"point: tip, group: PBAR_2", "has no line of the group `PBAR_2`"},
        WrongSensor{"point: tip, line: 1", "has no line with the number 1"},
        WrongSensor{"line: 3, fraction: 0.5", "a.bdf has no line with the number 3"},
        WrongSensor{"line: 7, fraction: 0.5, component: stress_max",
                    "the outermost fibres of the section of CBAR 7 are unknown"},
        WrongSensor{"fraction: 0.5", "sensors.s.fraction refers to one line of the mesh"},
        WrongSensor{"line: 1, group: PBARL_1, point: root", "sensors.s.group is redundant"},
        WrongSensor{"line: 1, fraction: 0, side: after", "sensors.s.side is redundant"}));

TEST(StrainsOfGroups, ThatTheirStiffnessCannotCarryAreRefused) {
  const Diagnostics found = complaints_of(
      "a.bdf", kBulk, std::string(kKeys) + ", groups: {PBARL_1: {prestress: {axial: 1e9}}}");
  ASSERT_EQ(found.size(), 1U) << shown(found);
  EXPECT_NE(found[0].what.find("bodies.frame: its prestress of 1e+09 N is not below E A"),
            std::string::npos);
}

}  // namespace
}  // namespace solidyn
