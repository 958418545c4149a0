#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formats/nastran/lines/entry.h"
#include "formats/nastran/lines/lines.h"
#include "samples.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/mesh/generators.h"

namespace solidyn {
namespace {

using elements::ElementType;
using imported::Integration;
using imported::SolidModel;

SolidModel rewritten(const SolidModel& model) {
  return formats::parse_nastran_bulk(formats::format_nastran_bulk(model), "again.bdf");
}

void expect_same_mesh(const mesh::Mesh& a, const mesh::Mesh& b) {
  EXPECT_EQ(a.node_tags, b.node_tags);
  ASSERT_EQ(a.x.cols(), b.x.cols());
  EXPECT_LE((a.x - b.x).norm(), 1e-12 * a.x.norm());
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    EXPECT_EQ(a.blocks[i].type, b.blocks[i].type);
    EXPECT_EQ(a.blocks[i].tags, b.blocks[i].tags);
    EXPECT_EQ(a.blocks[i].connectivity, b.blocks[i].connectivity);
  }
  ASSERT_EQ(a.sets.size(), b.sets.size());
  for (const auto& [name, set] : a.sets) {
    ASSERT_TRUE(b.sets.count(name)) << name;
    EXPECT_EQ(set.nodes, b.sets.at(name).nodes) << name;
    EXPECT_EQ(set.dimension, b.sets.at(name).dimension) << name;
  }
}

class EveryShape : public testing::TestWithParam<ElementType> {};

TEST_P(EveryShape, ReadsBackWithItsSets) {
  mesh::BoxOptions box;
  box.type = GetParam();
  box.nx = 2;
  box.size = {1.0 / 3.0, 1e-7, 2e12};
  SolidModel model;
  model.mesh = mesh::make_box(box);
  const SolidModel again = rewritten(model);
  mesh::Mesh expected = model.mesh;
  expected.sets["PSOLID 1"] = expected.sets.at("body");
  expect_same_mesh(expected, again.mesh);
}

INSTANTIATE_TEST_SUITE_P(NastranWriter, EveryShape,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                         [](const auto& info) { return elements::name(info.param); });

TEST(NastranWriter, SamplesReadBack) {
  for (const char* name :
       {"nastran/solids/CTETRA10_.nas", "nastran/solids/CPENTA15_.nas",
        "nastran/solids/rigid_rbe2.bdf", "nastran/modal/mode_solid_shell_bar.bdf",
        "nastran/superelement/inboard.dat", "nastran/dmig/test_case.bdf"}) {
    const SolidModel model = formats::read_nastran_bulk(testing_support::sample(name));
    const SolidModel again = rewritten(model);
    expect_same_mesh(model.mesh, again.mesh);
    ASSERT_EQ(model.materials.size(), again.materials.size()) << name;
    for (std::size_t i = 0; i < model.materials.size(); ++i) {
      EXPECT_EQ(model.materials[i].name, again.materials[i].name);
      EXPECT_DOUBLE_EQ(model.materials[i].youngs_modulus, again.materials[i].youngs_modulus);
      EXPECT_DOUBLE_EQ(model.materials[i].density, again.materials[i].density);
    }
    ASSERT_EQ(model.rigid_elements.size(), again.rigid_elements.size()) << name;
    for (std::size_t i = 0; i < model.rigid_elements.size(); ++i)
      EXPECT_EQ(model.rigid_elements[i].nodes, again.rigid_elements[i].nodes);
    EXPECT_EQ(model.loose_nodes.size(), again.loose_nodes.size());
    EXPECT_EQ(model.supports.size(), again.supports.size()) << name;
    EXPECT_EQ(model.masses.size(), again.masses.size()) << name;
    EXPECT_EQ(model.node_axes.size(), again.node_axes.size()) << name;
    for (const auto& [tag, axes] : model.node_axes) EXPECT_EQ(axes, again.node_axes.at(tag));
  }
}

/// A box of two regions, with all that a model can have.
SolidModel full_model() {
  mesh::BoxOptions box;
  box.type = ElementType::hex20;
  box.nx = 2;
  SolidModel model;
  model.mesh = mesh::make_box(box);
  model.mesh.node_tags.back() = 123456789;  // more than small fields hold
  model.mesh.blocks[0].regions = {0, 1};
  model.mesh.sets.erase("body");
  model.materials = {{"steel alloy", 2.1e11, 0.3, 7850.0, {}},
                     {"MAT1 7", 7e10, 1.0 / 3.0, 2700.0, {}}};
  model.regions = {{"left half", "C3D20", 0, Integration::standard},
                   {"PSOLID 9", "CHEXA", 1, Integration::reduced}};
  imported::PointMass mass;
  mass.name = "CONM2 90";
  mass.node = 3;
  mass.mass = 0.1;
  mass.offset = {0.1, -0.2, 1.0 / 3.0};
  mass.inertia << 1.0, -0.1, -0.2, -0.1, 2.0, -0.3, -0.2, -0.3, 3.0;
  model.masses = {mass};
  model.loose_nodes = {{5000, {1.0, 2.0, 3.0}}};
  imported::RigidElement rbe3;
  rbe3.kind = imported::RigidElement::Kind::rbe3;
  rbe3.name = "bearing";
  rbe3.reference = 5000;
  rbe3.nodes = {1, 2, 3, 4};
  rbe3.weights = {1.0, 1.0, 2.5, 2.5};
  rbe3.node_components = "123";
  model.rigid_elements = {rbe3};
  model.supports = {{1, "123"}, {2, "123"}, {4, "5"}};
  return model;
}

TEST(NastranWriter, EverythingOfAModelReadsBack) {
  const SolidModel model = full_model(), again = rewritten(model);
  EXPECT_EQ(again.mesh.blocks[0].regions, model.mesh.blocks[0].regions);
  EXPECT_EQ(again.mesh.sets.at("x_min").nodes, model.mesh.sets.at("x_min").nodes);
  ASSERT_EQ(again.regions.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(again.regions[i].name, model.regions[i].name);
    EXPECT_EQ(again.regions[i].integration, model.regions[i].integration);
    EXPECT_EQ(again.materials[again.regions[i].material].name, model.materials[i].name);
  }
  EXPECT_NEAR(again.materials[1].poissons_ratio, 1.0 / 3.0, 1e-13);
  ASSERT_EQ(again.masses.size(), 1u);
  EXPECT_EQ(again.masses[0].name, "CONM2 90");
  EXPECT_NEAR((again.masses[0].offset - model.masses[0].offset).norm(), 0.0, 1e-13);
  EXPECT_EQ(again.masses[0].inertia, model.masses[0].inertia);
  ASSERT_EQ(again.rigid_elements.size(), 1u);
  EXPECT_EQ(again.rigid_elements[0].name, "bearing");
  EXPECT_EQ(again.rigid_elements[0].reference, 5000);
  EXPECT_EQ(again.rigid_elements[0].nodes, model.rigid_elements[0].nodes);
  EXPECT_EQ(again.rigid_elements[0].weights, model.rigid_elements[0].weights);
  ASSERT_EQ(again.supports.size(), 3u);
  EXPECT_EQ(again.supports[2].components, "5");
}

TEST(NastranWriter, ComponentsOfAnRbe3StayWithTheirNodes) {
  SolidModel model = full_model();
  model.rigid_elements[0].node_components.clear();
  model.rigid_elements[0].components_of_nodes = {"123", "12", "12", "3"};
  const SolidModel again = rewritten(model);
  EXPECT_EQ(again.rigid_elements.at(0).components_of_nodes,
            model.rigid_elements[0].components_of_nodes);
  EXPECT_EQ(again.rigid_elements[0].node_components, "");
  EXPECT_EQ(again.rigid_elements[0].weights, model.rigid_elements[0].weights);
}

TEST(NastranWriter, RealsKeepTheirDigitsInSixteenColumns) {
  for (const double value : {0.0, -0.0, 1.0, -1.0 / 3.0, 1e-300, -1.23456789012345678e-250, 2.1e11,
                             123456789.123456789, -6.02214076e23, 1e15, 5e-324}) {
    const std::string text = formats::nastran_real(value);
    EXPECT_LE(text.size(), 16u) << text;
    double again = 1.0;
    ASSERT_EQ(formats::parse_real(text, again), formats::RealText::good) << text;
    EXPECT_NEAR(again, value, 1e-9 * std::abs(value)) << text;
  }
  EXPECT_EQ(formats::nastran_real(0.5), ".5");
  EXPECT_EQ(formats::nastran_real(-1e-5), "-1.-5");
}

}  // namespace
}  // namespace solidyn
