#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gzip.h"
#include "samples.h"
#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/solid_model.h"
#include "solidyn/imported/describe.h"

namespace solidyn::formats {
namespace {

using imported::SolidModel;
using testing_support::sample;

// Element number -> nodes in our order, of the solids.
std::map<std::int64_t, std::vector<std::int64_t>> elements_of(const SolidModel& model) {
  std::map<std::int64_t, std::vector<std::int64_t>> elements;
  for (const mesh::ElementBlock& block : model.mesh.blocks) {
    if (mesh::dimension(block.type) != 3) continue;
    const int n = mesh::n_nodes(block.type);
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
           {folder.path(), "this is a folder"}, {folder / "body", "the name has no ending"}})
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
