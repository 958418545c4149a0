#include "solidyn/mesh/generators.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/mesh/boundary.h"
#include "solidyn/mesh/tet_geometry.h"
#include "solidyn/mesh/topology.h"

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
      six_volumes += mesh.x.col(n[0]).dot(Vector3d(mesh.x.col(n[1])).cross(mesh.x.col(n[2])));
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

class Generators : public testing::TestWithParam<ElementType> {};
INSTANTIATE_TEST_SUITE_P(Types, Generators, testing::Values(ElementType::tet4, ElementType::tet10),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(Generators, BoxFillsItsVolume) {
  BoxOptions options = irregular_box(GetParam());
  options.perturbation = 0.0;
  const Mesh mesh = make_box(options);
  EXPECT_EQ(mesh.find_block(GetParam())->size(), 6 * 4 * 3 * 5);
  EXPECT_EQ(mesh.n_nodes(), GetParam() == ElementType::tet4 ? 5 * 4 * 6 : 9 * 7 * 11);
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
  EXPECT_EQ(mesh.sets.at("x_min").nodes.size(), GetParam() == ElementType::tet4 ? 4u * 6 : 7u * 11);
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
  EXPECT_EQ(find_boundary_faces(mesh).size(), 2u * 2 * (4 * 3 + 3 * 5 + 4 * 5));
  EXPECT_EQ(count_face_faults(mesh).n_overfull, 0);
  EXPECT_EQ(count_face_faults(mesh).n_mixed, 0);
  EXPECT_NEAR(volume_inside(mesh), 1.5, 1e-13);
}

TEST_P(Generators, PatchTestCubeHasUnitVolume) {
  const Mesh mesh = make_patch_test_cube(GetParam());
  EXPECT_EQ(mesh.blocks.front().size(), 7 * 6);
  EXPECT_NEAR(total_volume(mesh), 1.0, 1e-14);
  EXPECT_GT(worst_jacobian(mesh), 0.0);
  EXPECT_EQ(find_boundary_faces(mesh).size(), 12u);
  // 8 corners; 12 edges and 6 diagonals carry mid-side nodes.
  EXPECT_EQ(mesh.sets.at("outer").nodes.size(), GetParam() == ElementType::tet4 ? 8u : 26u);
}

TEST_P(Generators, RodHasCentrelineNodes) {
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

TEST(TetGeometry, VolumeOfCurvedTetrahedronFollowsAnAnalyticMap) {
  // The map x -> (x, y, z + c x^2) keeps volumes and carries tet10 to tet10 exactly.
  Mesh mesh = make_box(irregular_box(ElementType::tet10));
  mesh.x.row(2) += 0.3 * mesh.x.row(0).cwiseAbs2();
  EXPECT_NEAR(total_volume(mesh), 1.5, 1e-13);
}

TEST(TetGeometry, JacobianOfCurvedTetrahedronIsThatOfItsMap) {
  // x -> (x + c x^2, y, z) of the unit tetrahedron: det = 1 + 2 c x.
  const Mesh unit = [] {
    Mesh mesh;
    mesh.x.resize(3, 4);
    mesh.x << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
    mesh.node_tags = {1, 2, 3, 4};
    mesh.blocks.push_back({ElementType::tet4, {0, 1, 2, 3}, {1}});
    return make_quadratic(mesh);
  }();
  TetPositions x = gather_positions(unit.x, unit.blocks.front(), 0);
  x.row(0) += -0.6 * x.row(0).cwiseAbs2();
  EXPECT_NEAR(jacobian(x, Eigen::Vector4d(0.1, 0.2, 0.3, 0.4)), 1.0 - 1.2 * 0.2, 1e-15);
  EXPECT_NEAR(smallest_jacobian(x), 1.0 - 1.2, 1e-15);
}

TEST(TetGeometry, RegularTetrahedronHasRadiusRatioOne) {
  TetPositions x(3, 4);
  x << 1, 1, -1, -1, 1, -1, 1, -1, 1, -1, -1, 1;
  EXPECT_NEAR(std::abs(radius_ratio(x)), 1.0, 1e-15);
  x.col(3) = (x.col(0) + x.col(1) + x.col(2)) / 3.0;
  EXPECT_NEAR(radius_ratio(x), 0.0, 1e-15);
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
