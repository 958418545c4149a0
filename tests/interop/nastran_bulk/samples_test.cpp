#include "samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "formats/nastran/lines/deck.h"
#include "solidyn/elements/topology.h"
#include "solidyn/formats/nastran/bulk_and_punch.h"
#include "solidyn/imported/checks.h"

namespace solidyn {
namespace {

using imported::SolidModel;
using testing::HasSubstr;
using testing_support::facts_of;
using testing_support::sample;

SolidModel read(const std::string& name) { return formats::read_nastran_bulk(sample(name)); }

/// "CHEXA20": as the facts call elements.
std::string fact_name(elements::ElementType type) {
  const int n = elements::n_nodes(type);
  switch (elements::linear_of(type)) {
    case elements::ElementType::tet4:
      return "CTETRA" + std::to_string(n);
    case elements::ElementType::wedge6:
      return "CPENTA" + std::to_string(n);
    case elements::ElementType::hex8:
      return "CHEXA" + std::to_string(n);
    default:
      return "CPYRAM" + std::to_string(n);
  }
}

std::map<std::string, std::int64_t> element_counts(const SolidModel& model) {
  std::map<std::string, std::int64_t> counts = model.other_elements;
  for (const mesh::ElementBlock& block : model.mesh.blocks)
    counts[fact_name(block.type)] = block.size();
  if (counts.count("CBAR")) counts["CBAR2"] = counts["CBAR"];  // both names are in the facts
  return counts;
}

std::int64_t n_grids(const SolidModel& model) {
  return model.mesh.n_nodes() + static_cast<std::int64_t>(model.loose_nodes.size());
}

Eigen::Vector3d position(const SolidModel& model, std::int64_t tag) {
  for (Eigen::Index i = 0; i < model.mesh.n_nodes(); ++i)
    if (model.mesh.node_tags[i] == tag) return model.mesh.x.col(i);
  for (const imported::LooseNode& node : model.loose_nodes)
    if (node.tag == tag) return node.x;
  ADD_FAILURE() << "no node " << tag;
  return Eigen::Vector3d::Zero();
}

/// Largest distance of a mid-side node from its edge's middle, over the edge's length.
double mid_side_error(const mesh::Mesh& mesh) {
  double error = 0.0;
  for (const mesh::ElementBlock& block : mesh.blocks) {
    const int n = elements::n_nodes(block.type), n_corners = elements::n_corners(block.type);
    const auto& edges = elements::edges(block.type);
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const std::int32_t* nodes = block.connectivity.data() + e * n;
      for (int i = n_corners; i < n; ++i) {
        const Eigen::Vector3d a = mesh.x.col(nodes[edges[i - n_corners][0]]),
                              b = mesh.x.col(nodes[edges[i - n_corners][1]]);
        error = std::max(error, (mesh.x.col(nodes[i]) - 0.5 * (a + b)).norm() / (b - a).norm());
      }
    }
  }
  return error;
}

class Sample : public testing::TestWithParam<std::string> {};

TEST_P(Sample, AgreesWithItsFacts) {
  const nlohmann::json facts = facts_of(GetParam());
  const SolidModel model = read(GetParam());
  EXPECT_EQ(n_grids(model), facts.at("grids").get<std::int64_t>());
  const auto counts = element_counts(model);
  if (facts.contains("elements"))
    for (const auto& [name, n] : facts["elements"].items())
      if (name != "shells_and_plane") {
        EXPECT_EQ(counts.count(name) ? counts.at(name) : 0, n.get<std::int64_t>()) << name;
      }
  if (facts.contains("rbe2")) {
    EXPECT_EQ(model.rigid_elements.size(), facts["rbe2"]);
  }
  if (facts.contains("aset_cards")) {
    EXPECT_EQ(model.report.skipped.at("ASET"), facts["aset_cards"]);
  }
  if (facts.contains("last_grid")) {
    const auto& grid = facts["last_grid"];
    EXPECT_EQ(position(model, grid[0]), Eigen::Vector3d(grid[1], grid[2], grid[3]));
  }
  if (facts.contains("material")) {
    ASSERT_EQ(model.materials.size(), 1u);
    const auto& m = facts["material"];
    EXPECT_EQ(model.materials[0].youngs_modulus, m["E"]);
    EXPECT_EQ(model.materials[0].poissons_ratio, m["nu"]);
    EXPECT_EQ(model.materials[0].density, m["rho"]);
  }
}

TEST_P(Sample, VolumeAndMassAgree) {
  const nlohmann::json facts = facts_of(GetParam());
  const imported::SolidChecks checks = imported::measure(read(GetParam()));
  for (const char* key : {"volume", "volume_solids"})
    if (facts.contains(key)) {
      EXPECT_NEAR(checks.volume, facts[key], 1e-6 * checks.volume);
    }
  for (const char* key : {"mass_kg", "mass_solids"})
    if (facts.contains(key)) {
      EXPECT_NEAR(checks.mass, facts[key], 1e-6 * checks.mass);
    }
  if (facts.contains("mass") && facts["mass"] == 0.0) {
    EXPECT_EQ(checks.mass, 0.0);
  }
}

/// The facts' centre of mass: of the elements' volumes. Their grids' facts hold 9 digits.
TEST_P(Sample, MidSideNodesLieAtEdgeMidpoints) {
  EXPECT_LT(mid_side_error(read(GetParam()).mesh), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(
    Nastran, Sample,
    testing::Values("nastran/solids/CHEXA08_.nas", "nastran/solids/CPENTA15_.nas",
                    "nastran/solids/CTETRA04_.nas", "nastran/solids/CTETRA10_.nas",
                    "nastran/solids/ehbus69.bdf", "nastran/solids/rigid_rbe2.bdf",
                    "nastran/modal/dmg401ns.bdf", "nastran/modal/mode_solid_shell_bar.bdf",
                    "nastran/dmig/test_case.bdf", "nastran/superelement/inboard.dat"),
    [](const auto& info) {
      std::string name = info.param.substr(info.param.rfind('/') + 1);
      for (char& c : name)
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
      return name;
    });

/// Lumped at centroids, as facts.json says: element volumes and centroids by their corners.
struct Lumped {
  double volume = 0.0;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
};

double hex_or_less_volume(const mesh::Mesh& mesh, elements::ElementType linear,
                          const std::int32_t* nodes, const Eigen::Vector3d& centroid) {
  double volume = 0.0;  // of pyramids and tetrahedra from the faces to the centroid
  for (const elements::Face& face : elements::faces(linear)) {
    const auto x = [&](int i) -> Eigen::Vector3d { return mesh.x.col(nodes[face.nodes[i]]); };
    volume += (x(1) - x(0)).cross(x(2) - x(0)).dot(x(0) - centroid) / 6.0;
    if (face.type == elements::ElementType::quad4)
      volume += (x(2) - x(0)).cross(x(3) - x(0)).dot(x(0) - centroid) / 6.0;
  }
  return volume;
}

Lumped lumped(const SolidModel& model, double density) {
  Lumped total;
  std::vector<std::pair<double, Eigen::Vector3d>> parts;
  for (const mesh::ElementBlock& block : model.mesh.blocks) {
    const int n = elements::n_nodes(block.type), n_corners = elements::n_corners(block.type);
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const std::int32_t* nodes = block.connectivity.data() + e * n;
      Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
      for (int i = 0; i < n_corners; ++i) centroid += model.mesh.x.col(nodes[i]) / n_corners;
      const double volume =
          hex_or_less_volume(model.mesh, elements::linear_of(block.type), nodes, centroid);
      parts.emplace_back(volume, centroid);
      total.volume += volume;
      total.centre += volume * centroid;
    }
  }
  total.centre /= total.volume;
  for (const auto& [volume, x] : parts) {
    const Eigen::Vector3d r = x - total.centre;
    total.inertia +=
        density * volume * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
  }
  return total;
}

TEST(NastranSamples, CentresAndInertiasOfTheRodsAgree) {
  for (const char* name : {"CHEXA08_", "CPENTA15_", "CTETRA04_", "CTETRA10_"}) {
    const std::string file = std::string("nastran/solids/") + name + ".nas";
    const nlohmann::json facts = facts_of(file);
    const Lumped body = lumped(read(file), facts["material"]["rho"]);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(body.centre[i], facts["cg"][i].get<double>(), 1e-7) << name;
      EXPECT_NEAR(body.inertia(i, i),
                  facts["inertia_about_cg_lumped_at_centroids"][i].get<double>(), 1e-6 * 13.0)
          << name;
    }
  }
  const nlohmann::json facts = facts_of("nastran/solids/rigid_rbe2.bdf");
  const Lumped body = lumped(read("nastran/solids/rigid_rbe2.bdf"), 2700.0);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(body.centre[i], facts["cg"][i].get<double>(), 1e-6);
}

TEST(NastranSamples, LeftHandedTetrahedraAreTurnedWithAWarning) {
  const SolidModel model = read("nastran/solids/ehbus69.bdf");
  const std::string n = facts_of("nastran/solids/ehbus69.bdf")["ctetra10_left_handed"].dump();
  std::string warnings;
  for (const base::Diagnostic& warning : model.report.warnings) warnings += warning.what + "\n";
  EXPECT_THAT(warnings, HasSubstr(n + " of 10 CTETRA with 10 grids were left-handed"));
  EXPECT_THAT(warnings, HasSubstr("has no density"));
  EXPECT_TRUE(model.report.unsupported.count("PLSOLID"));
  // facts.json counts 36 shell and plane elements; the file has 38 of their entries
  const std::map<std::string, std::int64_t> others = {{"CQUAD", 6},  {"CQUAD4", 3}, {"CQUAD8", 5},
                                                      {"CQUADX", 6}, {"CTRIA3", 4}, {"CTRIA6", 6},
                                                      {"CTRIAX", 4}, {"CTRIAX6", 4}};
  EXPECT_EQ(model.other_elements, others);
}

TEST(NastranSamples, SystemTwelveOfEhbusIsRectangular) {
  const nlohmann::json facts = facts_of("nastran/solids/ehbus69.bdf");
  formats::NastranDeck deck(formats::open_nastran(sample("nastran/solids/ehbus69.bdf")),
                            formats::refuse_include);
  std::map<std::string, std::string> systems;
  for (formats::NastranCard card; deck.next(card);)
    if (card.name().substr(0, 4) == "CORD") systems[std::string(card.field(1))] = card.name();
  for (const auto& [id, name] : facts["coords"].items()) EXPECT_EQ(systems.at(id), name);
}

TEST(NastranSamples, PermanentConstraintsOfGrdsetAreSupports) {
  const SolidModel model = read("nastran/dmig/test_case.bdf");
  ASSERT_EQ(model.supports.size(), 5u);
  for (const imported::Support& support : model.supports)
    EXPECT_EQ(support.components, facts_of("nastran/dmig/test_case.bdf")["grdset_ps"]);
  ASSERT_EQ(model.masses.size(), 1u);
  EXPECT_EQ(model.masses[0].name, "CONM2 6");
  EXPECT_EQ(model.masses[0].mass, 1080.0);
  EXPECT_EQ(model.masses[0].inertia(0, 0), 1728.0);
}

TEST(NastranSamples, TouchingFieldsOfLargeGridsAreSeparate) {
  const SolidModel model = read("nastran/modal/dmg401ns.bdf");
  const nlohmann::json facts = facts_of("nastran/modal/dmg401ns.bdf");
  for (const auto& [tag, key] : {std::pair(1, "grid_1"), std::pair(18, "grid_18")}) {
    const auto& x = facts[key];
    EXPECT_EQ(position(model, tag), Eigen::Vector3d(x[0], x[1], x[2]));
  }
  EXPECT_TRUE(model.report.unsupported.count("PCOMPS"));
}

TEST(NastranSamples, IncludedFilesAndSelectedConstraintsCount) {
  const SolidModel model = read("nastran/modal/mode_solid_shell_bar.bdf");
  // SPC = 2 is SPCADD 2 of 123456: SPC1 on 22..25, and 456 on 5 THRU 13
  EXPECT_EQ(model.supports.size(), 4u + 9u);
  EXPECT_EQ(model.report.unsupported.count("CQUAD4"), 1u);
  EXPECT_EQ(model.mesh.sets.at("PSOLID 2").nodes.size(),
            static_cast<std::size_t>(model.mesh.n_nodes()));
}

TEST(NastranSamples, FluidsAreRefused) {
  try {
    read("nastran/modal/fsi.bdf");
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("fsi.bdf:30: error: PSOLID: property 2 is a fluid"));
  }
  std::map<std::string, int> n;
  formats::NastranDeck deck(formats::open_nastran(sample("nastran/modal/fsi.bdf")),
                            formats::refuse_include);
  for (formats::NastranCard card; deck.next(card);) ++n[card.name()];
  const nlohmann::json facts = facts_of("nastran/modal/fsi.bdf");
  EXPECT_EQ(n["GRID"], facts["grids"]);
  EXPECT_EQ(n["CQUAD4"], facts["elements"]["CQUAD4"]);
  EXPECT_EQ(n["CHEXA"], facts["elements"]["CHEXA8"]);
}

TEST(NastranSamples, SuperelementsDeckKnowsAxesOfItsGrids) {
  const SolidModel model = read("nastran/superelement/inboard.dat");
  ASSERT_EQ(model.node_axes.size(), 1u);
  // CORD2R 10: z along basic x, x along basic y
  Eigen::Matrix3d expected;
  expected << 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0;
  EXPECT_EQ(model.node_axes.at(11), expected);
  const nlohmann::json facts = facts_of("nastran/superelement/inboard.dat");
  EXPECT_EQ(model.other_elements.at("CBAR"), facts["cbar"]);
}

TEST(NastranSamples, SuperelementsPunchPlacesItsBoundary) {
  for (const char* name :
       {"nastran/superelement/inboard.asm", "nastran/superelement/inboard.pch"}) {
    const SolidModel model = read(name);
    std::vector<std::int64_t> grids;
    for (const imported::LooseNode& node : model.loose_nodes) grids.push_back(node.tag);
    EXPECT_EQ(grids, facts_of("nastran/superelement/inboard.asm")["boundary_grids"]);
    EXPECT_EQ(model.node_axes.count(11), 1u);
  }
}

/// Gmsh wrote the same meshes in its own format.
TEST(NastranSamples, FilesOfGmshHoldTheShapes) {
  for (const auto& [name, n_nodes, type, n] :
       {std::tuple("hex20_gmsh.bdf", 51, elements::ElementType::hex20, 4),
        std::tuple("tet10_gmsh.bdf", 75, elements::ElementType::tet10, 24),
        std::tuple("wedge15_gmsh.bdf", 57, elements::ElementType::wedge15, 8)}) {
    const SolidModel model = read(std::string("generated/gmsh/") + name);
    EXPECT_EQ(model.mesh.n_nodes(), n_nodes) << name;
    ASSERT_EQ(model.mesh.blocks.size(), 1u) << name;
    EXPECT_EQ(model.mesh.blocks[0].type, type);
    EXPECT_EQ(model.mesh.blocks[0].size(), n);
    EXPECT_LT(mid_side_error(model.mesh), 1e-7);
    EXPECT_NEAR(imported::measure(model).volume, 2.0, 1e-6);
  }
}

}  // namespace
}  // namespace solidyn
