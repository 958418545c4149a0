#include <gtest/gtest.h>

#include "nodal_stress.h"
#include "selections.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/mesh/interface.h"
#include "static_solution.h"

// B02 of the verification collection: NAFEMS LE10, a thick elliptic plate under pressure.
namespace solidyn::fem {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const IsotropicElastic kSteel{210e9, 0.3, 7800.0};
constexpr double kArea = 5.448697;  // of the quarter annulus, m^2
constexpr double kPressure = 1e6;

// The box x = radial, y = angle, z becomes the quarter annulus between the ellipses.
mesh::DistributedMesh make_plate(elements::ElementType type, int n_radial, int n_hoop,
                                 int n_thick) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = n_radial, box.ny = n_hoop, box.nz = n_thick;
  box.size = {1.0, M_PI / 2.0, 0.6};
  box.origin = {0.0, 0.0, -0.3};
  mesh::Mesh mesh = mesh::make_box(box);
  for (Eigen::Index k = 0; k < mesh.x.cols(); ++k) {
    const double r = mesh.x(0, k), angle = mesh.x(1, k);
    mesh.x(0, k) = (2.0 + 1.25 * r) * std::cos(angle);
    mesh.x(1, k) = (1.0 + 1.75 * r) * std::sin(angle);
  }
  return mesh::distribute(PETSC_COMM_SELF, mesh);
}

std::vector<bool> supports(const mesh::DistributedMesh& mesh) {
  std::vector<bool> is_fixed(3 * mesh.n_local(), false);
  for (const std::int32_t node : mesh.sets.at("y_min").nodes) is_fixed[3 * node + 1] = true;
  for (const std::int32_t node : mesh.sets.at("y_max").nodes) is_fixed[3 * node] = true;
  for (const std::int32_t node : mesh.sets.at("x_max").nodes) {
    is_fixed[3 * node] = is_fixed[3 * node + 1] = true;
    if (std::abs(mesh.x(2, node)) < 1e-9) is_fixed[3 * node + 2] = true;
  }
  return is_fixed;
}

// Consistent loads of the pressure: the upper face is plane, its area shares are those with which
// an interface weights it.
VectorXd pressure_load(const mesh::DistributedMesh& mesh, const VectorXd& nodal_mass) {
  const mesh::Interface face = mesh::resolve_interface(mesh, test::at_set("z_max"), nodal_mass);
  VectorXd f = VectorXd::Zero(3 * mesh.n_local());
  for (std::size_t i = 0; i < face.nodes.size(); ++i)
    f[3 * face.nodes[i] + 2] = -kPressure * kArea * face.weights(0, 3 * i);
  return f;
}

struct Case {
  elements::ElementType type;
  double stress_tolerance;  // B02 asks 2 % of bricks
};

class EllipticPlate : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Elements, EllipticPlate,
                         testing::Values(Case{elements::ElementType::hex20, 0.02},
                                         Case{elements::ElementType::wedge15, 0.04},
                                         Case{elements::ElementType::tet10, 0.04}),
                         [](const auto& info) {
                           return std::string(elements::name(info.param.type));
                         });

// sigma_yy at D = (2, 0, 0.3): NAFEMS -5.38 MPa; deflection there by 27-node bricks -1.0111e-4 m.
TEST_P(EllipticPlate, StressAndDeflectionAgreeWithNafemsLe10) {
  const mesh::DistributedMesh mesh = make_plate(GetParam().type, 8, 12, 6);
  const ElasticBody body = assemble(mesh, kSteel);
  const VectorXd f = pressure_load(mesh, body.lumped_mass);
  EXPECT_NEAR(f.sum(), -5.448697e6, 1.0);
  const VectorXd u = test::solve_static(test::make_sparse_stiffness(body), f, supports(mesh),
                                        VectorXd::Zero(f.size()));
  Eigen::Index D = 0;
  EXPECT_LT((mesh.x.colwise() - Vector3d(2.0, 0.0, 0.3)).colwise().norm().minCoeff(&D), 1e-12);
  EXPECT_NEAR(u[3 * D + 2], -1.0111e-4, 0.01 * 1.0111e-4);
  EXPECT_NEAR(test::stress_at_node(mesh, kSteel, u, static_cast<std::int32_t>(D))[1], -5.38e6,
              GetParam().stress_tolerance * 5.38e6);
}

}  // namespace
}  // namespace solidyn::fem
