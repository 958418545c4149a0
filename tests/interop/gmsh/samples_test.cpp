// Every Gmsh sample has the facts that are known of it (facts.json, MANIFEST), in every version.
#include "samples.h"

#include <gtest/gtest.h>

#include "mid_nodes.h"
#include "solidyn/base/log.h"
#include "solidyn/elements/topology.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/mesh/check.h"
#include "solidyn/mesh/report.h"

namespace solidyn {
namespace {

using elements::ElementType;
using testing_support::facts_of;
using testing_support::largest_bend;
using testing_support::sample;

std::int64_t count(const mesh::Mesh& mesh, ElementType type) {
  const mesh::ElementBlock* block = mesh.find_block(type);
  return block ? block->size() : 0;
}

/// Points only count for sets.
class GmshSample : public ::testing::TestWithParam<const char*> {};

TEST_P(GmshSample, HoldsWhatIsKnownOfIt) {
  const nlohmann::json facts = facts_of(GetParam());
  const mesh::Mesh mesh = formats::read_gmsh(sample(GetParam()));
  EXPECT_EQ(mesh.n_nodes(), facts.at("nodes").get<int>());
  for (const mesh::ElementBlock& block : mesh.blocks)
    EXPECT_EQ(block.size(), facts.at(elements::name(block.type)).get<int>());
  EXPECT_EQ(static_cast<bool>(mesh.find_block(ElementType::line3)), facts.contains("line3"));
  const nlohmann::json box = facts.value("bbox", nlohmann::json::array());
  for (int i = 0; i < 3 && !box.empty(); ++i) {
    EXPECT_NEAR(mesh.x.row(i).minCoeff(), box[0][i].get<double>(), 1e-11);
    EXPECT_NEAR(mesh.x.row(i).maxCoeff(), box[1][i].get<double>(), 1e-11);
  }
  const nlohmann::json physical = facts.value("physical", nlohmann::json::object());
  for (const auto& [dimension, groups] : physical.items())
    for (const auto& [tag, name] : groups.items())
      EXPECT_EQ(mesh.sets.at(name.get<std::string>()).dimension, std::stoi(dimension));
}

INSTANTIATE_TEST_SUITE_P(Facts, GmshSample,
                         ::testing::Values("gmsh/cube_q2.msh", "gmsh/gmsh-3d-ascii-64.msh",
                                           "gmsh/gmsh-3d-ascii.msh2", "gmsh/gmsh-3d-binary-64.msh",
                                           "gmsh/gmsh-3d-binary.msh2", "gmsh/gmsh-hex-20node.msh"));

/// A box 2 x 1 x 1 in the shape `name` of the file; what it is read as.
struct Shape {
  const char* name;
  ElementType type;
  int n_elements, n_nodes;
};

class GmshBox : public ::testing::TestWithParam<std::tuple<Shape, const char*>> {
 protected:
  std::string path() const {
    return sample(std::string("generated/gmsh/") + std::get<0>(GetParam()).name + "_" +
                  std::get<1>(GetParam()) + ".msh");
  }
};

void expect_box(mesh::Mesh mesh, const Shape& shape) {
  EXPECT_EQ(mesh.n_nodes(), shape.n_nodes);
  EXPECT_EQ(count(mesh, shape.type), shape.n_elements);
  EXPECT_EQ(static_cast<int>(mesh.sets.at("BODY").nodes.size()), shape.n_nodes);
  EXPECT_EQ(mesh.sets.at("BODY").dimension, 3);
  EXPECT_EQ(mesh.sets.at("BOTTOM").dimension, 2);
  for (std::int32_t node : mesh.sets.at("BOTTOM").nodes) EXPECT_NEAR(mesh.x(2, node), 0.0, 1e-12);
  EXPECT_LT(largest_bend(mesh), 1e-11);
  EXPECT_NO_THROW(mesh::check(mesh, shape.name));
  EXPECT_EQ(mesh.n_nodes(), shape.n_nodes) << "nodes of no element";
  EXPECT_NEAR(mesh::make_report(mesh).volume, 2.0, 1e-10);
}

TEST_P(GmshBox, IsReadWhole) { expect_box(formats::read_gmsh(path()), std::get<0>(GetParam())); }

TEST_P(GmshBox, TellsOfNodesThatItLeavesOut) {
  base::clear_logged_warnings();
  formats::read_gmsh(path());
  const std::string shape = std::get<0>(GetParam()).name;
  const std::size_t n = base::logged_warnings().size();
  if (shape != "hex27" && shape != "wedge18") {
    EXPECT_EQ(n, 0U);
    return;
  }
  ASSERT_GT(n, 1U);
  const std::string last = base::logged_warnings().back();
  EXPECT_NE(last.find(shape == "hex27" ? "24 face and volume nodes" : "18 face and volume nodes"),
            std::string::npos)
      << last;
}

INSTANTIATE_TEST_SUITE_P(
    Facts, GmshBox,
    ::testing::Combine(::testing::Values(Shape{"tet4", ElementType::tet4, 24, 18},
                                         Shape{"tet10", ElementType::tet10, 24, 75},
                                         Shape{"hex8", ElementType::hex8, 4, 18},
                                         Shape{"hex20", ElementType::hex20, 4, 51},
                                         Shape{"hex27", ElementType::hex20, 4, 51},
                                         Shape{"wedge6", ElementType::wedge6, 8, 18},
                                         Shape{"wedge15", ElementType::wedge15, 8, 57},
                                         Shape{"wedge18", ElementType::wedge15, 8, 57}),
                       ::testing::Values("msh22_asc", "msh22_bin", "msh41_asc", "msh41_bin")),
    [](const auto& info) {
      return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param);
    });

std::string own_sample(const std::string& name) {
  return std::string(SOLIDYN_SOURCE_DIR "/tests/interop/gmsh/data/") + name;
}

/// Gmsh wrote the boxes in the versions that nobody should need any more.
TEST(OldGmshVersions, Version40IsReadWhole) {
  expect_box(formats::read_gmsh(own_sample("hex8_msh40_asc.msh")),
             {"hex8", ElementType::hex8, 4, 18});
  expect_box(formats::read_gmsh(own_sample("tet10_msh40_asc.msh")),
             {"tet10", ElementType::tet10, 24, 75});
}

/// It has no names of groups.
TEST(OldGmshVersions, Version1IsReadWhole) {
  for (const Shape& shape :
       {Shape{"hex8", ElementType::hex8, 4, 18}, Shape{"tet10", ElementType::tet10, 24, 75}}) {
    mesh::Mesh mesh = formats::read_gmsh(own_sample(std::string(shape.name) + "_msh1.msh"));
    ASSERT_EQ(mesh.sets.count("physical_3_7"), 1U);
    mesh.sets["BODY"] = mesh.sets.at("physical_3_7");
    mesh.sets["BOTTOM"] = mesh.sets.at("physical_2_8");
    expect_box(mesh, shape);
  }
}

}  // namespace
}  // namespace solidyn
