#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gzip.h"
#include "mid_nodes.h"
#include "samples.h"
#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/shared/file_ending.h"
#include "solidyn/formats/solid_model.h"
#include "solidyn/imported/describe.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;
using imported::SolidModel;
using testing_support::sample;

// Element number -> nodes in our order, of the solids.
std::map<std::int64_t, std::vector<std::int64_t>> elements_of(const SolidModel& model) {
  std::map<std::int64_t, std::vector<std::int64_t>> elements;
  for (const mesh::ElementBlock& block : model.mesh.blocks) {
    if (elements::dimension(block.type) != 3) continue;
    const int n = elements::n_nodes(block.type);
    for (std::int64_t e = 0; e < block.size(); ++e)
      for (int a = 0; a < n; ++a)
        elements[block.tags[e]].push_back(model.mesh.node_tags[block.connectivity[n * e + a]]);
  }
  return elements;
}

std::map<std::int64_t, Eigen::Vector3d> nodes_of(const SolidModel& model) {
  std::map<std::int64_t, Eigen::Vector3d> nodes;
  for (std::size_t i = 0; i < model.mesh.node_tags.size(); ++i)
    nodes[model.mesh.node_tags[i]] = model.mesh.x.col(static_cast<Eigen::Index>(i));
  return nodes;
}

std::set<std::int64_t> set_of(const SolidModel& model, const std::string& name) {
  std::set<std::int64_t> tags;
  const auto found = model.mesh.sets.find(name);
  if (found == model.mesh.sets.end()) return tags;
  for (const std::int32_t node : found->second.nodes) tags.insert(model.mesh.node_tags[node]);
  return tags;
}

void expect_same_mesh(const SolidModel& a, const SolidModel& b) {
  EXPECT_EQ(elements_of(a), elements_of(b));
  const auto x = nodes_of(a), y = nodes_of(b);
  ASSERT_EQ(x.size(), y.size());
  for (const auto& [tag, position] : x) {
    ASSERT_TRUE(y.count(tag)) << tag;
    EXPECT_LT((y.at(tag) - position).norm(), 1e-9 * (1.0 + position.norm())) << tag;
  }
}

class RoundTrip : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(
    Samples, RoundTrip,
    testing::Values("generated/blocks/block_c3d4.inp", "generated/blocks/block_c3d6.inp",
                    "generated/blocks/block_c3d8.inp", "generated/blocks/block_c3d10.inp",
                    "generated/blocks/block_c3d15.inp", "generated/blocks/block_c3d20.inp"),
    [](const auto& info) {
      std::string name = info.param;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
      return name;
    });

TEST_P(RoundTrip, KeepsNodesElementsAndSetsThroughEveryFormat) {
  const test::ScratchFolder folder;
  const SolidModel first = read_solid_model(sample(GetParam()));
  ASSERT_FALSE(first.mesh.sets.empty());
  SolidModel model = first;
  for (const char* name : {"a.inp", "b.msh", "c.smesh", "d.inp"}) {
    write_solid_model(folder / name, model);
    model = read_solid_model(folder / name);
    expect_same_mesh(first, model);
    for (const auto& [set, nodes] : first.mesh.sets)
      EXPECT_EQ(set_of(model, set), set_of(first, set)) << set << " in " << name;
  }
}

class FromNastran : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Samples, FromNastran,
                         testing::Values("generated/gmsh/tet10_gmsh.bdf",
                                         "generated/gmsh/hex20_gmsh.bdf"),
                         [](const auto& info) { return std::to_string(info.index); });

TEST_P(FromNastran, GmshAndAbaqusKeepNodesElementsAndSets) {
  const test::ScratchFolder folder;
  const SolidModel first = read_solid_model(sample(GetParam()));
  ASSERT_FALSE(elements_of(first).empty());
  SolidModel model = first;
  for (const char* name : {"a.msh", "b.inp"}) {
    write_solid_model(folder / name, model);
    model = read_solid_model(folder / name);
    expect_same_mesh(first, model);
    for (const auto& [set, nodes] : first.mesh.sets)
      EXPECT_EQ(set_of(model, set), set_of(first, set)) << set << " in " << name;
  }
}

TEST(SolidModelFiles, UnknownEndingIsRefusedWithTheOnesThatAreKnown) {
  try {
    read_solid_model("body.step");
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("`.step`"));
    EXPECT_THAT(error.what(), testing::HasSubstr(".inp"));
  }
}

TEST(SolidModelFiles, NamesWithoutAnEndingAndFoldersAreRefused) {
  const test::ScratchFolder folder;
  for (const auto& [path, fragment] : std::map<std::string, std::string>{
           {folder.path(), "this is a folder"},
           {folder / "body", "the file name has no extension to identify"}})
    try {
      read_solid_model(path);
      ADD_FAILURE() << path;
    } catch (const base::InputError& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr(fragment));
      EXPECT_EQ(error.diagnostics().front().where.file, path);
    }
}

class Compressed : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(
    Samples, Compressed,
    testing::Values("generated/blocks/block_c3d20.inp", "generated/blocks/block_c3d20.frd",
                    "generated/gmsh/tet10_gmsh.bdf", "generated/gmsh/hex20_msh41_bin.msh",
                    "nastran/modal/mode_solid_shell_bar.op2", "vtu/vtk_hex20_appended_zlib.vtu"),
    [](const auto& info) { return std::to_string(info.index); });

TEST_P(Compressed, FilesAreReadLikePlainOnes) {
  const test::ScratchFolder folder;
  const std::string name =
      "A" + std::filesystem::path(GetParam()).extension().string() + ".GZ";  // in capitals too
  test::append_gzip(folder / name, testing_support::bytes_of(GetParam()));
  const SolidModel plain = read_solid_model(sample(GetParam()));
  const SolidModel unpacked = read_solid_model(folder / name);
  ASSERT_FALSE(elements_of(plain).empty());
  expect_same_mesh(plain, unpacked);
  EXPECT_FALSE(is_written_model_name(folder / name));
}

TEST(SolidModelFiles, OurOwnFormatCannotBeCompressed) {
  EXPECT_THROW(read_solid_model("rod.smesh.gz"), base::InputError);
}

/// Meshes with curved sides: of a ring, and of a round rod.
bool is_curved(const std::string& name) {
  return name == "gmsh-hex-20node.msh" || name.rfind("rod_c3d10", 0) == 0;
}

/// Files that bear the name of a mesh, but hold matrices alone, or fluids beside the solids.
const std::set<std::string>& no_meshes() {
  static const std::set<std::string> names = {"double_be.op2", "double_le.op2", "fsi.op2",
                                              "fsi.bdf"};
  return names;
}

/// The order of middle nodes differs by program: where a reader took the wrong one they would lie
/// elsewhere than between their corners.
TEST(SolidModelFiles, MiddleNodesOfEverySampleLieBetweenTheirCorners) {
  std::map<ElementType, int> n_files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(testing_support::sample_folder())) {
    const std::string path = entry.path().string(), name = entry.path().filename().string();
    const bool is_listing = file_ending(path) == ".dat" &&
                            path.find("/generated/") != std::string::npos;  // CalculiX' output
    if (!entry.is_regular_file() || is_listing ||
        known_model_names().find(file_ending(path)) == std::string::npos ||
        file_ending(path).empty())
      continue;
    SolidModel model;
    try {
      model = read_solid_model(path);
    } catch (const base::InputError& error) {
      EXPECT_TRUE(no_meshes().count(name)) << path << ": " << error.what();
      continue;
    }
    const double bend = testing_support::largest_bend(model.mesh);
    EXPECT_LT(bend, is_curved(name) ? 0.2 : 1e-5) << path;
    if (is_curved(name)) {
      EXPECT_GT(bend, 1e-3) << path;
    }
    for (const mesh::ElementBlock& block : model.mesh.blocks) ++n_files[block.type];
  }
  EXPECT_GT(n_files[ElementType::tet10], 8);
  EXPECT_GT(n_files[ElementType::hex20], 8);
  EXPECT_GT(n_files[ElementType::wedge15], 5);
}

TEST(SolidModelFiles, WhatAFormatHasNoPlaceForIsTold) {
  const SolidModel model = read_solid_model(sample("generated/blocks/block_c3d8.inp"));
  EXPECT_EQ(left_out_of("x.msh", model), "1 materials");
  EXPECT_EQ(left_out_of("x.inp", model), "");
}

TEST(SolidModelFiles, DescriptionNamesMaterialsAndFitsAScreen) {
  SolidModel model = read_solid_model(sample("generated/blocks/block_c3d8i.inp"));
  convert_to_si(model, imported::units_by_name("tonne-mm-s"));
  const std::string text = imported::describe(model);
  EXPECT_THAT(text, testing::HasSubstr("STEEL: E 2.1e+11 Pa, nu 0.3, density 7870 kg/m^3"));
  EXPECT_THAT(text, testing::HasSubstr("4 elements C3D8I"));
  EXPECT_THAT(text, testing::HasSubstr("incompatible modes"));
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 24);
}

}  // namespace
}  // namespace solidyn::formats
