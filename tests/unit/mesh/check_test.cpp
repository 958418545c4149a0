#include "solidyn/mesh/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/mesh/boundary.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/mesh/report.h"

namespace solidyn::mesh {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Mesh box(ElementType type = ElementType::tet10) {
  BoxOptions options;
  options.type = type;
  options.nx = options.ny = options.nz = 2;
  options.perturbation = 0.1;
  return make_box(options);
}

std::int32_t add_node(Mesh& mesh, const Eigen::Vector3d& x) {
  mesh.x.conservativeResize(3, mesh.x.cols() + 1);
  mesh.x.rightCols<1>() = x;
  mesh.node_tags.push_back(1000 + mesh.x.cols());
  return static_cast<std::int32_t>(mesh.x.cols()) - 1;
}

/// Appends a copy of the mesh, moved; nodes are not merged.
void add_copy(Mesh& mesh, const Eigen::Vector3d& shift) {
  const std::int32_t n = static_cast<std::int32_t>(mesh.n_nodes());
  for (std::int32_t node = 0; node < n; ++node) add_node(mesh, mesh.x.col(node) + shift);
  for (ElementBlock& block : mesh.blocks) {
    const std::size_t n_entries = block.connectivity.size(), n_tags = block.tags.size();
    for (std::size_t i = 0; i < n_entries; ++i)
      block.connectivity.push_back(block.connectivity[i] + n);
    for (std::size_t i = 0; i < n_tags; ++i) block.tags.push_back(block.tags[i] + 10000);
  }
}

std::vector<std::string> warnings_of(Mesh& mesh) {
  base::clear_logged_warnings();
  check(mesh, "body.msh");
  return base::logged_warnings();
}

std::string message_of(Mesh mesh) {
  try {
    check(mesh, "body.msh");
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Check, GoodMeshPassesUnchangedAndSilently) {
  Mesh mesh = box();
  const Mesh before = mesh;
  EXPECT_THAT(warnings_of(mesh), ElementsAre());
  EXPECT_EQ(mesh.x, before.x);
  EXPECT_EQ(mesh.blocks[0].connectivity, before.blocks[0].connectivity);
}

TEST(Check, NodesOfNoElementAreDroppedSilently) {
  Mesh mesh = box();
  const Mesh before = mesh;
  mesh.x.conservativeResize(3, mesh.x.cols() + 1);
  for (Eigen::Index i = mesh.x.cols() - 1; i > 0; --i) mesh.x.col(i) = mesh.x.col(i - 1).eval();
  mesh.x.col(0) = Eigen::Vector3d(9, 9, 9);  // in front, so that every number moves
  mesh.node_tags.insert(mesh.node_tags.begin(), 5000);
  for (std::int32_t& node : mesh.blocks[0].connectivity) ++node;
  for (auto& [name, set] : mesh.sets)
    for (std::int32_t& node : set.nodes) ++node;
  EXPECT_THAT(warnings_of(mesh), ElementsAre());
  EXPECT_EQ(mesh.x, before.x);
  EXPECT_EQ(mesh.node_tags, before.node_tags);
  EXPECT_EQ(mesh.blocks[0].connectivity, before.blocks[0].connectivity);
  EXPECT_EQ(mesh.sets.at("y_max").nodes, before.sets.at("y_max").nodes);
}

TEST(Check, NodesOfLinesAndFacesAloneAreDroppedFromSetsWithAWarning) {
  Mesh mesh = box(ElementType::tet4);
  const std::int32_t loose = add_node(mesh, Eigen::Vector3d(5, 0, 0));
  mesh.blocks.push_back({ElementType::tri3, {0, 1, loose, 0, 1, 2}, {901, 902}});
  mesh.sets["plate"] = {2, {0, 1, 2, loose}};
  mesh.sets["point"] = {0, {loose}};
  EXPECT_THAT(warnings_of(mesh),
              ElementsAre(AllOf(HasSubstr("body.msh: 1 nodes"), HasSubstr("1 lines and faces")),
                          HasSubstr("set `point` is empty")));
  EXPECT_EQ(mesh.n_nodes(), 27);
  EXPECT_THAT(mesh.find_block(ElementType::tri3)->tags, ElementsAre(902));
  EXPECT_THAT(mesh.sets.at("plate").nodes, ElementsAre(0, 1, 2));
}

TEST(Check, InvertedAndCollapsedElementsAreListedTogether) {
  Mesh mesh = box(ElementType::tet4);
  auto& nodes = mesh.blocks[0].connectivity;
  std::swap(nodes[4 * 7], nodes[4 * 7 + 1]);  // element 8
  nodes[4 * 11 + 3] = nodes[4 * 11];          // element 12
  EXPECT_THAT(
      message_of(mesh),
      AllOf(HasSubstr("body.msh"), HasSubstr("1 of 48 solid elements are inverted: elements 8"),
            HasSubstr("worst: tet4 8"),
            HasSubstr("1 of 48 solid elements have zero volume: elements 12")));
}

// The middle node of edge 0-1 of element 6 at `place` along it: before a quarter the Jacobian is
// negative at the corner 0, before 0.10 at the quadrature point nearest to it.
Mesh with_moved_middle(double place) {
  Mesh mesh = box();
  const std::int32_t* nodes = &mesh.blocks[0].connectivity[10 * 5];
  mesh.x.col(nodes[4]) = (1.0 - place) * mesh.x.col(nodes[0]) + place * mesh.x.col(nodes[1]);
  return mesh;
}

TEST(Check, CurvedSideThatInvertsAnElementIsRefused) {
  EXPECT_THAT(message_of(with_moved_middle(0.05)), HasSubstr("are inverted: elements"));
}

TEST(Check, CurvedSideThatInvertsACornerOnlyIsAWarning) {
  Mesh mesh = with_moved_middle(0.2);
  EXPECT_THAT(warnings_of(mesh),
              ElementsAre(AllOf(HasSubstr("inverted at a corner or a mid-side node"),
                                HasSubstr("unreliable"))));
  Mesh good = with_moved_middle(0.3);
  EXPECT_THAT(warnings_of(good), ElementsAre());
}

// The Jacobian 1 - 1.02 x of the map is negative beyond x = 0.98: at corners, and at no quadrature
// point, the outermost of which is at 0.954 (of a tet10 with a face at x = 1).
TEST(Check, QuadraticSolidsInvertedAtCornersOnlyAreAWarning) {
  for (const ElementType type : {ElementType::tet10, ElementType::hex20, ElementType::wedge15}) {
    BoxOptions options;
    options.type = type;
    Mesh mesh = make_box(options);
    mesh.x.row(0) -= (0.51 * mesh.x.row(0).cwiseAbs2()).eval();
    EXPECT_THAT(warnings_of(mesh),
                ElementsAre(HasSubstr("inverted at a corner or a mid-side node")))
        << name(type);
  }
}

TEST(Check, NodeOrderOfAnotherProgramIsSuspected) {
  Mesh mesh = box(ElementType::tet4);
  auto& nodes = mesh.blocks[0].connectivity;
  for (std::size_t e = 0; e < nodes.size(); e += 4) std::swap(nodes[e], nodes[e + 1]);
  EXPECT_THAT(message_of(mesh), AllOf(HasSubstr("48 of 48"), HasSubstr("5, 6, 7, 8, 9, 10, ..."),
                                      HasSubstr("that of another program")));
}

TEST(Check, MeshWithoutSolidsIsRefused) {
  Mesh mesh = box();
  mesh.blocks = make_face_blocks(mesh, find_boundary_faces(mesh));
  EXPECT_THAT(message_of(mesh), HasSubstr("contains no solid elements"));
  EXPECT_THAT(message_of(Mesh{}), HasSubstr("contains no solid elements"));
}

TEST(Check, OverlappingSolidsAreRefused) {
  Mesh mesh = box();
  ElementBlock& block = mesh.blocks[0];
  const std::vector<std::int32_t> first(block.connectivity.begin(),
                                        block.connectivity.begin() + 10);
  block.connectivity.insert(block.connectivity.end(), first.begin(), first.end());
  block.tags.push_back(999);
  EXPECT_THAT(message_of(mesh), HasSubstr("shared by more than two solid elements"));
}

// Two cubes side by side, one a hexahedron, one of six tetrahedra.
TEST(Check, HexahedraAndTetrahedraNeedPyramidsBetween) {
  BoxOptions options;
  options.type = ElementType::hex8;
  Mesh mesh = make_box(options);
  options.type = ElementType::tet4;
  options.origin = Eigen::Vector3d(1, 0, 0);
  const Mesh tets = make_box(options);
  std::vector<std::int32_t> new_number;
  for (std::int32_t node = 0; node < tets.n_nodes(); ++node) {
    Eigen::Index nearest = 0;
    const bool is_shared =
        (mesh.x.colwise() - tets.x.col(node)).colwise().norm().minCoeff(&nearest) == 0.0;
    new_number.push_back(is_shared ? static_cast<std::int32_t>(nearest)
                                   : add_node(mesh, tets.x.col(node)));
  }
  mesh.blocks.push_back(tets.blocks[0]);
  for (std::int32_t& node : mesh.blocks[1].connectivity) node = new_number[node];
  EXPECT_THAT(message_of(mesh), AllOf(HasSubstr("1 quadrilateral faces touch triangles"),
                                      HasSubstr("put pyramids between")));
}

TEST(Check, CornersInvertedBetweenQuadraturePointsAreAWarning) {
  Mesh mesh = make_patch_test_cube(ElementType::hex8);
  EXPECT_THAT(warnings_of(mesh), ElementsAre(HasSubstr("1 elements are inverted at a corner")));
}

TEST(Check, LinearAndQuadraticSolidsMustNotShareFaces) {
  Mesh mesh = box();
  ElementBlock& block = mesh.blocks[0];
  ElementBlock linear{ElementType::tet4, {}, {block.tags.back()}};
  linear.connectivity.assign(block.connectivity.end() - 10, block.connectivity.end() - 6);
  block.connectivity.resize(block.connectivity.size() - 10);
  block.tags.pop_back();
  mesh.blocks.push_back(linear);
  // The last of Kuhn's tetrahedra, in the cell at the upper corner: its face at z = 1 is outside.
  EXPECT_THAT(message_of(mesh),
              HasSubstr("3 faces lie between elements with and without mid-side nodes"));
}

TEST(Check, PartsAndCoincidentNodesGiveWarnings) {
  Mesh apart = box();
  add_copy(apart, Eigen::Vector3d(3, 0, 0));
  EXPECT_THAT(warnings_of(apart),
              ElementsAre(HasSubstr("2 disconnected parts, which share no node")));
  Mesh touching = make_box([] {
    BoxOptions options;
    options.type = ElementType::tet4;
    options.nx = options.ny = options.nz = 2;
    return options;
  }());
  add_copy(touching, Eigen::Vector3d(1, 0, 0));  // nine nodes of two faces meet
  EXPECT_THAT(warnings_of(touching), ElementsAre(HasSubstr("9 pairs of nodes coincide"),
                                                 HasSubstr("2 disconnected parts")));
}

TEST(Report, TellsTheFactsOfABox) {
  BoxOptions options;
  options.nx = 2, options.ny = 3, options.nz = 4;
  options.size = Eigen::Vector3d(2, 3, 4);
  options.origin = Eigen::Vector3d(1, 1, 1);
  const Report report = make_report(make_box(options));
  EXPECT_EQ(report.n_nodes, 5 * 7 * 9);
  EXPECT_EQ(report.n_elements.at(ElementType::tet10), 6 * 24);
  EXPECT_EQ(report.n_parts, 1);
  EXPECT_NEAR(report.volume, 24.0, 1e-12);
  EXPECT_LT((report.centroid - Eigen::Vector3d(2, 2.5, 3)).norm(), 1e-13);
  EXPECT_EQ(report.high, Eigen::Vector3d(3, 4, 5));
  // All of Kuhn's tetrahedra of a cube are alike: edges 1, 1, 1, sqrt 2, sqrt 2, sqrt 3; V = 1/6,
  // surface 1 + sqrt 2, circumradius sqrt(3)/2.
  const double quality = 3.0 * (0.5 / (1.0 + std::sqrt(2.0))) / (std::sqrt(3.0) / 2.0);
  EXPECT_NEAR(report.lowest_quality, quality, 1e-14);
  EXPECT_NEAR(report.mean_quality, quality, 1e-14);
  EXPECT_THAT(format(report),
              AllOf(HasSubstr("tet10      144"), HasSubstr("(1, 1, 1) to (3, 4, 5) m"),
                    HasSubstr("1 connected part\n"), HasSubstr("set        x_min")));
}

TEST(Report, NamesTheWorstElement) {
  Mesh mesh = box(ElementType::tet4);
  std::swap(mesh.blocks[0].connectivity[4 * 20], mesh.blocks[0].connectivity[4 * 20 + 1]);
  EXPECT_EQ(make_report(mesh).worst_element, 21);
  EXPECT_LT(make_report(mesh).lowest_quality, 0.0);
}

}  // namespace
}  // namespace solidyn::mesh
