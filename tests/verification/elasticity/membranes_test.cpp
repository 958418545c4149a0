#include <gtest/gtest.h>

#include "nodal_stress.h"
#include "solidyn/fem/surface_load.h"
#include "solidyn/mesh/generators.h"
#include "static_solution.h"

// B03 and B04 of the verification collection: membranes as one layer of solids whose mid-plane
// stays in its plane.
namespace solidyn::fem {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using elements::ElementType;

// The unit square of a one-layer box, mapped.
template <class Map>
mesh::DistributedMesh make_membrane(ElementType type, int nx, int ny, double thickness,
                                    const Map& map) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = nx, box.ny = ny, box.nz = 1;
  box.size = {1.0, 1.0, thickness};
  box.origin = {0.0, 0.0, -0.5 * thickness};
  mesh::Mesh mesh = mesh::make_box(box);
  for (Eigen::Index k = 0; k < mesh.x.cols(); ++k)
    mesh.x.col(k).head<2>() = map(mesh.x(0, k), mesh.x(1, k));
  return mesh::distribute(PETSC_COMM_SELF, mesh);
}

// Components held on the nodes of a set; the mid-plane's z always.
std::vector<bool> supports(const mesh::DistributedMesh& mesh,
                           const std::vector<std::pair<const char*, int>>& held) {
  std::vector<bool> is_fixed(3 * mesh.n_local(), false);
  for (const auto& [set, component] : held)
    for (const std::int32_t node : mesh.sets.at(set).nodes) is_fixed[3 * node + component] = true;
  for (std::int64_t k = 0; k < mesh.n_local(); ++k)
    if (std::abs(mesh.x(2, k)) < 1e-12) is_fixed[3 * k + 2] = true;
  return is_fixed;
}

Surface surface(const mesh::DistributedMesh& mesh, const char* set) {
  std::vector<bool> is_selected(mesh.n_local(), false);
  for (const std::int32_t node : mesh.sets.at(set).nodes) is_selected[node] = true;
  return Surface(mesh, is_selected);
}

std::int32_t node_at(const mesh::DistributedMesh& mesh, const Vector3d& place) {
  Eigen::Index k = 0;
  EXPECT_LT((mesh.x.colwise() - place).colwise().norm().minCoeff(&k), 1e-9);
  return static_cast<std::int32_t>(k);
}

VectorXd solve(const mesh::DistributedMesh& mesh, const IsotropicElastic& material,
               const Matrix3Xd& load, const std::vector<bool>& is_fixed) {
  const ElasticBody body = assemble(mesh, material);
  const VectorXd f = load.reshaped();
  return test::solve_static(test::make_sparse_stiffness(body), f, is_fixed,
                            VectorXd::Zero(f.size()));
}

class Membrane : public testing::TestWithParam<ElementType> {};
INSTANTIATE_TEST_SUITE_P(Elements, Membrane,
                         testing::Values(ElementType::hex20, ElementType::wedge15,
                                         ElementType::tet10),
                         [](const auto& info) { return std::string(elements::name(info.param)); });

// NAFEMS LE1: a quarter of an elliptic membrane pulled at its outer edge; 92.7 MPa at (2, 0).
TEST_P(Membrane, StressAgreesWithNafemsLe1) {
  // The stress of one side's elements at their own corner: bricks have it with half as many.
  const int fine = GetParam() == ElementType::hex20 ? 1 : 2;
  const mesh::DistributedMesh mesh =
      make_membrane(GetParam(), 8 * fine, 12 * fine, 0.1, [](double r, double s) -> Vector2d {
        const double angle = 0.5 * M_PI * s;
        return {(2.0 + 1.25 * r) * std::cos(angle), (1.0 + 1.75 * r) * std::sin(angle)};
      });
  const Matrix3Xd load = 10e6 * surface(mesh, "x_max").nodal_area_vectors();
  const IsotropicElastic steel{210e9, 0.3, 7800.0};
  const VectorXd u = solve(mesh, steel, load, supports(mesh, {{"y_min", 1}, {"y_max", 0}}));
  // At both faces; the mean of them is the membrane's.
  const double above = test::stress_at_node(mesh, steel, u, node_at(mesh, {2.0, 0.0, 0.05}))[1];
  const double below = test::stress_at_node(mesh, steel, u, node_at(mesh, {2.0, 0.0, -0.05}))[1];
  EXPECT_NEAR(0.5 * (above + below), 92.7e6, 0.02 * 92.7e6);
}

// Cook's membrane: v(48, 52) = 23.96 of finer 27-node bricks.
TEST_P(Membrane, TipOfCooksMembraneRisesAsWithTriquadraticBricks) {
  const mesh::DistributedMesh mesh =
      make_membrane(GetParam(), 16, 16, 1.0, [](double r, double s) -> Vector2d {
        return {48.0 * r, (1.0 - s) * 44.0 * r + s * (44.0 + 16.0 * r)};
      });
  const Matrix3Xd areas = surface(mesh, "x_max").nodal_areas();
  EXPECT_NEAR(areas.row(1).sum(), 16.0, 1e-10);
  Matrix3Xd load = Matrix3Xd::Zero(3, mesh.n_local());
  load.row(1) = areas.row(1) / 16.0;
  const VectorXd u =
      solve(mesh, {1.0, 1.0 / 3.0, 1.0}, load, supports(mesh, {{"x_min", 0}, {"x_min", 1}}));
  EXPECT_NEAR(u[3 * node_at(mesh, {48.0, 52.0, -0.5}) + 1], 23.96, 0.005 * 23.96);
}

}  // namespace
}  // namespace solidyn::fem
