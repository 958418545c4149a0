#include <gtest/gtest.h>

#include <algorithm>

#include "solidyn/elements/visit_element.h"
#include "solidyn/mesh/generators.h"
#include "static_solution.h"

// B01 of the verification collection: the patch test of MacNeal and Harder (1985).
namespace solidyn::fem {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const IsotropicElastic kMaterial{1.0e6, 0.25, 1.0};

Vector3d boundary_displacement(const Vector3d& x) {
  return 1e-3 * Vector3d(2 * x[0] + x[1] + x[2], x[0] + 2 * x[1] + x[2], x[0] + x[1] + 2 * x[2]) /
         2;
}

struct Case {
  elements::ElementType type;
  Hex8Formulation hex8 = Hex8Formulation::incompatible_modes;
};

template <class Element>
void expect_constant_stress(const mesh::ElementBlock& block, const Eigen::Matrix3Xd& x,
                            const VectorXd& u) {
  ElementNodes<Element> xe, ue;
  for (std::int64_t e = 0; e < block.size(); ++e) {
    for (int a = 0; a < Element::n_nodes; ++a) {
      const std::int32_t node = block.connectivity[e * Element::n_nodes + a];
      xe.col(a) = x.col(node);
      ue.col(a) = u.segment<3>(3 * node);
    }
    for (const Vector3d& rst : {Vector3d(0.25, 0.25, 0.25), Vector3d(0.1, 0.6, 0.2)}) {
      const auto s = stress(kMaterial, strain<Element>(xe, ue, rst));
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(s[c], 2000.0, 2000.0 * 1e-10);
        EXPECT_NEAR(s[3 + c], 400.0, 2000.0 * 1e-10);
      }
    }
  }
}

class PatchTest : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Elements, PatchTest,
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

TEST_P(PatchTest, LinearFieldIsReproducedExactly) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, mesh::make_patch_test_cube(GetParam().type));
  const ElasticBody body = assemble(mesh, {kMaterial, GetParam().hex8});
  const Eigen::SparseMatrix<double> K = test::make_sparse_stiffness(body);
  std::vector<bool> is_outer(3 * mesh.n_local(), false);
  VectorXd u = VectorXd::Zero(3 * mesh.n_local());
  for (const std::int32_t node : mesh.sets.at("outer").nodes) {
    u.segment<3>(3 * node) = boundary_displacement(mesh.x.col(node));
    for (int c = 0; c < 3; ++c) is_outer[3 * node + c] = true;
  }
  ASSERT_GE(std::count(is_outer.begin(), is_outer.end(), false), 24);
  u = test::solve_static(K, VectorXd::Zero(u.size()), is_outer, u);
  for (std::int32_t k = 0; k < mesh.n_local(); ++k)
    EXPECT_LT((u.segment<3>(3 * k) - boundary_displacement(mesh.x.col(k))).norm(), 1e-14);
  EXPECT_NEAR(0.5 * u.dot(K * u), 3.6, 3.6e-10);
  visit_element(GetParam().type, [&](auto element) {
    expect_constant_stress<decltype(element)>(mesh.solids[0], mesh.x, u);
  });
}

// Inertia of the unit cube about its corner from the consistent mass: 2/3 and -1/4.
TEST_P(PatchTest, RigidRotationsHaveTheCubesInertia) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, mesh::make_patch_test_cube(GetParam().type));
  const ElasticBody body = assemble(mesh, {kMaterial, GetParam().hex8});
  Eigen::MatrixXd R(3 * mesh.n_local(), 3);
  for (std::int32_t k = 0; k < mesh.n_local(); ++k)
    for (int c = 0; c < 3; ++c)
      R.block<3, 1>(3 * k, c) = Vector3d::Unit(c).cross(Vector3d(mesh.x.col(k)));
  const Eigen::Matrix3d J =
      R.transpose() * (test::make_sparse_mass(body, MassKind::consistent) * R);
  Eigen::Matrix3d expected = Eigen::Matrix3d::Constant(-0.25);
  expected.diagonal().setConstant(2.0 / 3.0);
  EXPECT_LT((J - expected).norm(), 1e-12);
}

}  // namespace
}  // namespace solidyn::fem
