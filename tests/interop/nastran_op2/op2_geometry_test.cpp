// Geometry tables of OP2 against the deck that they were made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "nastran_op2_writer.h"
#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/formats/nastran/op2/op2.h"

namespace solidyn {
namespace {

using formats::Op2File;
using imported::SolidModel;
using testing_support::Op2Word;
using testing_support::Op2Writer;

std::map<std::int64_t, Eigen::Vector3d> nodes_by_tag(const mesh::Mesh& mesh) {
  std::map<std::int64_t, Eigen::Vector3d> nodes;
  for (std::size_t i = 0; i < mesh.node_tags.size(); ++i)
    nodes.emplace(mesh.node_tags[i], mesh.x.col(static_cast<Eigen::Index>(i)));
  return nodes;
}

/// Type and node numbers of each element: the order of nodes is not that of the deck.
std::map<std::int64_t, std::pair<std::string, std::vector<std::int64_t>>> elements_by_tag(
    const mesh::Mesh& mesh) {
  std::map<std::int64_t, std::pair<std::string, std::vector<std::int64_t>>> elements;
  for (const mesh::ElementBlock& block : mesh.blocks)
    for (std::size_t i = 0; i < block.connectivity.size(); ++i) {
      const auto n = static_cast<std::size_t>(elements::n_nodes(block.type));
      auto& element = elements[block.tags[i / n]];
      element.first = elements::name(block.type);
      element.second.push_back(mesh.node_tags[static_cast<std::size_t>(block.connectivity[i])]);
    }
  return elements;
}

TEST(Op2Geometry, IsThatOfTheDeck) {
  const std::string name = "nastran/modal/mode_solid_shell_bar";
  SOLIDYN_REQUIRE_SAMPLE(name + ".op2");
  const SolidModel deck = formats::read_nastran_bulk(testing_support::sample(name + ".bdf"));
  const SolidModel op2 =
      formats::read_op2_geometry(Op2File(testing_support::sample(name + ".op2")));
  ASSERT_EQ(op2.mesh.n_nodes(), deck.mesh.n_nodes());
  EXPECT_EQ(elements_by_tag(op2.mesh), elements_by_tag(deck.mesh));
  const auto x = nodes_by_tag(op2.mesh);
  for (const auto& [tag, place] : nodes_by_tag(deck.mesh))
    EXPECT_LE((x.at(tag) - place).norm(), 1e-6) << tag;
  ASSERT_EQ(op2.regions.size(), deck.regions.size());
  for (std::size_t r = 0; r < deck.regions.size(); ++r) {
    EXPECT_EQ(op2.regions[r].name, deck.regions[r].name);
    EXPECT_EQ(op2.regions[r].integration, deck.regions[r].integration);
    const auto &a = op2.materials.at(static_cast<std::size_t>(op2.regions[r].material)),
               &b = deck.materials.at(static_cast<std::size_t>(deck.regions[r].material));
    EXPECT_EQ(a.name, b.name);
    EXPECT_NEAR(a.youngs_modulus, b.youngs_modulus, 1e-6 * b.youngs_modulus);
    EXPECT_NEAR(a.poissons_ratio, b.poissons_ratio, 1e-6);
    EXPECT_NEAR(a.density, b.density, 1e-6 * b.density);
  }
  EXPECT_EQ(op2.report.skipped.count("GEOM2 (2408,24,180)"), 1);  // CBAR
}

TEST(Op2Geometry, ScalarPointsAreNoNodesAndPlatesAreCounted) {
  SOLIDYN_REQUIRE_SAMPLE("nastran/superelement/inboard.op2");
  const SolidModel model = formats::read_op2_geometry(
      Op2File(testing_support::sample("nastran/superelement/inboard.op2")));
  EXPECT_EQ(model.mesh.n_nodes(), 0);  // a model of bars has no solids
  EXPECT_EQ(model.node_axes.count(11), 1);
}

/// A tetrahedron with all its mid-side grids, a mass on one of them; the file in both word sizes.
TEST(Op2Geometry, SolidsMassesPropertiesAndMaterialsComeFromTheirRecords) {
  for (const int word_bytes : {4, 8}) {
    Op2Writer op2(word_bytes);
    op2.begin_block("GEOM1");
    testing_support::Op2Words grids = {4501, 45, 1};
    const std::vector<std::array<double, 3>> x = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2},
                                                  {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1},
                                                  {1, 0, 1}, {0, 1, 1}};
    for (int i = 0; i < 10; ++i)
      for (const Op2Word& word : {Op2Word(i + 11), Op2Word(0), Op2Word(x[i][0]), Op2Word(x[i][1]),
                                  Op2Word(x[i][2]), Op2Word(0), Op2Word(0), Op2Word(0)})
        grids.push_back(word);
    op2.table_record(grids);
    op2.end_block();
    op2.begin_block("GEOM2");
    op2.table_record({5508, 55, 217, 1, 4, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20});
    op2.table_record({1501, 15, 64, 8, 15, 0, 2.5, 0.0, 0.5, 0.0, 1.0, 0.0, 2.0, 0.0, 0.0, 3.0});
    op2.end_block();
    op2.begin_block("EPT");
    op2.table_record({2402, 24, 281, 4, 9, 0, 0, 0, 0, "SMEC"});
    op2.end_block();
    op2.begin_block("MPT");
    op2.table_record({103, 1, 77, 9, 2e5, 8e4, 0.25, 7e-9, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0});
    op2.end_block();
    const SolidModel model = formats::read_op2_geometry(Op2File(op2.bytes(), "made.op2"));
    ASSERT_EQ(model.mesh.blocks.size(), 1);
    EXPECT_EQ(model.mesh.blocks[0].type, elements::ElementType::tet10);
    ASSERT_EQ(model.mesh.n_nodes(), 10);
    ASSERT_EQ(model.materials.size(), 1);
    EXPECT_NEAR(model.materials[0].poissons_ratio, 0.25, 1e-7);
    ASSERT_EQ(model.masses.size(), 1);
    EXPECT_EQ(model.masses[0].node, 15);
    EXPECT_NEAR(model.masses[0].mass, 2.5, 1e-7);
    EXPECT_NEAR(model.masses[0].offset[1], 0.5, 1e-7);
    EXPECT_NEAR(model.masses[0].inertia(2, 2), 3.0, 1e-7);
  }
}

TEST(Op2Geometry, AFileWithoutGridsIsRefused) {
  Op2Writer op2;
  op2.begin_block("OQG1");
  op2.table_record({1, 2, 3});
  op2.end_block();
  try {
    formats::read_op2_geometry(Op2File(op2.bytes(), "made.op2"));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("no grids"));
  }
}

}  // namespace
}  // namespace solidyn
