// Damaged mesh files, made from a good one. Each must end in one InputError that names the file,
// the place and the damage; none may crash, hang or ask for memory that the file cannot fill.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <cstring>
#include <fstream>
#include <random>

#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/mesh/check.h"
#include "solidyn/mesh/generators.h"

namespace solidyn {
namespace {

using formats::GmshEncoding;
using formats::GmshVersion;
using testing::HasSubstr;

/// Two cells of tet4 with sets, in any of the four kinds.
std::string good_file(GmshVersion version, GmshEncoding encoding) {
  mesh::BoxOptions options;
  options.type = elements::ElementType::tet4;
  options.nx = 2;
  const std::string path = testing::TempDir() + "solidyn_robust_" +
                           std::to_string(static_cast<int>(version)) +
                           std::to_string(static_cast<int>(encoding)) + ".msh";
  formats::write_gmsh(path, mesh::make_box(options), version, encoding);
  std::ifstream stream(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  std::remove(path.c_str());
  return bytes;
}

/// Reads and checks as a program would; the message, or "accepted".
std::string outcome(const std::string& bytes) {
  try {
    mesh::Mesh mesh = formats::parse_gmsh(bytes, "damaged.msh");
    mesh::check(mesh, "damaged.msh");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// Exchanges the one place where `before` stands.
std::string with(std::string bytes, const std::string& before, const std::string& after) {
  const std::size_t at = bytes.find(before);
  if (at == std::string::npos) ADD_FAILURE() << "the good file holds no `" << before << "`";
  return at == std::string::npos ? bytes : bytes.replace(at, before.size(), after);
}

/// The good file of MSH 2.2 in full, so that each damage below can be read.
const std::string kText =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"                               // 1-3
    "$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n"                 // 4-7
    "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n"  // 8-15
    "$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 1 1 2 5 3 4\n$EndElements\n";  // 16-20

struct Damage {
  const char* name;
  std::string before, after;
  const char* message;  // a part of it
};
void PrintTo(const Damage& damage, std::ostream* out) { *out << damage.name; }

class TextDamage : public testing::TestWithParam<Damage> {};

TEST_P(TextDamage, IsToldWithItsLine) {
  const std::string message = outcome(with(kText, GetParam().before, GetParam().after));
  EXPECT_THAT(message, HasSubstr("damaged.msh"));
  EXPECT_THAT(message, HasSubstr(GetParam().message));
  EXPECT_THAT(message, HasSubstr("\n  "));  // a remedy
}

INSTANTIATE_TEST_SUITE_P(
    Files, TextDamage,
    testing::Values(
        Damage{"not_a_mesh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat", "solid cube\nfacet",
               "damaged.msh:1: error: expected a section"},
        Damage{"no_format", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "",
               "there is no section $MeshFormat"},
        Damage{"format_cut", "2.2 0 8\n", "2.2\n", ":3: error: the section ends before an integer"},
        Damage{"old_version", "2.2 0 8", "1.0 0 8", ":2: error: MSH version 1"},
        Damage{"version_3", "2.2 0 8", "3 0 8",
               "MSH version 3 is not supported; supported are versions 1, 2, 4.0 and 4.1"},
        Damage{"version_4_0", "2.2 0 8", "4 0 8", "error"},
        Damage{"unknown_encoding", "2.2 0 8", "2.2 7 8", "the file type is 7"},
        Damage{"odd_data_size", "2.2 0 8", "2.2 0 16", "the data size is 16 bytes"},
        Damage{"says_binary", "2.2 0 8", "2.2 1 8",
               "the section ends in the middle of its data (byte"},
        Damage{"no_nodes", "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 1\n$EndNodes\n",
               "", "there is no section $Nodes"},
        Damage{"no_elements", "$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 1 1 2 5 3 4\n$EndElements\n",
               "", "there is no section $Elements"},
        Damage{
            "cut_in_nodes",
            "4 0 0 1\n5 1 1 1\n$EndNodes\n$Elements\n2\n1 4 2 1 1 1 2 3 4\n2 4 2 1 1 2 5 3 4\n$EndElements\n",
            "4 0", ":8: error: section $Nodes is not closed"},
        Damage{"cut_in_elements", "2 4 2 1 1 2 5 3 4\n$EndElements\n", "2 4 2 1",
               ":16: error: section $Elements is not closed"},
        Damage{"nodes_twice", "$Elements\n", "$Nodes\n1\n9 0 0 0\n$EndNodes\n$Elements\n",
               ":16: error: section $Nodes is defined twice"},
        Damage{"too_few_nodes", "$Nodes\n5\n", "$Nodes\n6\n",
               ":9: error: 6 nodes are declared, but the section has room for"},
        Damage{"coordinate_missing", "5 1 1 1\n", "5 1.000 1\n",
               ":15: error: the section ends before a number"},
        Damage{"too_many_nodes", "$Nodes\n5\n", "$Nodes\n4\n",
               ":14: error: $Nodes contains more data than its counts state"},
        Damage{"too_many_elements", "$Elements\n2\n", "$Elements\n1\n",
               ":19: error: $Elements contains more data"},
        Damage{"absurd_node_count", "$Nodes\n5\n", "$Nodes\n4000000000000000\n",
               ":9: error: 4000000000000000 nodes are declared, but the section has room for"},
        Damage{"negative_count", "$Elements\n2\n", "$Elements\n-2\n", "-2 elements are declared"},
        Damage{"count_beyond_64_bits", "$Nodes\n5\n", "$Nodes\n99999999999999999999\n",
               ":9: error: found `99999999999999999999` instead of an integer"},
        Damage{"word_for_number", "3 0 1 0", "3 0 one 0",
               ":12: error: found `one` instead of a number"},
        Damage{"overflow", "3 0 1 0", "3 0 1e400 0", ":12: error: found `1e400`"},
        Damage{"nan", "3 0 1 0", "3 0 nan 0", ":12: error: node 3 has the coordinates (0, nan, 0)"},
        Damage{"infinite", "3 0 1 0", "3 0 -inf 0",
               ":12: error: node 3 has the coordinates (0, -inf, 0)"},
        Damage{"node_twice", "4 0 0 1", "2 0 0 1", ":13: error: node 2 is defined twice"},
        Damage{"node_zero", "4 0 0 1", "0 0 0 1", ":13: error: node number 0 is not positive"},
        Damage{"node_fraction", "4 0 0 1", "4.5 0 0 1", ":13: error: found `4.5`"},
        Damage{"element_twice", "2 4 2 1 1 2 5 3 4", "1 4 2 1 1 2 5 3 4",
               ":19: error: element 1 is defined twice"},
        Damage{"unknown_node", "2 4 2 1 1 2 5 3 4", "2 4 2 1 1 2 77 3 4",
               ":19: error: element 2 (tet4) uses node 77"},
        Damage{"unknown_type", "2 4 2 1 1 2 5 3 4", "2 404 2 1 1 2 5 3 4",
               ":19: error: unknown Gmsh element type 404"},
        Damage{"tet20", "2 4 2 1 1 2 5 3 4", "2 29 2 1 1 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5 1 2 3 4 5",
               ":19: error: element 2 is a tet20"},
        Damage{"flat_hexahedron", "2 4 2 1 1 2 5 3 4", "2 5 2 1 1 1 2 3 4 1 2 3 4",
               "1 of 2 solid elements have zero volume: elements 2"},
        Damage{"absurd_tag_count", "2 4 2 1 1 2 5 3 4", "2 4 900000 1 1 2 5 3 4",
               "900000 tags of an element are declared"},
        Damage{"names_cut", "3 1 \"body\"", "3 1 \"body",
               ":5: error: 1 physical names are declared"},
        Damage{"control_bytes", "3 0 1 0", std::string("3 0 \x01\x02\xff 0"), "found `???`"},
        Damage{"zero_bytes", "3 0 1 0", std::string("3 0 \0\0 0", 8), "found `??`"},
        Damage{"inverted", "2 4 2 1 1 2 5 3 4", "2 4 2 1 1 5 2 3 4",
               "1 of 2 solid elements are inverted: elements 2"},
        Damage{"collapsed", "2 4 2 1 1 2 5 3 4", "2 4 2 1 1 2 2 3 4",
               "1 of 2 solid elements have zero volume: elements 2"},
        Damage{"only_faces", "1 4 2 1 1 1 2 3 4\n2 4 2 1 1 2 5 3 4",
               "1 2 2 1 1 1 2 3\n2 2 2 1 1 2 5 3", "the mesh contains no solid elements"}),
    [](const auto& info) { return info.param.name; });

TEST(TextMesh, TheUndamagedFileIsAccepted) { EXPECT_EQ(outcome(kText), "accepted"); }

TEST(TextMesh, EmptyAndBlankFilesAreRefused) {
  EXPECT_THAT(outcome(""), HasSubstr("the file is empty"));
  EXPECT_THAT(outcome("\n \n"), HasSubstr("there is no section $MeshFormat"));
  EXPECT_THAT(outcome("$"), HasSubstr("is not closed"));
}

TEST(TextMesh, LargeFileStoragePointerIsRefused) {
  EXPECT_THAT(outcome("version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
              HasSubstr("is this a Gmsh mesh file"));
}

TEST(Version4, BlocksThatContradictTheirCountsAreRefused) {
  const std::string good = good_file(GmshVersion::v4_1, GmshEncoding::ascii);
  ASSERT_EQ(outcome(good), "accepted");
  EXPECT_THAT(outcome(with(good, "$Nodes\n1 12 1 12\n", "$Nodes\n1 13 1 12\n")),
              HasSubstr("13 nodes are declared, but the blocks contain 12"));
  EXPECT_THAT(outcome(with(good, "$Nodes\n1 12 1 12\n", "$Nodes\n900 12 1 12\n")),
              HasSubstr("900 node blocks are declared, but the section has room for"));
  EXPECT_THAT(outcome(with(good, "$Entities\n0 0 6 1\n", "$Entities\n0 0 9 1\n")),
              HasSubstr("error: "));
  EXPECT_THAT(outcome(with(good, "$Entities\n0 0 6 1\n", "$Entities\n0 0 5 1\n")),
              HasSubstr("$Entities contains more data"));
  EXPECT_THAT(outcome(with(good, "$EndMeshFormat\n",
                           "$EndMeshFormat\n$PartitionedEntities\n0\n$EndPartitionedEntities\n")),
              HasSubstr("partitioned"));
}

TEST(BinaryMesh, AbsurdCountsAreToldWithTheirByte) {
  std::string bytes = good_file(GmshVersion::v4_1, GmshEncoding::binary);
  ASSERT_EQ(outcome(bytes), "accepted");
  const std::size_t at = bytes.find("$Nodes\n") + 7 + 8;
  const std::int64_t absurd = std::int64_t{1} << 60;
  std::memcpy(&bytes[at], &absurd, sizeof absurd);
  EXPECT_THAT(outcome(bytes), testing::AllOf(HasSubstr("1152921504606846976 nodes are declared"),
                                             HasSubstr("(byte " + std::to_string(at) + ")")));
}

TEST(BinaryMesh, ByteOrderMustBeTold) {
  std::string bytes = good_file(GmshVersion::v2_2, GmshEncoding::binary);
  bytes[bytes.find("2.2 1 8\n") + 9] = 5;
  EXPECT_THAT(outcome(bytes), HasSubstr("the byte order cannot be determined"));
}

TEST(BinaryMesh, NotANumberInACoordinateIsTold) {
  std::string bytes = good_file(GmshVersion::v2_2, GmshEncoding::binary);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::memcpy(&bytes[bytes.find("$Nodes\n12\n") + 10 + 4], &nan, sizeof nan);
  EXPECT_THAT(outcome(bytes), HasSubstr("node 1 has the coordinates (nan, 0, 0) (byte"));
}

TEST(BinaryMesh, GroupOfAbsurdSizeIsRefused) {
  std::string bytes = good_file(GmshVersion::v2_2, GmshEncoding::binary);
  const std::size_t at = bytes.find('\n', bytes.find("$Elements\n") + 10) + 1;
  const std::int32_t absurd = 0x7fffffff;
  std::memcpy(&bytes[at + 4], &absurd, sizeof absurd);
  EXPECT_THAT(outcome(bytes), HasSubstr("a group declares 2147483647 elements"));
}

class AnyKind : public testing::TestWithParam<std::tuple<GmshVersion, GmshEncoding>> {
 protected:
  const std::string good = good_file(std::get<0>(GetParam()), std::get<1>(GetParam()));
  void SetUp() override { base::set_log_level(base::LogLevel::off); }
  void TearDown() override { base::set_log_level(base::LogLevel::info); }
};
INSTANTIATE_TEST_SUITE_P(Kinds, AnyKind,
                         testing::Combine(testing::Values(GmshVersion::v2_2, GmshVersion::v4_1),
                                          testing::Values(GmshEncoding::ascii,
                                                          GmshEncoding::binary)));

TEST_P(AnyKind, CutAnywhereBeforeItsLastSectionEndsIsRefused) {
  const std::size_t end = good.rfind("$EndElements") + 12;
  for (std::size_t length = 0; length < end; length += 7)
    EXPECT_NE(outcome(good.substr(0, length)), "accepted") << length;
}

TEST_P(AnyKind, ScatteredWrongBytesNeverCrash) {
  // Some of these still make a mesh; the claim is that the others end in an InputError and nothing
  // else.
  std::mt19937 random(4);
  int n_refused = 0;
  constexpr int kTrials = 3000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::string bytes = good;
    for (int hit = 0; hit < 1 + trial % 5; ++hit)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    n_refused += outcome(bytes) != "accepted";
  }
  EXPECT_GT(n_refused, kTrials / 4);
}

}  // namespace
}  // namespace solidyn
