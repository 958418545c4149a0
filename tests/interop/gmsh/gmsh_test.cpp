#include "solidyn/formats/gmsh/gmsh.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>

#include "solidyn/base/error.h"
#include "solidyn/elements/topology.h"
#include "solidyn/mesh/boundary.h"
#include "solidyn/mesh/check.h"
#include "solidyn/mesh/element_geometry.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;
using mesh::ElementBlock;
using mesh::Mesh;
using testing::HasSubstr;

std::string data(const std::string& name) {
  return std::string(SOLIDYN_SOURCE_DIR "/tests/interop/gmsh/data/") + name;
}

std::string scratch(const std::string& name) { return testing::TempDir() + "solidyn_gmsh_" + name; }

double volume(const Mesh& mesh) {
  double sum = 0.0;
  for (const ElementBlock& block : mesh.blocks) {
    if (elements::dimension(block.type) != 3) continue;
    for (std::int64_t e = 0; e < block.size(); ++e)
      sum += mesh::volume(mesh::gather_positions(mesh.x, block, e));
  }
  return sum;
}

std::int64_t count(const Mesh& mesh, ElementType type) {
  const ElementBlock* block = mesh.find_block(type);
  return block ? block->size() : 0;
}

std::string message_of(const std::string& path) {
  try {
    read_gmsh(path);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_equal(const Mesh& a, const Mesh& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.node_tags, b.node_tags);
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (const ElementBlock& block : a.blocks) {
    const ElementBlock* other = b.find_block(block.type);
    ASSERT_NE(other, nullptr);
    EXPECT_EQ(block.connectivity, other->connectivity);
    EXPECT_EQ(block.tags, other->tags);
  }
  ASSERT_EQ(a.sets.size(), b.sets.size());
  for (const auto& [name, set] : a.sets) {
    EXPECT_EQ(set.dimension, b.sets.at(name).dimension) << name;
    EXPECT_EQ(set.nodes, b.sets.at(name).nodes) << name;
  }
}

class PetscCube : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Kinds, PetscCube,
                         testing::Values("gmsh-3d-ascii.msh2", "gmsh-3d-binary.msh2",
                                         "gmsh-3d-ascii-64.msh", "gmsh-3d-binary-64.msh"));

TEST_P(PetscCube, HasTheFactsOfItsOrigin) {
  const Mesh mesh = read_gmsh(data(GetParam()));
  EXPECT_EQ(mesh.n_nodes(), 131);
  EXPECT_EQ(count(mesh, ElementType::tet4), 364);
  EXPECT_EQ(count(mesh, ElementType::tri3), 160);
  EXPECT_EQ(mesh.x.rowwise().minCoeff(), Eigen::Vector3d::Zero());
  EXPECT_EQ(mesh.x.rowwise().maxCoeff(), Eigen::Vector3d::Ones());
  EXPECT_NEAR(volume(mesh), 1.0, 1e-12);
  ASSERT_EQ(mesh.sets.size(), 2u);
  EXPECT_EQ(mesh.sets.at("domain").dimension, 3);
  EXPECT_EQ(mesh.sets.at("domain").nodes.size(), 131u);
  EXPECT_EQ(mesh.sets.at("boundary").dimension, 2);
  EXPECT_EQ(mesh.sets.at("boundary").nodes.size(), 96u);
}

class Box : public testing::TestWithParam<std::tuple<ElementType, const char*>> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Box,
                         testing::Combine(testing::Values(ElementType::tet4, ElementType::tet10),
                                          testing::Values("msh22_asc", "msh22_bin", "msh41_asc",
                                                          "msh41_bin")));

TEST_P(Box, HasTheFactsOfItsScript) {
  const auto [type, kind] = GetParam();
  const Mesh mesh = read_gmsh(data(std::string(elements::name(type)) + "_" + kind + ".msh"));
  EXPECT_EQ(count(mesh, type), 24);
  EXPECT_EQ(mesh.n_nodes(), type == ElementType::tet4 ? 18 : 75);
  EXPECT_NEAR(volume(mesh), 2.0, 1e-14);
  EXPECT_EQ(mesh.sets.at("BODY").nodes.size(), static_cast<std::size_t>(mesh.n_nodes()));
  EXPECT_EQ(mesh.sets.at("BOTTOM").dimension, 2);
  for (std::int32_t node : mesh.sets.at("BOTTOM").nodes) EXPECT_EQ(mesh.x(2, node), 0.0);
}

TEST_P(Box, Tet10MidSideNodesLieBetweenTheirCorners) {
  const auto [type, kind] = GetParam();
  if (type != ElementType::tet10) GTEST_SKIP() << "tet4 has no mid-side nodes";
  const Mesh mesh = read_gmsh(data(std::string("tet10_") + kind + ".msh"));
  // A wrong order of the last two nodes would change the Jacobian from point to point.
  for (const ElementBlock& block : mesh.blocks) {
    if (block.type != ElementType::tet10) continue;
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const mesh::ElementPositions x = mesh::gather_positions(mesh.x, block, e);
      EXPECT_NEAR(mesh::smallest_jacobian(x), 6.0 * mesh::volume(x), 1e-10);  // as Gmsh writes
    }
  }
}

TEST(Gmsh, FileWithoutGroupsHasNoSets) {
  const Mesh mesh = read_gmsh(data("cube_q2.msh"));
  EXPECT_EQ(mesh.n_nodes(), 63);
  EXPECT_EQ(count(mesh, ElementType::tet10), 24);
  EXPECT_EQ(count(mesh, ElementType::tri6), 24);
  EXPECT_EQ(count(mesh, ElementType::line3), 12);
  EXPECT_TRUE(mesh.sets.empty());
  EXPECT_NEAR(volume(mesh), 1.0, 1e-12);
}

TEST(Gmsh, ScaleTurnsMillimetresIntoMetres) {
  const Mesh metres = read_gmsh(data("tet4_msh41_asc.msh"));
  const Mesh millimetres = read_gmsh(data("tet4_msh41_asc.msh"), 1e-3);
  EXPECT_LT((millimetres.x - 1e-3 * metres.x).norm(), 1e-18);
}

// Boxes 2 x 1 x 1, and one of PyMesh's; wrong node orders would give other Jacobians at the
// corners.
TEST(Gmsh, HexahedraAndWedgesFillTheirBoxes) {
  for (const auto& [file, type] : {std::pair{"hex8_msh22_asc.msh", ElementType::hex8},
                                   {"hex20_msh41_bin.msh", ElementType::hex20},
                                   {"wedge6_msh41_asc.msh", ElementType::wedge6},
                                   {"wedge15_msh22_bin.msh", ElementType::wedge15}}) {
    SCOPED_TRACE(file);
    Mesh mesh = read_gmsh(data(file));
    EXPECT_GT(count(mesh, type), 0);
    EXPECT_NEAR(volume(mesh), 2.0, 1e-13);
    EXPECT_EQ(mesh.sets.at("BODY").nodes.size(), static_cast<std::size_t>(mesh.n_nodes()));
    for (std::int32_t node : mesh.sets.at("BOTTOM").nodes) EXPECT_EQ(mesh.x(2, node), 0.0);
    EXPECT_NO_THROW(mesh::check(mesh, file));
    const ElementBlock& block = *mesh.find_block(type);
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const mesh::ElementPositions x = mesh::gather_positions(mesh.x, block, e);
      const int n_corners = elements::n_corners(type);
      for (int i = n_corners; i < x.cols(); ++i) {
        const auto [a, b] = elements::edges(type)[i - n_corners];
        EXPECT_LT((x.col(i) - 0.5 * (x.col(a) + x.col(b))).norm(), 1e-10);  // as Gmsh writes
      }
    }
  }
}

TEST(Gmsh, Hex20OfAnotherProgramIsRead) {
  Mesh mesh = read_gmsh(data("gmsh-hex-20node.msh"));
  EXPECT_GT(count(mesh, ElementType::hex20), 0);
  EXPECT_NO_THROW(mesh::check(mesh, "gmsh-hex-20node.msh"));
}

class SolidsRoundTrip : public testing::TestWithParam<ElementType> {};
INSTANTIATE_TEST_SUITE_P(Types, SolidsRoundTrip,
                         testing::Values(ElementType::hex8, ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                         [](const auto& info) { return std::string(elements::name(info.param)); });

TEST_P(SolidsRoundTrip, EveryKindOfFileHoldsTheSameMesh) {
  mesh::BoxOptions box;
  box.type = GetParam();
  box.nx = box.ny = 2;
  box.perturbation = 0.2;
  const Mesh made = mesh::make_box(box);
  const std::string path = scratch(std::string("solids_") + elements::name(GetParam()) + ".msh");
  for (const GmshVersion version : {GmshVersion::v2_2, GmshVersion::v4_1})
    for (const GmshEncoding encoding : {GmshEncoding::ascii, GmshEncoding::binary}) {
      write_gmsh(path, made, version, encoding);
      const Mesh back = read_gmsh(path);
      EXPECT_EQ(back.x, made.x);
      EXPECT_EQ(back.find_block(GetParam())->connectivity, made.blocks[0].connectivity);
      for (const auto& [name, set] : made.sets) EXPECT_EQ(back.sets.at(name).nodes, set.nodes);
    }
  std::remove(path.c_str());
}

TEST(Gmsh, RodsOfTheProjectHaveTheirDocumentedFacts) {
  struct Facts {
    const char* file;
    int n_nodes, n_elements;
    double volume;
  };
  for (const Facts& rod : {Facts{"rod_circular", 6253, 3024, 8.480983e-6},
                           {"rod_rectangular", 6225, 2976, 8.482300e-6},
                           {"rod_circular_coarse", 1125, 528, 8.475698e-6}}) {
    const Mesh mesh = read_gmsh(std::string(SOLIDYN_SOURCE_DIR "/meshes/") + rod.file + ".msh");
    EXPECT_EQ(mesh.n_nodes(), rod.n_nodes);
    EXPECT_EQ(count(mesh, ElementType::tet10), rod.n_elements);
    EXPECT_NEAR(volume(mesh), rod.volume, 1e-12);
    for (double x : {0.0, 0.15, 0.3})
      EXPECT_EQ((mesh.x.colwise() - Eigen::Vector3d(x, 0, 0)).colwise().norm().minCoeff(), 0.0);
    EXPECT_EQ(mesh.sets.at("rod").nodes.size(), static_cast<std::size_t>(rod.n_nodes));
    for (const auto& [set, x] : {std::pair{"big_end_face", 0.0}, {"small_end_face", 0.3}})
      for (std::int32_t node : mesh.sets.at(set).nodes) EXPECT_EQ(mesh.x(0, node), x);
  }
}

/// Every node of the mesh with y or z reversed, as positions in order.
using Position = std::array<double, 3>;

std::set<Position> positions(const Mesh& mesh, const Eigen::Array3d& signs) {
  std::set<Position> all;
  for (Eigen::Index i = 0; i < mesh.n_nodes(); ++i) {
    const Eigen::Vector3d x = (mesh.x.col(i).array() * signs).matrix();
    all.insert({x[0], x[1], x[2]});
  }
  return all;
}

/// The four corners of every element, each in order.
std::set<std::set<Position>> corners(const Mesh& mesh, const Eigen::Array3d& signs) {
  std::set<std::set<Position>> all;
  const ElementBlock& solids = *mesh.find_block(ElementType::tet10);
  for (std::int64_t e = 0; e < solids.size(); ++e) {
    std::set<Position> element;
    for (int a = 0; a < 4; ++a) {
      const Eigen::Vector3d x =
          (mesh.x.col(solids.connectivity[10 * e + a]).array() * signs).matrix();
      element.insert({x[0], x[1], x[2]});
    }
    all.insert(element);
  }
  return all;
}

TEST(Gmsh, RodsOfTheProjectAreMirrorSymmetricToTheLastBit) {
  for (const char* file :
       {"rod_circular", "rod_rectangular", "rod_circular_coarse", "rod_classical"}) {
    const Mesh mesh = read_gmsh(std::string(SOLIDYN_SOURCE_DIR "/meshes/") + file + ".msh");
    const auto nodes = positions(mesh, {1, 1, 1});
    const auto elements = corners(mesh, {1, 1, 1});
    EXPECT_EQ(nodes.size(), static_cast<std::size_t>(mesh.n_nodes()));
    for (const Eigen::Array3d& signs : {Eigen::Array3d(1, -1, 1), Eigen::Array3d(1, 1, -1)}) {
      EXPECT_TRUE(positions(mesh, signs) == nodes) << file;
      EXPECT_TRUE(corners(mesh, signs) == elements) << file;
    }
  }
}

class RoundTrip : public testing::TestWithParam<std::tuple<GmshVersion, GmshEncoding>> {
 protected:
  /// Writes and reads in this kind.
  Mesh copy(const Mesh& mesh, double scale = 1.0) const {
    const auto [version, encoding] = GetParam();
    const std::string path = scratch("round_trip.msh");
    write_gmsh(path, mesh, version, encoding, scale);
    Mesh again = read_gmsh(path, scale);
    std::remove(path.c_str());
    return again;
  }
};
INSTANTIATE_TEST_SUITE_P(Kinds, RoundTrip,
                         testing::Combine(testing::Values(GmshVersion::v2_2, GmshVersion::v4_1),
                                          testing::Values(GmshEncoding::ascii,
                                                          GmshEncoding::binary)));

TEST_P(RoundTrip, KeepsNodesElementsNumbersAndSets) {
  for (const char* file : {"tet10_msh41_asc.msh", "tet4_msh22_bin.msh", "gmsh-3d-ascii.msh2"}) {
    const Mesh mesh = read_gmsh(data(file));
    expect_equal(copy(mesh), mesh);
  }
}

TEST_P(RoundTrip, WritesTheFacesThatSetsAskFor) {
  mesh::BoxOptions options;
  options.nx = options.ny = options.nz = 3;
  options.perturbation = 0.2;
  Mesh box = mesh::make_box(options);
  box.sets["corner"] = {0, {0}};
  box.sets["half"] = {3, {}};  // overlaps `body`
  for (std::int32_t node = 0; node < box.n_nodes(); ++node)
    if (box.x(0, node) < 0.7) box.sets["half"].nodes.push_back(node);
  const Mesh again = copy(box);
  EXPECT_EQ(count(again, ElementType::tet10), count(box, ElementType::tet10));
  EXPECT_EQ(count(again, ElementType::tri6), 6 * 18);
  // Elements are ordered by their groups now, but keep their numbers.
  const ElementBlock& block = *again.find_block(ElementType::tet10);
  for (std::int64_t e = 0; e < block.size(); ++e)
    for (int i = 0; i < 10; ++i)
      EXPECT_EQ(block.connectivity[e * 10 + i],
                box.blocks[0].connectivity[(block.tags[e] - 1) * 10 + i]);
  for (const char* set : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max", "body", "corner"})
    EXPECT_EQ(again.sets.at(set).nodes, box.sets.at(set).nodes) << set;
  EXPECT_LT(again.sets.at("half").nodes.size(), box.sets.at("body").nodes.size());
  EXPECT_GT(again.sets.at("half").nodes.size(), 0u);
}

TEST_P(RoundTrip, ScalesBackAndForth) {
  const Mesh mesh = read_gmsh(data("tet4_msh41_asc.msh"));
  EXPECT_LT((copy(mesh, 1e-3).x - mesh.x).norm(), 1e-15);
}

TEST(Gmsh, SharedNameGoesToTheSolidsAndUnnamedGroupsGetNumbers) {
  const Mesh mesh = parse_gmsh(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 5 \"part\"\n3 6 \"part\"\n"
      "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
      "$Elements\n5\n1 15 2 9 1 4\n2 2 2 5 1 1 3 2\n3 2 2 8 1 1 3 2\n4 4 2 6 1 1 2 3 4\n"
      "5 4 2 7 1 1 2 3 4\n$EndElements\n",
      "tiny.msh");
  EXPECT_EQ(count(mesh, ElementType::tet4), 1);  // repeated at once for its second group
  EXPECT_EQ(count(mesh, ElementType::tri3), 1);
  ASSERT_EQ(mesh.sets.size(), 5u);
  EXPECT_EQ(mesh.sets.at("part").dimension, 3);
  EXPECT_EQ(mesh.sets.at("part_2d").nodes, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(mesh.sets.at("physical_2_8").nodes, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(mesh.sets.at("physical_3_7").nodes.size(), 4u);
  EXPECT_EQ(mesh.sets.at("physical_0_9").nodes, (std::vector<std::int32_t>{3}));
}

/// Writes numbers with the most significant byte first.
struct BigEndian {
  std::string bytes;
  template <class T>
  BigEndian& put(T value) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
    return *this;
  }
  BigEndian& text(const char* line) {
    bytes += line;
    return *this;
  }
  BigEndian& ints(std::initializer_list<std::int32_t> values) {
    for (std::int32_t value : values) put(value);
    return *this;
  }
  template <class Size>
  BigEndian& sizes(std::initializer_list<Size> values) {
    for (Size value : values) put(value);
    return *this;
  }
  BigEndian& point(double x, double y, double z) { return put(x).put(y).put(z); }
};

void expect_unit_tetrahedron(const Mesh& mesh) {
  EXPECT_EQ(mesh.node_tags, (std::vector<std::int64_t>{10, 20, 30, 40}));
  EXPECT_NEAR(volume(mesh), 1.0 / 6.0, 1e-16);
  EXPECT_EQ(mesh.sets.at("physical_3_7").nodes.size(), 4u);
}

TEST(Gmsh, ReadsBigEndianVersion2) {
  BigEndian file;
  file.text("$MeshFormat\n2.2 1 8\n").ints({1}).text("\n$EndMeshFormat\n$Nodes\n4\n");
  file.ints({10}).point(0, 0, 0).ints({20}).point(1, 0, 0);
  file.ints({30}).point(0, 1, 0).ints({40}).point(0, 0, 1);
  file.text("\n$EndNodes\n$Elements\n1\n").ints({4, 1, 2, 5, 7, 1, 10, 20, 30, 40});
  file.text("\n$EndElements\n");
  expect_unit_tetrahedron(parse_gmsh(file.bytes, "big.msh"));
}

template <class Size>
std::string big_endian_version_4() {
  BigEndian file;
  file.text("$MeshFormat\n4.1 1 ").text(sizeof(Size) == 8 ? "8\n" : "4\n").ints({1});
  file.text("\n$EndMeshFormat\n$Entities\n").template sizes<Size>({0, 0, 0, 1});
  file.ints({3}).point(0, 0, 0).point(1, 1, 1).template sizes<Size>({1}).ints({-7});
  file.template sizes<Size>({0}).text("\n$EndEntities\n$Nodes\n");
  file.template sizes<Size>({2, 4, 10, 40}).ints({3, 3, 0}).template sizes<Size>({3, 10, 20, 30});
  file.point(0, 0, 0).point(1, 0, 0).point(0, 1, 0);
  // A parametric block of a curve carries one more number for each node.
  file.ints({1, 1, 1}).template sizes<Size>({1, 40}).point(0, 0, 1).put(0.25);
  file.text("\n$EndNodes\n$Elements\n").template sizes<Size>({1, 1, 5, 5}).ints({3, 3, 4});
  file.template sizes<Size>({1, 5, 10, 20, 30, 40}).text("\n$EndElements\n");
  return file.bytes;
}

TEST(Gmsh, ReadsBigEndianVersion4WithBothSizes) {
  expect_unit_tetrahedron(parse_gmsh(big_endian_version_4<std::int64_t>(), "big.msh"));
  expect_unit_tetrahedron(parse_gmsh(big_endian_version_4<std::int32_t>(), "big.msh"));
}

TEST(Gmsh, WindowsLineEndsAndScatteredNumbersAreRead) {
  const Mesh mesh = parse_gmsh(
      "$MeshFormat\r\n2.2 0 8\r\n$EndMeshFormat\r\n$Nodes\r\n4\r\n10 0 0 0\r\n20 1 0 0\r\n"
      "30 0 +1.0e0 0\r\n40000000000 0 0 1\r\n$EndNodes\r\n$Elements\r\n1\r\n"
      "5 4 2 7 1 10 20 30 40000000000\r\n$EndElements\r\n",
      "windows.msh");
  EXPECT_EQ(mesh.node_tags.back(), 40000000000);
  EXPECT_NEAR(volume(mesh), 1.0 / 6.0, 1e-16);
}

TEST(Gmsh, MissingFilesAndFoldersAreInputErrors) {
  EXPECT_THAT(message_of("no/such.msh"),
              AllOf(HasSubstr("no/such.msh"), HasSubstr("cannot be read: No such file")));
  EXPECT_THAT(message_of(SOLIDYN_SOURCE_DIR "/tests"), HasSubstr("cannot be read"));
}

TEST(Gmsh, UnwritableFileIsAFailedComputation) {
  EXPECT_THROW(write_gmsh("no/such/folder/out.msh", mesh::make_box({})), base::ComputationError);
}

}  // namespace
}  // namespace solidyn::formats
