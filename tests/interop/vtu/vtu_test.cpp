#include "solidyn/formats/vtu/vtu.h"

#include <gmock/gmock.h>

#include <cstdio>

#include "solidyn/base/error.h"
#include "solidyn/mesh/check.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/mesh/report.h"

namespace solidyn {
namespace {

using elements::ElementType;
using formats::parse_vtu;
using formats::VtuEncoding;
using mesh::Mesh;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

void expect_equal(const Mesh& a, const Mesh& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.node_tags, b.node_tags);
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    EXPECT_EQ(a.blocks[i].type, b.blocks[i].type);
    EXPECT_EQ(a.blocks[i].tags, b.blocks[i].tags);
    EXPECT_EQ(a.blocks[i].connectivity, b.blocks[i].connectivity);
  }
  ASSERT_EQ(a.sets.size(), b.sets.size());
  for (const auto& [name, set] : a.sets) {
    EXPECT_EQ(b.sets.at(name).nodes, set.nodes) << name;
    EXPECT_EQ(b.sets.at(name).dimension, set.dimension) << name;
  }
}

class VtuRoundTrip : public ::testing::TestWithParam<std::tuple<ElementType, VtuEncoding>> {};

TEST_P(VtuRoundTrip, KeepsNodesElementsTagsAndSets) {
  const auto [type, encoding] = GetParam();
  mesh::BoxOptions box;
  box.type = type;
  box.nx = 3;
  box.ny = 2;
  box.perturbation = 0.1;
  Mesh mesh = mesh::make_box(box);
  for (std::int64_t& tag : mesh.node_tags) tag = 3 * tag + 100;
  for (std::int64_t& tag : mesh.blocks[0].tags) tag = 7 * tag + 4;
  mesh.sets["a \"quoted\" <name> & more"] = {0, {1, 5}};
  mesh.sets["empty"] = {2, {}};
  const std::string path = ::testing::TempDir() + "solidyn_round.vtu";
  formats::write_vtu(path, mesh, encoding);
  expect_equal(mesh, formats::read_vtu(path));
  formats::write_vtu(path, mesh, encoding, 1e-3);
  const Mesh back = formats::read_vtu(path, 1e-3);
  EXPECT_LT((back.x - mesh.x).cwiseAbs().maxCoeff(), 1e-15);
  std::remove(path.c_str());
}

INSTANTIATE_TEST_SUITE_P(
    Types, VtuRoundTrip,
    ::testing::Combine(::testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                       ::testing::Values(VtuEncoding::ascii, VtuEncoding::base64, VtuEncoding::raw,
                                         VtuEncoding::compressed)),
    [](const auto& info) {
      return std::string(elements::name(std::get<0>(info.param))) +
             std::to_string(static_cast<int>(std::get<1>(info.param)));
    });

const std::string kTetPoints = "0 0 0  1 0 0  0 1 0  0 0 1";

std::string file(const std::string& points, int n_points, const std::string& connectivity,
                 const std::string& offsets, const std::string& types, int n_cells,
                 const std::string& data = {}) {
  const auto array = [](const char* type, const char* name, const std::string& text) {
    return std::string("<DataArray type=\"") + type + "\" Name=\"" + name + "\" format=\"ascii\">" +
           text + "</DataArray>\n";
  };
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid>\n"
         "<Piece NumberOfPoints=\"" +
         std::to_string(n_points) + "\" NumberOfCells=\"" + std::to_string(n_cells) +
         "\">\n<Points>\n<DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">" +
         points + "</DataArray>\n</Points>\n<Cells>\n" +
         array("Int32", "connectivity", connectivity) + array("Int32", "offsets", offsets) +
         array("UInt8", "types", types) + "</Cells>\n" + data +
         "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
}

TEST(Vtu, IntegerArraysBecomeSets) {
  const Mesh mesh = parse_vtu(
      file(
          kTetPoints + " 1 1 1", 5, "0 1 2 3  1 2 4 3  0 1 2  4", "4 8 11 12", "10 10 5 1", 4,
          "<CellData><DataArray type=\"Int32\" Name=\"MaterialIds\" format=\"ascii\">3 5 8 0</DataArray>\n"
          "<DataArray type=\"Int32\" Name=\"tip\" format=\"ascii\">0 0 0 1</DataArray>\n"
          "<DataArray type=\"Float32\" Name=\"strain\" format=\"ascii\">1 2 3 4</DataArray>\n"
          "</CellData><PointData><DataArray type=\"UInt8\" Name=\"fixed\" format=\"ascii\">1 0 0 1 0</DataArray></PointData>"),
      "hand.vtu");
  EXPECT_EQ(mesh.sets.size(), 5U);
  EXPECT_THAT(mesh.sets.at("MaterialIds_3").nodes, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(mesh.sets.at("MaterialIds_5").dimension, 3);
  EXPECT_THAT(mesh.sets.at("MaterialIds_8").nodes, ElementsAre(0, 1, 2));
  EXPECT_EQ(mesh.sets.at("MaterialIds_8").dimension, 2);
  EXPECT_THAT(mesh.sets.at("tip").nodes, ElementsAre(4));
  EXPECT_THAT(mesh.sets.at("fixed").nodes, ElementsAre(0, 3));
  EXPECT_THAT(mesh.node_tags, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(mesh.find_block(ElementType::tri3)->size(), 1);
}

double volume(Mesh mesh) {
  mesh::check(mesh, "checked.vtu");
  return mesh::make_report(mesh).volume;
}

TEST(Vtu, VoxelsBecomeHexahedra) {
  const std::string points = "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1";
  EXPECT_NEAR(volume(parse_vtu(file(points, 8, "0 1 2 3 4 5 6 7", "8", "11", 1), "voxel.vtu")), 1.0,
              1e-12);
}

TEST(Vtu, WedgesOfBothTurnsHaveTheirVolume) {
  const std::string points = "0 0 0 1 0 0 0 1 0 0 0 1 1 0 1 0 1 1";
  for (const char* nodes : {"0 1 2 3 4 5", "3 4 5 0 1 2", "0 2 1 3 5 4"})
    EXPECT_NEAR(volume(parse_vtu(file(points, 6, nodes, "6", "13", 1), "wedge.vtu")), 0.5, 1e-12);
}

/// In quadratic wedges the middle nodes turn with the corners.
TEST(Vtu, QuadraticWedgesOfBothTurnsKeepMiddleNodesBetweenTheirCorners) {
  const std::string points =
      "0 0 0 1 0 0 0 1 0 0 0 1 1 0 1 0 1 1  .5 0 0 .5 .5 0 0 .5 0  .5 0 1 .5 .5 1 0 .5 1 0 0 .5 1 0 .5 0 1 .5";
  for (const char* nodes :
       {"0 1 2 3 4 5 6 7 8 9 10 11 12 13 14", "3 4 5 0 1 2 9 10 11 6 7 8 12 13 14"}) {
    const Mesh mesh = parse_vtu(file(points, 15, nodes, "15", "26", 1), "wedge15.vtu");
    EXPECT_NEAR(volume(mesh), 0.5, 1e-12);
    EXPECT_THAT(mesh.blocks[0].connectivity,
                ElementsAre(0, 1, 2, 3, 4, 5, 6, 8, 12, 7, 13, 14, 9, 11, 10));
  }
}

TEST(Vtu, NodesInsideFacesLeaveTheMesh) {
  std::string points, nodes;
  for (const char* x : {"0 0 0",   "1 0 0",   "1 1 0",   "0 1 0",   "0 0 1",   "1 0 1",   "1 1 1",
                        "0 1 1",   ".5 0 0",  "1 .5 0",  ".5 1 0",  "0 .5 0",  ".5 0 1",  "1 .5 1",
                        ".5 1 1",  "0 .5 1",  "0 0 .5",  "1 0 .5",  "1 1 .5",  "0 1 .5",  "0 .5 .5",
                        "1 .5 .5", ".5 0 .5", ".5 1 .5", ".5 .5 0", ".5 .5 1", ".5 .5 .5"})
    points += std::string(x) + " ";
  for (int i = 0; i < 27; ++i) nodes += std::to_string(i) + " ";
  const Mesh mesh = parse_vtu(file(points, 27, nodes, "27", "29", 1), "hex27.vtu");
  EXPECT_EQ(mesh.n_nodes(), 20);
  EXPECT_EQ(mesh.find_block(ElementType::hex20)->size(), 1);
  EXPECT_NEAR(volume(mesh), 1.0, 1e-12);
}

/// Four points of float32 in big-endian order behind a 32-bit header: 48 bytes.
std::string big_endian_points(bool is_header_apart) {
  return is_header_apart
             ? "AAAAMA==AAAAAAAAAAAAAAAAP4AAAAAAAAAAAAAAAAAAAD+AAAAAAAAAAAAAAAAAAAA/gAAA"
             : "AAAAMAAAAAAAAAAAAAAAAD+AAAAAAAAAAAAAAAAAAAA/gAAAAAAAAAAAAAAAAAAAP4AAAA==";
}

TEST(Vtu, BigEndianInlineAndAppendedBase64AreRead) {
  for (bool is_header_apart : {false, true})
    for (bool is_appended : {false, true}) {
      std::string text = file("@", 4, "0 1 2 3", "4", "10", 1);
      text.replace(text.find("<VTKFile "), 9, "<VTKFile byte_order=\"BigEndian\" ");
      const std::string data = big_endian_points(is_header_apart);
      const std::size_t at = text.find("format=\"ascii\">@");
      text.replace(at, 16,
                   is_appended ? "format=\"appended\" offset=\"4\">"
                               : "format=\"binary\">\n  " + data + "\n");
      if (is_appended)
        text.insert(text.find("</VTKFile>"),
                    "<AppendedData encoding=\"base64\">\n  _AAAA" + data + "\n</AppendedData>");
      const Mesh mesh = parse_vtu(text, "big.vtu");
      EXPECT_EQ(mesh.x.col(1), Eigen::Vector3d(1, 0, 0));
      EXPECT_EQ(mesh.x.col(3), Eigen::Vector3d(0, 0, 1));
    }
}

std::string error_of(const std::string& text) {
  try {
    parse_vtu(text, "bad.vtu");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string tet(const std::string& before, const std::string& after) {
  std::string text = file(kTetPoints, 4, "0 1 2 3", "4", "10", 1);
  EXPECT_EQ(error_of(text), "accepted");
  return text.replace(text.find(before), before.size(), after);
}

TEST(Vtu, ErrorsSayWhatIsWrong) {
  EXPECT_THAT(error_of(""), HasSubstr("empty"));
  EXPECT_THAT(error_of("solid"), HasSubstr("bad.vtu: error"));
  EXPECT_THAT(error_of(tet("UnstructuredGrid\"", "PolyData\"")), HasSubstr("`PolyData`"));
  EXPECT_THAT(error_of(tet("<VTKFile", "<VTKFile compressor=\"vtkLZ4DataCompressor\"")),
              HasSubstr("vtkLZ4DataCompressor"));
  EXPECT_THAT(error_of(tet("0 1 2 3", "0 1 2 4")), HasSubstr("cell 0 uses point 4 of 4"));
  EXPECT_THAT(error_of(tet("0 1 2 3", "0 1 2 x")),
              HasSubstr("`connectivity`: `x` is not a valid number"));
  EXPECT_THAT(error_of(tet(">4<", ">5<")), HasSubstr("out of order"));
  EXPECT_THAT(error_of(tet(">10<", ">42<")), HasSubstr("the VTK type 42"));
  EXPECT_THAT(error_of(tet(">10<", ">12<")), HasSubstr("type 12 has 4 nodes"));
  EXPECT_THAT(error_of(tet("0 0 1<", "0 0 nan<")), HasSubstr("finite"));
  EXPECT_THAT(error_of(tet("0 0 1<", "0 0<")), HasSubstr("4 points are declared"));
  EXPECT_THAT(error_of(tet("<Piece ", "<Piece/><Piece ")), HasSubstr("several pieces"));
  EXPECT_THAT(error_of(tet("format=\"ascii\">0 0 0", "format=\"binary\">####")),
              HasSubstr("not base64"));
}

/// Header of 4-byte numbers: blocks, size of a block, of the last one, packed sizes ..
std::string with_compressed_points(const std::string& base64) {
  std::string text = tet("<VTKFile", "<VTKFile compressor=\"vtkZLibDataCompressor\"");
  const std::string before = "format=\"ascii\">" + kTetPoints;
  return text.replace(text.find(before), before.size(), "format=\"binary\">" + base64);
}

TEST(Vtu, CompressedArraysThatAnnounceTooMuchAreRefusedBeforeTheyAreUnpacked) {
  // 0xffffffff blocks of 0x7fffffff bytes, and one block of 0x02000000
  for (const char* header : {"/////////38AAAAAAQAAAA==", "AQAAAAAAAAIAAAAAAQAAAA=="})
    EXPECT_THAT(error_of(with_compressed_points(header)),
                HasSubstr("which is implausible for the file size"));
}

}  // namespace
}  // namespace solidyn
