#include <gtest/gtest.h>

#include "serial_matrices.h"
#include "solidyn/fem/solid_operator.h"
#include "solidyn/mesh/generators.h"
#include "static_solution.h"

// B03 of the verification collection: NAFEMS LE11, a cylinder that tapers into a sphere, with the
// temperature r + z.
namespace solidyn::fem {
namespace {

using Eigen::Matrix3Xd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

// So small that the corotational kernel is linear; stresses are scaled back.
constexpr double kScale = 1e-4;
constexpr double kExpansion = 2.3e-4;

Vector2d on_circle(double radius, double degrees) {
  const double angle = degrees * M_PI / 180.0;
  return radius * Vector2d(std::cos(angle), std::sin(angle));
}

Vector2d between(const Vector2d& a, const Vector2d& b, double t) { return a + t * (b - a); }

// (r, z) of the inner and outer outline; t = 0 is the equator, t = 4 the upper end.
Vector2d inner_outline(double t) {
  const double r = std::sqrt(0.5);
  return t <= 2.0 ? on_circle(1.0, 22.5 * t) : between({r, r}, {r, 1.79}, 0.5 * (t - 2.0));
}

Vector2d outer_outline(double t) {
  if (t <= 1.0) return on_circle(1.4, 30.0 * t);
  if (t <= 3.0) return between(on_circle(1.4, 30.0), {1.0, 1.39}, 0.5 * (t - 1.0));
  return between({1.0, 1.39}, {1.0, 1.79}, t - 3.0);
}

mesh::DistributedMesh make_body(elements::ElementType type, int n_radial, int n_hoop, int n_along) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = n_radial, box.ny = n_hoop, box.nz = n_along;
  box.size = {1.0, M_PI / 2.0, 4.0};
  mesh::Mesh mesh = mesh::make_box(box);
  for (Eigen::Index k = 0; k < mesh.x.cols(); ++k) {
    const Vector3d p = mesh.x.col(k);
    const Vector2d rz = between(inner_outline(p[2]), outer_outline(p[2]), p[0]);
    mesh.x.col(k) << rz[0] * std::cos(p[1]), rz[0] * std::sin(p[1]), rz[1];
  }
  return mesh::distribute(PETSC_COMM_SELF, mesh);
}

std::vector<bool> supports(const mesh::DistributedMesh& mesh) {
  std::vector<bool> is_fixed(3 * mesh.n_local(), false);
  for (const std::int32_t node : mesh.sets.at("y_min").nodes) is_fixed[3 * node + 1] = true;
  for (const std::int32_t node : mesh.sets.at("y_max").nodes) is_fixed[3 * node] = true;
  for (const char* end : {"z_min", "z_max"})
    for (const std::int32_t node : mesh.sets.at(end).nodes) is_fixed[3 * node + 2] = true;
  return is_fixed;
}

struct Case {
  elements::ElementType type;
  int refinement;
  double tolerance;
};

class CylinderTaperSphere : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Elements, CylinderTaperSphere,
                         testing::Values(Case{elements::ElementType::hex20, 6, 0.02},
                                         Case{elements::ElementType::tet10, 4, 0.04}),
                         [](const auto& info) {
                           return std::string(elements::name(info.param.type));
                         });

// sigma_zz at A = (1, 0, 0): NAFEMS -105 MPa.
TEST_P(CylinderTaperSphere, ThermalStressAgreesWithNafemsLe11) {
  const int n = GetParam().refinement;
  const mesh::DistributedMesh mesh = make_body(GetParam().type, n, n, 4 * n);
  SolidOptions options{SolidFormulation::corotational, IsotropicElastic{210e9, 0.3, 7800.0}, {}};
  options.material.set_expansion(kScale * kExpansion);
  options.temperature = (mesh.x.topRows<2>().colwise().norm() + mesh.x.row(2)).transpose();
  const ElasticBody body = assemble(mesh, options.material);
  const SolidOperator solid(mesh, body, options);
  Matrix3Xd held(3, mesh.n_local());
  solid.compute_force(mesh.x, held);
  const VectorXd load = -Eigen::Map<const VectorXd>(held.data(), held.size());
  const VectorXd u = test::solve_static(test::make_sparse_stiffness(body), load, supports(mesh),
                                        VectorXd::Zero(load.size()));
  Eigen::Matrix<double, 6, Eigen::Dynamic> sigma(6, mesh.n_owned);
  solid.compute_nodal_stress(mesh.x + Eigen::Map<const Matrix3Xd>(u.data(), 3, mesh.n_local()),
                             sigma);
  Eigen::Index A = 0;
  EXPECT_LT((mesh.x.colwise() - Vector3d::UnitX()).colwise().norm().minCoeff(&A), 1e-12);
  RecordProperty("sigma_zz_MPa", std::to_string(sigma(2, A) / kScale / 1e6));
  EXPECT_NEAR(sigma(2, A) / kScale, -105e6, GetParam().tolerance * 105e6);
}

}  // namespace
}  // namespace solidyn::fem
