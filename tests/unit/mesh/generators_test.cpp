#include "solidyn/mesh/generators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "solidyn/base/error.h"
#include "solidyn/elements/topology.h"
#include "solidyn/mesh/boundary.h"
#include "solidyn/mesh/element_geometry.h"

namespace solidyn::mesh {
namespace {

using Eigen::Vector3d;

double total_volume(const Mesh& mesh) {
  double sum = 0.0;
  for (const ElementBlock& block : mesh.blocks)
    for (std::int64_t e = 0; e < block.size(); ++e)
      sum += volume(gather_positions(mesh.x, block, e));
  return sum;
}

double worst_jacobian(const Mesh& mesh) {
  double worst = 1e300;
  for (const ElementBlock& block : mesh.blocks)
    for (std::int64_t e = 0; e < block.size(); ++e)
      worst = std::min(worst, smallest_jacobian(gather_positions(mesh.x, block, e)));
  return worst;
}

/// Volume by the divergence theorem over the straight corner triangles of the outer faces.
double volume_inside(const Mesh& mesh) {
  double six_volumes = 0.0;
  for (const ElementBlock& block : make_face_blocks(mesh, find_boundary_faces(mesh))) {
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const std::int32_t* n = &block.connectivity[e * n_nodes(block.type)];
      for (int i = 2; i < n_corners(block.type); ++i)
        six_volumes += mesh.x.col(n[0]).dot(Vector3d(mesh.x.col(n[i - 1])).cross(mesh.x.col(n[i])));
    }
  }
  return six_volumes / 6.0;
}

double distance_to_nearest_node(const Mesh& mesh, const Vector3d& point) {
  return (mesh.x.colwise() - point).colwise().norm().minCoeff();
}

BoxOptions irregular_box(ElementType type) {
  BoxOptions options;
  options.type = type;
  options.nx = 4, options.ny = 3, options.nz = 5;
  options.size = Vector3d(2.0, 0.5, 1.5);
  options.origin = Vector3d(-1.0, 3.0, 0.25);
  options.perturbation = 0.2;
  return options;
}

const auto kAllSolids = testing::Values(
    ElementType::tet4, ElementType::tet10, ElementType::hex8, ElementType::hex20,
    ElementType::wedge6, ElementType::wedge15, ElementType::pyramid5, ElementType::pyramid13);
const auto kTypeName = [](const auto& info) { return std::string(name(info.param)); };

bool is_linear(ElementType type) { return linear_of(type) == type; }

// Of a box of the irregular one's 4 x 3 x 5 cells, 222 edges and 47 + 94 faces of cells.
struct BoxFacts {
  int per_cell, n_nodes, n_outer_faces, n_on_x_min;
};
const std::map<ElementType, BoxFacts> kBoxFacts = {
    {ElementType::tet4, {6, 120, 188, 24}},    {ElementType::tet10, {6, 9 * 7 * 11, 188, 77}},
    {ElementType::hex8, {1, 120, 94, 24}},     {ElementType::hex20, {1, 120 + 286, 94, 62}},
    {ElementType::wedge6, {2, 120, 118, 24}},  {ElementType::wedge15, {2, 120 + 358, 118, 62}},
    {ElementType::pyramid5, {6, 180, 94, 24}}, {ElementType::pyramid13, {6, 180 + 766, 94, 62}}};

class Generators : public testing::TestWithParam<ElementType> {
 protected:
  const BoxFacts& facts() const { return kBoxFacts.at(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Types, Generators, kAllSolids, kTypeName);

class RodGenerator : public testing::TestWithParam<ElementType> {};
INSTANTIATE_TEST_SUITE_P(Types, RodGenerator,
                         testing::Values(ElementType::tet4, ElementType::tet10), kTypeName);

TEST_P(Generators, BoxFillsItsVolume) {
  BoxOptions options = irregular_box(GetParam());
  options.perturbation = 0.0;
  const Mesh mesh = make_box(options);
  EXPECT_EQ(mesh.find_block(GetParam())->size(), facts().per_cell * 4 * 3 * 5);
  EXPECT_EQ(mesh.n_nodes(), facts().n_nodes);
  EXPECT_NEAR(total_volume(mesh), 1.5, 1e-13);
  EXPECT_GT(worst_jacobian(mesh), 0.0);
}

TEST_P(Generators, PerturbedBoxStaysABox) {
  const Mesh mesh = make_box(irregular_box(GetParam()));
  EXPECT_NEAR(total_volume(mesh), 1.5, 1e-13);
  EXPECT_GT(worst_jacobian(mesh), 0.0);
  const double ends[6] = {-1.0, 1.0, 3.0, 3.5, 0.25, 1.75};
  int i = 0;
  for (const char* set : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"}) {
    for (std::int32_t node : mesh.sets.at(set).nodes) EXPECT_EQ(mesh.x(i / 2, node), ends[i]);
    ++i;
  }
  EXPECT_EQ(static_cast<int>(mesh.sets.at("x_min").nodes.size()), facts().n_on_x_min);
  EXPECT_EQ(mesh.sets.at("body").nodes.size(), static_cast<std::size_t>(mesh.n_nodes()));
  EXPECT_GT((mesh.x - make_box([] {
                        BoxOptions regular = irregular_box(GetParam());
                        regular.perturbation = 0.0;
                        return regular;
                      }())
                          .x)
                .norm(),
            0.1);
}

TEST_P(Generators, FacesOfABoxCloseAndPointOutwards) {
  const Mesh mesh = make_box(irregular_box(GetParam()));
  EXPECT_EQ(static_cast<int>(find_boundary_faces(mesh).size()), facts().n_outer_faces);
  EXPECT_EQ(count_face_faults(mesh).n_overfull, 0);
  EXPECT_EQ(count_face_faults(mesh).n_mixed, 0);
  EXPECT_NEAR(volume_inside(mesh), 1.5, 1e-13);
}

TEST_P(Generators, PatchTestCubeHasUnitVolume) {
  const Mesh mesh = make_patch_test_cube(GetParam());
  EXPECT_EQ(mesh.blocks.front().size(), 7 * facts().per_cell);
  EXPECT_NEAR(total_volume(mesh), 1.0, 1e-14);
  EXPECT_GT(worst_jacobian(mesh), 0.0);
  EXPECT_EQ(count_face_faults(mesh).n_overfull, 0);
  // 8 corners; 12 edges and the diagonals carry mid-side nodes. Wedges stand on two of the six
  // faces, the others are in one chain around.
  const ElementType linear = linear_of(GetParam());
  const std::size_t n_diagonals = linear == ElementType::tet4     ? 6
                                  : linear == ElementType::wedge6 ? 2
                                                                  : 0;
  EXPECT_EQ(find_boundary_faces(mesh).size(), 6 + n_diagonals);
  EXPECT_EQ(mesh.sets.at("outer").nodes.size(), is_linear(GetParam()) ? 8 : 20 + n_diagonals);
}

TEST_P(RodGenerator, HasCentrelineNodes) {
  for (auto section : {RodOptions::Section::circular, RodOptions::Section::rectangular}) {
    RodOptions options;
    options.section = section;
    options.type = GetParam();
    options.n_axial = 10;
    const Mesh mesh = make_rod(options);
    for (double x : {0.0, 0.15, 0.3})
      EXPECT_EQ(distance_to_nearest_node(mesh, Vector3d(x, 0.0, 0.0)), 0.0);
    EXPECT_GT(worst_jacobian(mesh), 0.0);
    EXPECT_EQ(mesh.sets.at("big_end_face").nodes.size(),
              mesh.sets.at("small_end_face").nodes.size());
    if (section == RodOptions::Section::rectangular) {
      EXPECT_NEAR(total_volume(mesh), 0.3 * 1e-6, 1e-18);
    }
  }
}

TEST(Rod, VolumeConvergesAtOrderFour) {
  // Quadratic sides approximate the circle's area with an error of order h^4.
  const auto error = [](int rings) {
    RodOptions options;
    options.n_section = rings;
    options.n_axial = 2;
    options.length = 0.01;
    return std::abs(total_volume(make_rod(options)) / (M_PI * 9e-6 * 0.01) - 1.0);
  };
  EXPECT_NEAR(std::log2(error(2) / error(4)), 4.0, 0.2);
  EXPECT_LT(error(4), 2e-4);
}

TEST(Rod, SkinNodesLieOnTheCircle) {
  RodOptions options;
  options.n_axial = 4;
  const Mesh mesh = make_rod(options);
  for (const ElementBlock& block : make_face_blocks(mesh, find_boundary_faces(mesh))) {
    for (std::int32_t node : block.connectivity) {
      const bool on_end = mesh.x(0, node) == 0.0 || mesh.x(0, node) == options.length;
      if (!on_end) {
        EXPECT_NEAR(mesh.x.col(node).tail<2>().norm(), 3e-3, 1e-17);
      }
    }
  }
}

TEST_P(Generators, VolumeOfCurvedElementsFollowsAnAnalyticMap) {
  if (is_linear(GetParam())) GTEST_SKIP() << "without mid-side nodes nothing is curved";
  // The map x -> (x, y, z + c x^2) keeps volumes and carries quadratic tetrahedra to such exactly;
  // the boundary of a box of the others is carried exactly where x is linear along its edges.
  BoxOptions options = irregular_box(GetParam());
  if (GetParam() != ElementType::tet10) options.perturbation = 0.0;
  Mesh mesh = make_box(options);
  mesh.x.row(2) += 0.3 * mesh.x.row(0).cwiseAbs2();
  EXPECT_NEAR(total_volume(mesh), 1.5, 1e-13);
}

TEST(ElementGeometry, JacobianOfCurvedTetrahedronIsThatOfItsMap) {
  // x -> (x + c x^2, y, z) of the unit tetrahedron: det = 1 + 2 c x.
  const Mesh unit = [] {
    Mesh mesh;
    mesh.x.resize(3, 4);
    mesh.x << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
    mesh.node_tags = {1, 2, 3, 4};
    mesh.blocks.push_back({ElementType::tet4, {0, 1, 2, 3}, {1}});
    return make_quadratic(mesh);
  }();
  ElementPositions x = gather_positions(unit.x, unit.blocks.front(), 0);
  x.row(0) += (-0.6 * x.row(0).cwiseAbs2()).eval();
  EXPECT_NEAR(jacobian(x, Vector3d(0.2, 0.3, 0.4)), 1.0 - 1.2 * 0.2, 1e-15);
  EXPECT_NEAR(smallest_jacobian_at_nodes(x), 1.0 - 1.2, 1e-15);
  // The points of Walkington's rule that are nearest to the corner x = 1.
  EXPECT_NEAR(smallest_jacobian(x), 1.0 - 1.2 * (1.0 - 3.0 * 0.09273525031089123), 1e-12);
}

TEST(ElementGeometry, RegularTetrahedronHasRadiusRatioOne) {
  ElementPositions x(3, 4);
  x << 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1, 1;
  EXPECT_NEAR(std::abs(quality(x)), 1.0, 1e-15);
  x.col(3) = (x.col(0) + x.col(1) + x.col(2)) / 3.0;
  EXPECT_NEAR(quality(x), 0.0, 1e-15);
}

// Moments of the box x, y, z in [-1, 1] x [3, 3.5] x [0.25, 1.75]: volume 1.5 times its centre.
TEST_P(Generators, FirstMomentsOfTheElementsSumToThatOfTheBox) {
  const Mesh mesh = make_box(irregular_box(GetParam()));
  const ElementBlock& block = mesh.blocks.front();
  Vector3d sum = Vector3d::Zero();
  for (std::int64_t e = 0; e < block.size(); ++e)
    sum += first_moment(gather_positions(mesh.x, block, e));
  EXPECT_LT((sum - 1.5 * Vector3d(0.0, 3.25, 1.0)).norm(), 1e-12);
}

TEST(ElementGeometry, ElementsWithEqualEdgesHaveQualityOne) {
  ElementPositions hex(3, 8), wedge(3, 6), pyramid(3, 5);
  hex << 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1;
  const double h = std::sqrt(0.75), top = std::sqrt(0.5);
  wedge << 0, 1, 0.5, 0, 1, 0.5, 0, 0, h, 0, 0, h, 0, 0, 0, 1, 1, 1;
  pyramid << 0, 1, 1, 0, 0.5, 0, 0, 1, 1, 0.5, 0, 0, 0, 0, top;
  for (const ElementPositions& x : {hex, wedge, pyramid}) {
    EXPECT_NEAR(quality(x), 1.0, 1e-15);
    ElementPositions mirrored = x, flat = x;
    mirrored.row(2) *= -1.0;
    flat.row(2).setZero();
    EXPECT_NEAR(quality(mirrored), -1.0, 1e-15);
    EXPECT_EQ(quality(flat), 0.0);
  }
}

TEST(ElementGeometry, InvertedCornersOfPyramidsAndBricksAreFound) {
  ElementPositions pyramid(3, 5), brick(3, 8);
  pyramid << 0, 1, 1, 0, 0.5, 0, 0, 1, 1, 0.5, 0, 0, 0, 0, 1;
  brick << 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1;
  EXPECT_GT(smallest_jacobian(pyramid), 0.0);
  EXPECT_NEAR(smallest_jacobian(brick), 0.125, 1e-15);
  pyramid.col(2) << 0.4, 0.4, 0.0;  // a base that is not convex
  brick.col(6) << 0.4, 0.4, 0.4;
  EXPECT_LT(quality(pyramid), 0.0);
  EXPECT_LT(quality(brick), 0.0);
  pyramid.col(4)[2] = brick.col(6)[2] = -0.2;
  EXPECT_LT(smallest_jacobian(pyramid), 0.0);
  EXPECT_LT(smallest_jacobian(brick), 0.0);
}

TEST(GeneratorOptions, ImpossibleOptionsAreRefusedWithAReason) {
  BoxOptions box;
  box.nx = 0;
  EXPECT_THROW(make_box(box), base::InputError);
  RodOptions rod;
  rod.n_axial = 3;
  try {
    make_rod(rod);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("even number of layers"));
  }
}

}  // namespace
}  // namespace solidyn::mesh
