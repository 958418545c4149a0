// What is known of the samples of Abaqus and CalculiX input, in facts.json and MANIFEST.
#include <gmock/gmock.h>

#include <Eigen/Dense>
#include <fstream>
#include <iterator>

#include "mid_nodes.h"
#include "samples.h"
#include "solidyn/base/error.h"
#include "solidyn/elements/topology.h"
#include "solidyn/formats/abaqus/deck/input.h"
#include "solidyn/mesh/boundary.h"
#include "solidyn/mesh/check.h"
#include "solidyn/mesh/report.h"

namespace solidyn {
namespace {

using elements::ElementType;
using formats::read_abaqus_input;
using imported::SolidModel;
using testing_support::facts_of;
using testing_support::largest_bend;
using testing_support::sample;

/// How many elements each type of the file gave, by region.
std::map<std::string, int> count_elements(const SolidModel& model) {
  std::map<std::string, int> counts;
  for (const mesh::ElementBlock& block : model.mesh.blocks)
    for (std::int32_t region : block.regions) ++counts[model.regions.at(region).element_name];
  return counts;
}

std::int64_t count_nodes(const SolidModel& model) {
  return model.mesh.n_nodes() + static_cast<std::int64_t>(model.loose_nodes.size());
}

void expect_box(const SolidModel& model, const nlohmann::json& box) {
  const Eigen::Vector3d low = model.mesh.x.rowwise().minCoeff();
  const Eigen::Vector3d high = model.mesh.x.rowwise().maxCoeff();
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(low[i], box[0][i].get<double>(), 1e-9 * (1 + std::abs(low[i]))) << i;
    EXPECT_NEAR(high[i], box[1][i].get<double>(), 1e-9 * (1 + std::abs(high[i]))) << i;
  }
}

class AbaqusSample : public ::testing::TestWithParam<const char*> {};

void expect_elements(const SolidModel& model, const nlohmann::json& facts) {
  auto counts = count_elements(model);
  if (facts.contains("elements") && facts["elements"].is_object()) {
    EXPECT_EQ(counts, (facts["elements"].get<std::map<std::string, int>>()));
  }
  if (facts.contains("elements") && facts["elements"].is_number()) {
    EXPECT_EQ(counts.begin()->second, facts["elements"].get<int>());
  }
  if (!facts.contains("part_elements")) return;
  for (const auto& [type, n] : facts["part_elements"].items())
    EXPECT_EQ(counts[type], facts.value("instances", 1) * n.get<int>());
}

void expect_material(const SolidModel& model, const nlohmann::json& material) {
  ASSERT_EQ(model.materials.size(), 1U);
  EXPECT_EQ(model.materials[0].youngs_modulus, material["E"].get<double>());
  EXPECT_EQ(model.materials[0].poissons_ratio, material["nu"].get<double>());
  EXPECT_EQ(model.materials[0].density, material["rho"].get<double>());
  for (const imported::Region& region : model.regions) EXPECT_EQ(region.material, 0);
}

void expect_sets(const SolidModel& model, const nlohmann::json& facts) {
  for (const char* kind : {"nsets", "part_nsets", "assembly_nsets", "sets"}) {
    if (!facts.contains(kind)) continue;
    for (const auto& [set, n] : facts[kind].items())
      EXPECT_EQ(model.mesh.sets.at(set).nodes.size(), n.get<std::size_t>()) << set;
  }
}

TEST_P(AbaqusSample, HoldsWhatIsKnownOfIt) {
  const std::string name = GetParam();
  SOLIDYN_REQUIRE_SAMPLE(name);
  const nlohmann::json facts = facts_of(name);
  const SolidModel model = read_abaqus_input(sample(name));
  EXPECT_EQ(count_nodes(model), facts.at("nodes").get<int>());
  expect_elements(model, facts);
  expect_sets(model, facts);
  if (facts.contains("part_nodes")) {
    EXPECT_EQ(count_nodes(model), facts["instances"].get<int>() * facts["part_nodes"].get<int>());
  }
  if (facts.contains("bbox")) expect_box(model, facts["bbox"]);
  if (facts.contains("material")) expect_material(model, facts["material"]);
  if (facts.contains("mass")) {
    EXPECT_NEAR(mesh::make_report(model.mesh).volume * model.materials[0].density,
                facts["mass"].get<double>(), 1e-9 * facts["mass"].get<double>());
  }
  EXPECT_EQ(static_cast<int>(model.report.unsupported.count("TIE")), facts.value("tie", 0));
}

/// Coordinates have six digits in some; the cut-out of MODEL08 is round.
TEST_P(AbaqusSample, HasMiddleNodesBetweenTheirCorners) {
  const std::string name = GetParam();
  SOLIDYN_REQUIRE_SAMPLE(name);
  const SolidModel model = read_abaqus_input(sample(name));
  EXPECT_LT(largest_bend(model.mesh), name == "abaqus/cae/MODEL08.inp" ? 0.05 : 2e-6);
}

TEST_P(AbaqusSample, IsASoundMeshUnlessItNeedsATie) {
  const std::string name = GetParam();
  SOLIDYN_REQUIRE_SAMPLE(name);
  SolidModel model = read_abaqus_input(sample(name));
  if (model.report.unsupported.count("TIE") == 0) {
    EXPECT_NO_THROW(mesh::check(model.mesh, name));
  } else {  // linear wedges touch quadratic tetrahedra, which hang free without it
    EXPECT_THROW(mesh::check(model.mesh, name), base::InputError);
  }
}

INSTANTIATE_TEST_SUITE_P(Facts, AbaqusSample,
                         ::testing::Values("abaqus/cae/81fbi_4_2.inp", "abaqus/cae/MODEL05.inp",
                                           "abaqus/cae/MODEL06.inp", "abaqus/cae/MODEL08.inp",
                                           "abaqus/cae/hypermesh_beam.inp",
                                           "abaqus/exudyn/blockC3D10.inp",
                                           "abaqus/exudyn/blockC3D20.inp",
                                           "abaqus/exudyn/blockC3D8.inp",
                                           "abaqus/exudyn/rotorDiscTest.inp"));

bool holds(const mesh::NodeSet& set, const std::vector<std::int32_t>& nodes) {
  return std::all_of(nodes.begin(), nodes.end(), [&set](std::int32_t node) {
    return std::binary_search(set.nodes.begin(), set.nodes.end(), node);
  });
}

/// Faces of a type's elements whose nodes all lie in a set.
int count_faces_in(const mesh::Mesh& mesh, ElementType type, const mesh::NodeSet& set) {
  const mesh::ElementBlock& block = *mesh.find_block(type);
  int n = 0;
  for (std::int64_t e = 0; e < block.size(); ++e)
    for (const elements::Face& face : elements::faces(type)) {
      std::vector<std::int32_t> nodes;
      nodes.reserve(static_cast<std::size_t>(elements::n_nodes(face.type)));
      for (int i = 0; i < elements::n_nodes(face.type); ++i)
        nodes.push_back(block.connectivity[e * elements::n_nodes(type) + face.nodes[i]]);
      n += holds(set, nodes);
    }
  return n;
}

TEST(AbaqusSamples, TheRotorsSurfaceIsItsWholeSkin) {
  const int n_faces = facts_of("abaqus/exudyn/rotorDiscTest.inp").at("surface_faces").get<int>();
  const SolidModel model = read_abaqus_input(sample("abaqus/exudyn/rotorDiscTest.inp"));
  const auto skin = mesh::make_face_blocks(model.mesh, mesh::find_boundary_faces(model.mesh)).at(0);
  EXPECT_EQ(skin.size(), n_faces);
  std::vector<std::int32_t> nodes = skin.connectivity;
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  EXPECT_EQ(model.mesh.sets.at("Surface").nodes, nodes);
  EXPECT_EQ(model.mesh.sets.at("Surface").dimension, 2);
}

/// Internal sets are not kept: the test makes them ordinary ones, and their elements regions.
TEST(AbaqusSamples, TheRotorsFaceSetsHoldAsManyElementsAsKnown) {
  const std::string name = "abaqus/exudyn/rotorDiscTest.inp";
  std::ifstream stream(sample(name));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_EQ(read_abaqus_input(sample(name)).mesh.sets.count("_Surface_S1"), 0U);
  for (const auto& [face, n] : facts_of(name).at("face_set_sizes").items()) {
    const std::size_t end = text.find("*End Assembly");
    ASSERT_NE(end, std::string::npos);
    const std::string with_section = text.substr(0, end) + "*Solid Section, elset=_Surface_" +
                                     face + ", material=steel\n" + text.substr(end);
    const SolidModel model = formats::parse_abaqus_input(with_section, name);
    ASSERT_EQ(model.regions.size(), 2U);
    const auto& regions = model.mesh.blocks.at(0).regions;
    EXPECT_EQ(std::count(regions.begin(), regions.end(), 1), n.get<int>()) << face;
  }
}

TEST(AbaqusSamples, BothSidesOfATieHaveTheirFaces) {
  SOLIDYN_REQUIRE_SAMPLE("abaqus/cae/MODEL06.inp");
  const SolidModel model = read_abaqus_input(sample("abaqus/cae/MODEL06.inp"));
  const nlohmann::json facts = facts_of("abaqus/cae/MODEL06.inp");
  for (const auto& [name, n] : facts.at("surfaces").items()) {
    const ElementType side = name.back() == 'M' ? ElementType::wedge6 : ElementType::tet10;
    EXPECT_EQ(count_faces_in(model.mesh, side, model.mesh.sets.at(name)), n.get<int>()) << name;
  }
}

TEST(AbaqusSamples, HyperMeshsFirstNodeIsWhereItSays) {
  const SolidModel model = read_abaqus_input(sample("abaqus/cae/hypermesh_beam.inp"));
  const nlohmann::json x = facts_of("abaqus/cae/hypermesh_beam.inp").at("node_1");
  const auto& tags = model.mesh.node_tags;
  const auto node = std::find(tags.begin(), tags.end(), 1) - tags.begin();
  ASSERT_LT(node, static_cast<std::ptrdiff_t>(tags.size()));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(model.mesh.x(i, node), x[i].get<double>());
  EXPECT_EQ(model.regions.at(0).material, -1);  // no section: no material
}

struct Block {
  const char* type;
  ElementType shape;
  int n_nodes, n_elements;
  imported::Integration integration;
};

class CalculixBlock : public ::testing::TestWithParam<Block> {};

/// MANIFEST: 40 x 20 x 10 mm, mass 6.296e-5 t, labels from 101 and 11, 18, 25, ...
TEST_P(CalculixBlock, IsTheKnownBlock) {
  const Block& block = GetParam();
  std::string name = block.type;
  std::transform(name.begin(), name.end(), name.begin(), [](char c) { return std::tolower(c); });
  SolidModel model = read_abaqus_input(sample("generated/blocks/block_" + name + ".inp"));
  EXPECT_EQ(model.mesh.n_nodes(), block.n_nodes);
  EXPECT_EQ(count_elements(model), (std::map<std::string, int>{{block.type, block.n_elements}}));
  EXPECT_EQ(model.regions.at(0).integration, block.integration);
  EXPECT_EQ(model.mesh.node_tags.front(), 101);
  const mesh::ElementBlock& elements = *model.mesh.find_block(block.shape);
  for (int e = 0; e < block.n_elements; ++e) EXPECT_EQ(elements.tags[e], 11 + 7 * e);
  ASSERT_EQ(model.materials.size(), 1U);
  EXPECT_EQ(model.materials[0].name, "STEEL");
  EXPECT_EQ(model.materials[0].youngs_modulus, 210000);
  EXPECT_EQ(model.materials[0].poissons_ratio, 0.3);
  EXPECT_EQ(model.materials[0].density, 7.87e-9);
  EXPECT_NO_THROW(mesh::check(model.mesh, name));
  EXPECT_LT(largest_bend(model.mesh), 1e-12);
  EXPECT_NEAR(mesh::make_report(model.mesh).volume * 7.87e-9, 6.296e-5, 1e-16);
  for (std::int32_t node : model.mesh.sets.at("XMIN").nodes) EXPECT_EQ(model.mesh.x(0, node), 0.0);
  for (std::int32_t node : model.mesh.sets.at("XMAX").nodes) EXPECT_EQ(model.mesh.x(0, node), 40.0);
}

INSTANTIATE_TEST_SUITE_P(
    Facts, CalculixBlock,
    ::testing::Values(Block{"C3D4", ElementType::tet4, 18, 24, imported::Integration::standard},
                      Block{"C3D6", ElementType::wedge6, 18, 8, imported::Integration::standard},
                      Block{"C3D8", ElementType::hex8, 18, 4, imported::Integration::standard},
                      Block{"C3D8I", ElementType::hex8, 18, 4,
                            imported::Integration::incompatible_modes},
                      Block{"C3D10", ElementType::tet10, 75, 24, imported::Integration::standard},
                      Block{"C3D15", ElementType::wedge15, 59, 8, imported::Integration::standard},
                      Block{"C3D20", ElementType::hex20, 51, 4, imported::Integration::standard},
                      Block{"C3D20R", ElementType::hex20, 51, 4, imported::Integration::reduced}),
    [](const auto& info) { return std::string(info.param.type); });

TEST(CalculixRod, IsTheKnownRodInTwoUnits) {
  const SolidModel si = read_abaqus_input(sample("generated/rod/rod_c3d10.inp"));
  EXPECT_EQ(si.mesh.n_nodes(), 2275);
  EXPECT_EQ(count_elements(si), (std::map<std::string, int>{{"C3D10", 1080}}));
  EXPECT_NEAR(mesh::make_report(si.mesh).volume * si.materials.at(0).density, 0.066703747, 1e-9);
  SolidModel mm = read_abaqus_input(sample("generated/rod/rod_c3d10_mmts.inp"));
  EXPECT_EQ(mm.mesh.n_nodes(), 625);
  EXPECT_EQ(count_elements(mm), (std::map<std::string, int>{{"C3D10", 288}}));
  imported::convert_to_si(mm, imported::units_by_name("tonne-mm-s"));
  EXPECT_NEAR(mm.materials.at(0).density, 7870, 1e-9);
  EXPECT_NEAR(mm.materials.at(0).youngs_modulus, 200e9, 1);
  EXPECT_NEAR(mesh::make_report(mm.mesh).volume * 7870, 0.0667, 0.002);
}

/// Supports and steps: *BOUNDARY on XMIN, no dof of nodes 101 to 106.
TEST(CalculixClamp, HoldsSixNodes) {
  const SolidModel model = read_abaqus_input(sample("generated/blocks/block_c3d8_clamped_mat.inp"));
  ASSERT_EQ(model.supports.size(), 6U);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(model.supports[i].node, 101 + i);
    EXPECT_EQ(model.supports[i].components, "123");
  }
}

class GmshExport : public ::testing::TestWithParam<const char*> {};

/// Gmsh's own export of its meshes: the same nodes in the same elements, faces as a set.
TEST_P(GmshExport, HasTheBodyAndItsBottom) {
  SolidModel model =
      read_abaqus_input(sample(std::string("generated/gmsh/") + GetParam() + "_gmsh.inp"));
  EXPECT_NO_THROW(mesh::check(model.mesh, GetParam()));
  EXPECT_LT(largest_bend(model.mesh), 1e-11);
  EXPECT_NEAR(mesh::make_report(model.mesh).volume, 2.0, 1e-10);
  EXPECT_EQ(static_cast<std::int64_t>(model.mesh.sets.at("BODY").nodes.size()),
            model.mesh.n_nodes());
  EXPECT_EQ(model.mesh.sets.at("BODY").dimension, 3);
  const mesh::NodeSet& bottom = model.mesh.sets.at("BOTTOM");
  EXPECT_EQ(bottom.dimension, 2);
  EXPECT_FALSE(bottom.nodes.empty());
  for (std::int32_t node : bottom.nodes) EXPECT_NEAR(model.mesh.x(2, node), 0.0, 1e-12);
  EXPECT_EQ(model.other_elements.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Facts, GmshExport, ::testing::Values("tet10", "hex20", "wedge15"));

}  // namespace
}  // namespace solidyn
