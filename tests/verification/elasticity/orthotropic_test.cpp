#include <gtest/gtest.h>

#include "directed_material.h"
#include "serial_matrices.h"
#include "solid_meshes.h"
#include "solidyn/fem/solid_operator.h"
#include "solidyn/fem/surface_load.h"
#include "solidyn/mesh/generators.h"
#include "static_solution.h"

// Elasticity with directions: exact fields, turned bodies, and a tube with hoop fibres.
namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct Case {
  elements::ElementType type;
  Hex8Formulation hex8 = Hex8Formulation::incompatible_modes;
};

class Orthotropic : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Elements, Orthotropic,
    testing::Values(Case{elements::ElementType::tet4}, Case{elements::ElementType::tet10},
                    Case{elements::ElementType::hex8, Hex8Formulation::standard},
                    Case{elements::ElementType::hex8, Hex8Formulation::b_bar},
                    Case{elements::ElementType::hex8, Hex8Formulation::incompatible_modes},
                    Case{elements::ElementType::hex20}, Case{elements::ElementType::wedge6},
                    Case{elements::ElementType::wedge15}, Case{elements::ElementType::pyramid5},
                    Case{elements::ElementType::pyramid13}),
    [](const auto& info) {
      return std::string(elements::name(info.param.type)) + "_" +
             std::to_string(static_cast<int>(info.param.hex8));
    });

const Matrix3d kGradient =
    1e-3 * (Matrix3d() << 1.0, 0.5, -0.4, 0.3, -0.8, 0.2, 0.6, -0.7, 0.9).finished();

TEST_P(Orthotropic, LinearFieldIsReproducedExactly) {
  const Material material = test::orthotropic_in_odd_axes();
  const Section section{material, GetParam().hex8};
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, mesh::make_patch_test_cube(GetParam().type));
  const ElasticBody body = assemble(mesh, section);
  const Matrix3Xd exact = kGradient * mesh.x;
  VectorXd u = VectorXd::Zero(3 * mesh.n_local());
  std::vector<bool> is_outer(3 * mesh.n_local(), false);
  for (const std::int32_t node : mesh.sets.at("outer").nodes) {
    u.segment<3>(3 * node) = exact.col(node);
    for (int c = 0; c < 3; ++c) is_outer[3 * node + c] = true;
  }
  const Eigen::SparseMatrix<double> K = test::make_sparse_stiffness(body);
  u = test::solve_static(K, VectorXd::Zero(u.size()), is_outer, u);
  EXPECT_LT((Eigen::Map<const Matrix3Xd>(u.data(), 3, mesh.n_local()) - exact).norm(),
            1e-13 * exact.norm());
  const auto strain = materials::strain_vector(0.5 * (kGradient + kGradient.transpose()));
  const Stress sigma = Elasticity(material, Vector3d::Zero()).stress(strain);
  EXPECT_NEAR(u.dot(K * u), sigma.dot(strain), 1e-12 * sigma.dot(strain));  // a cube of 1 m^3
  const Eigen::MatrixXd nodal = StressRecovery(mesh, section, {0, 3}).compute(u);
  for (int node = 0; node < 2; ++node)
    EXPECT_LT((nodal.middleRows<6>(6 * node) - sigma).norm(), 1e-11 * sigma.norm());
}

// Body and material axes turned together: K turns, also where axes go around an axis.
TEST_P(Orthotropic, StiffnessTurnsWithTheBody) {
  const Matrix3d Q = test::large_rotation();
  for (Material material : {test::orthotropic_in_odd_axes(), test::orthotropic_around_an_axis()}) {
    mesh::DistributedMesh mesh =
        mesh::distribute(PETSC_COMM_SELF, test::irregular_box(GetParam().type));
    const Matrix3Xd v = test::random_field(mesh, 1.0, 2);
    const auto product = [&](const Matrix3Xd& field) {
      const ElasticBody body = assemble(mesh, Section{material, GetParam().hex8});
      const VectorXd f = test::make_sparse_stiffness(body) *
                         Eigen::Map<const VectorXd>(field.data(), field.size());
      return Matrix3Xd(Eigen::Map<const Matrix3Xd>(f.data(), 3, field.cols()));
    };
    const Matrix3Xd f = product(v);
    mesh.x = (Q * mesh.x).eval();
    EXPECT_GT((product(Q * v) - Q * f).norm(), 0.01 * f.norm());  // the axes must turn, too
    material.axes.R = Q * material.axes.R;
    material.axes.origin = Q * material.axes.origin;
    EXPECT_LT((product(Q * v) - Q * f).norm(), 1e-12 * f.norm());
  }
}

// A tube whose material is stiffer around than across, under inner pressure, free at its ends
// (Lekhnitskii, Anisotropic Plates, 1968): with k^2 = E_hoop / E_r and c = a / b,
//   sigma_r = p c^(k+1) / (1 - c^2k) ((r/b)^(k-1) - (b/r)^(k+1)),   sigma_hoop: k times the sum.
TEST(OrthotropicTube, StressUnderInnerPressureIsLekhnitskiis) {
  constexpr double a = 0.6, b = 1.0, p = 3.0, k = 2.0, c = a / b;
  Material material = materials::OrthotropicElastic{
      {1000.0, 4000.0, 2000.0}, {0.1, 0.0, 0.0}, {500.0, 600.0, 700.0}, 1.0};
  material.axes.kind = materials::Axes::Kind::cylindrical;
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex20;
  box.nx = 6, box.ny = 24, box.nz = 1;
  box.size = {b - a, M_PI / 2.0, 0.1};
  box.origin = {a, 0.0, 0.0};
  mesh::Mesh whole = mesh::make_box(box);
  for (Eigen::Index i = 0; i < whole.x.cols(); ++i) {
    const double r = whole.x(0, i), angle = whole.x(1, i);
    whole.x.col(i).head<2>() << r * std::cos(angle), r * std::sin(angle);
  }
  const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, whole);
  const ElasticBody body = assemble(mesh, material);
  std::vector<bool> is_fixed(3 * mesh.n_local(), false), is_inner(mesh.n_local(), false);
  for (const std::int32_t node : mesh.sets.at("y_min").nodes) is_fixed[3 * node + 1] = true;
  for (const std::int32_t node : mesh.sets.at("y_max").nodes) is_fixed[3 * node] = true;
  for (const std::int32_t node : mesh.sets.at("z_min").nodes) is_fixed[3 * node + 2] = true;
  for (const std::int32_t node : mesh.sets.at("x_min").nodes) is_inner[node] = true;
  Matrix3Xd f = Matrix3Xd::Zero(3, mesh.n_local());
  Surface(mesh, is_inner).add_follower_pressure(mesh.x, p, f);
  const VectorXd u = test::solve_static(test::make_sparse_stiffness(body),
                                        Eigen::Map<const VectorXd>(f.data(), f.size()), is_fixed,
                                        VectorXd::Zero(f.size()));
  const double scale = p * std::pow(c, k + 1.0) / (1.0 - std::pow(c, 2.0 * k));
  for (std::int32_t node = 0; node < mesh.n_local(); ++node) {
    const Vector3d x = mesh.x.col(node);
    if (x[1] > 1e-9 || x[2] > 1e-9) continue;  // on the x axis: r = x, hoop = y
    const double inward = std::pow(x[0] / b, k - 1.0), outward = std::pow(b / x[0], k + 1.0);
    const Eigen::MatrixXd sigma = StressRecovery(mesh, material, {node}).compute(u);
    EXPECT_NEAR(sigma(0), scale * (inward - outward), 0.02 * p) << x[0];
    EXPECT_NEAR(sigma(1), scale * k * (inward + outward), 0.02 * scale * k * 2.0) << x[0];
  }
}

}  // namespace
}  // namespace solidyn::fem
