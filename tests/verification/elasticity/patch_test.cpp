#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <algorithm>

#include "serial_matrices.h"
#include "solidyn/fem/solid_element.h"
#include "solidyn/mesh/generators.h"

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

// Displacements of all nodes when those of the fixed ones are given.
VectorXd solve_prescribed(const Eigen::SparseMatrix<double>& K, const Eigen::Matrix3Xd& x,
                          const std::vector<bool>& is_fixed) {
  VectorXd u = VectorXd::Zero(K.rows());
  std::vector<Eigen::Triplet<double>> select;
  int n_free = 0;
  for (Eigen::Index k = 0; k < x.cols(); ++k)
    for (int c = 0; c < 3; ++c) {
      if (is_fixed[k])
        u[3 * k + c] = boundary_displacement(x.col(k))[c];
      else
        select.emplace_back(3 * k + c, n_free++, 1.0);
    }
  Eigen::SparseMatrix<double> S(K.rows(), n_free);
  S.setFromTriplets(select.begin(), select.end());
  const Eigen::SparseMatrix<double> K_free = S.transpose() * K * S;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(K_free);
  return u - S * factor.solve(S.transpose() * (K * u));
}

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

class PatchTest : public testing::TestWithParam<mesh::ElementType> {};
INSTANTIATE_TEST_SUITE_P(Elements, PatchTest,
                         testing::Values(mesh::ElementType::tet4, mesh::ElementType::tet10),
                         [](const auto& info) { return std::string(mesh::name(info.param)); });

TEST_P(PatchTest, LinearFieldIsReproducedExactly) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, mesh::make_patch_test_cube(GetParam()));
  const ElasticBody body = assemble(mesh, kMaterial);
  const Eigen::SparseMatrix<double> K = test::make_sparse_stiffness(body);
  std::vector<bool> is_outer(mesh.n_local(), false);
  for (const std::int32_t node : mesh.sets.at("outer").nodes) is_outer[node] = true;
  ASSERT_GE(std::count(is_outer.begin(), is_outer.end(), false), 8);
  const VectorXd u = solve_prescribed(K, mesh.x, is_outer);
  for (std::int32_t k = 0; k < mesh.n_local(); ++k)
    EXPECT_LT((u.segment<3>(3 * k) - boundary_displacement(mesh.x.col(k))).norm(), 1e-14);
  EXPECT_NEAR(0.5 * u.dot(K * u), 3.6, 3.6e-10);
  if (GetParam() == mesh::ElementType::tet4)
    expect_constant_stress<Tet4>(mesh.solids[0], mesh.x, u);
  else
    expect_constant_stress<Tet10>(mesh.solids[0], mesh.x, u);
}

// Inertia of the unit cube about its corner from the consistent mass: 2/3 and -1/4.
TEST_P(PatchTest, RigidRotationsHaveTheCubesInertia) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, mesh::make_patch_test_cube(GetParam()));
  const ElasticBody body = assemble(mesh, kMaterial);
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
