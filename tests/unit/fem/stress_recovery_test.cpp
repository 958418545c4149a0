#include "solidyn/fem/stress_recovery.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "solid_meshes.h"
#include "solidyn/fem/solid_element.h"
#include "solidyn/fem/solid_operator.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using elements::ElementType;

const IsotropicElastic kMaterial{2.1e11, 0.3, 7850.0};

std::vector<std::int32_t> all_nodes(const mesh::DistributedMesh& mesh) {
  std::vector<std::int32_t> nodes(mesh.n_owned);
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

VectorXd flat(const Matrix3Xd& u) { return Eigen::Map<const VectorXd>(u.data(), u.size()); }

Stress hooke(const Matrix3d& H) {
  Stress strain;
  strain << H.diagonal(), H(0, 1) + H(1, 0), H(1, 2) + H(2, 1), H(2, 0) + H(0, 2);
  return stress(kMaterial, strain);
}

struct Case {
  ElementType type;
  Hex8Formulation hex8 = Hex8Formulation::standard;
  double bulge = 0.0;
};

class StressRecoveryOf : public testing::TestWithParam<Case> {
 protected:
  mesh::DistributedMesh mesh_ =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(GetParam().type, GetParam().bulge));
  StressRecovery recovery_{mesh_, {kMaterial, GetParam().hex8}, all_nodes(mesh_)};
};
INSTANTIATE_TEST_SUITE_P(
    Elements, StressRecoveryOf,
    testing::Values(Case{ElementType::tet4}, Case{ElementType::tet10},
                    Case{ElementType::tet10, Hex8Formulation::standard, 0.003},
                    Case{ElementType::hex8}, Case{ElementType::hex8, Hex8Formulation::b_bar},
                    Case{ElementType::hex8, Hex8Formulation::incompatible_modes},
                    Case{ElementType::hex20, Hex8Formulation::standard, 0.003},
                    Case{ElementType::wedge6}, Case{ElementType::wedge15},
                    Case{ElementType::pyramid5}, Case{ElementType::pyramid13}),
    [](const auto& info) {
      return fmt::format("{}_{}{}", elements::name(info.param.type),
                         static_cast<int>(info.param.hex8), info.param.bulge > 0 ? "_curved" : "");
    });

TEST_P(StressRecoveryOf, LinearDisplacementsGiveTheConstantStress) {
  Matrix3d H;
  H << 1e-3, 4e-4, -2e-4, 7e-4, -5e-4, 3e-4, 6e-4, -8e-4, 9e-4;
  const Stress expected = hooke(H);
  const MatrixXd sigma = recovery_.compute(flat(H * mesh_.x));
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i)
    EXPECT_LT((sigma.col(0).segment<6>(6 * i) - expected).norm(), 1e-11 * expected.norm());
}

// The corotational operator's stress, differentiated at rest: no turning, no strain to square.
TEST_P(StressRecoveryOf, IsTheDerivativeOfTheSolidOperatorsStress) {
  const ElasticBody body = assemble(mesh_, {kMaterial, GetParam().hex8});
  SolidOptions options;
  options.material = kMaterial;
  options.hex8 = GetParam().hex8;
  const SolidOperator nonlinear(mesh_, body, options);
  const Matrix3Xd u = test::random_field(mesh_, 1.0, 3);
  const auto stress_at = [&](double size) {
    Eigen::Matrix<double, 6, Eigen::Dynamic> sigma(6, mesh_.n_owned);
    nonlinear.compute_nodal_stress(mesh_.x + size * u, sigma);
    return sigma;
  };
  constexpr double h = 1e-7;  // of elements of 0.1 m: truncation and rounding both below 1e-8
  const Eigen::Matrix<double, 6, Eigen::Dynamic> expected =
      (stress_at(h) - stress_at(-h)) / (2 * h);
  const MatrixXd sigma = recovery_.compute(flat(u));
  EXPECT_LT((Eigen::Map<const VectorXd>(expected.data(), expected.size()) - sigma).norm(),
            1e-7 * sigma.norm());
}

TEST_P(StressRecoveryOf, SolidOperatorsStressTurnsWithTheBody) {
  SolidOptions options;
  options.material = kMaterial;
  options.hex8 = GetParam().hex8;
  const SolidOperator nonlinear(mesh_, assemble(mesh_, {kMaterial, GetParam().hex8}), options);
  const Matrix3Xd x = mesh_.x + test::random_field(mesh_, 1e-3, 3);
  const Matrix3d R = Eigen::AngleAxisd(2.1, Vector3d(1, -2, 3).normalized()).toRotationMatrix();
  Eigen::Matrix<double, 6, Eigen::Dynamic> sigma(6, mesh_.n_owned), turned(6, mesh_.n_owned);
  nonlinear.compute_nodal_stress(x, sigma);
  nonlinear.compute_nodal_stress(R * x, turned);
  for (Eigen::Index i = 0; i < sigma.cols(); ++i)
    EXPECT_LT((turned.col(i) - rotated(sigma.col(i), R)).norm(), 1e-9 * sigma.norm());
}

TEST_P(StressRecoveryOf, FieldsAndNodesCanBeAskedForApart) {
  MatrixXd U(3 * mesh_.n_local(), 11);  // more than are worked on together
  for (int j = 0; j < U.cols(); ++j) U.col(j) = flat(test::random_field(mesh_, 1e-3, 20 + j));
  const MatrixXd all = recovery_.compute(U);
  const StressRecovery some(mesh_, {kMaterial, GetParam().hex8}, {17, 3});
  for (const int j : {0, 7, 10}) {
    const MatrixXd sigma = some.compute(U.col(j));
    ASSERT_EQ(sigma.rows(), 12);
    EXPECT_LT((sigma.col(0).head<6>() - all.col(j).segment<6>(6 * 17)).norm(), 1e-12 * all.norm());
    EXPECT_LT((sigma.col(0).tail<6>() - all.col(j).segment<6>(6 * 3)).norm(), 1e-12 * all.norm());
  }
}

mesh::DistributedMesh make_bricks() {
  mesh::BoxOptions box;
  box.type = ElementType::hex8;
  box.nx = 4, box.ny = 2, box.nz = 1;
  box.size = {0.4, 0.1, 0.05};
  box.origin = {-0.1, -0.05, -0.02};
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

// u = (-x y, (x^2 + nu (y^2 - z^2)) / 2, nu y z) / R: sigma_xx = -E y / R and nothing else.
Matrix3Xd pure_bending(const Matrix3Xd& x) {
  const double nu = kMaterial.poissons_ratio, curvature = 0.01;
  Matrix3Xd u(3, x.cols());
  for (Eigen::Index k = 0; k < x.cols(); ++k) {
    const Vector3d p = x.col(k);
    u.col(k) = curvature * Vector3d(-p.x() * p.y(),
                                    0.5 * (p.x() * p.x() + nu * (p.y() * p.y() - p.z() * p.z())),
                                    nu * p.y() * p.z());
  }
  return u;
}

TEST(StressRecovery, IncompatibleModesMakePureBendingExact) {
  const mesh::DistributedMesh mesh = make_bricks();
  const auto error = [&](Hex8Formulation hex8) {
    const MatrixXd sigma = StressRecovery(mesh, {kMaterial, hex8}, all_nodes(mesh))
                               .compute(flat(pure_bending(mesh.x)));
    double largest = 0.0;
    for (std::int32_t i = 0; i < mesh.n_owned; ++i) {
      Stress expected = Stress::Zero();
      expected[0] = -0.01 * kMaterial.youngs_modulus * mesh.x(1, i);
      largest = std::max(largest, (sigma.col(0).segment<6>(6 * i) - expected).norm());
    }
    return largest / (0.01 * kMaterial.youngs_modulus * 0.05);
  };
  EXPECT_LT(error(Hex8Formulation::incompatible_modes), 1e-12);
  EXPECT_GT(error(Hex8Formulation::standard), 0.1);  // the shear of trilinear bricks
}

TEST(StressRecovery, BBarHasThePressureOfTheMeanVolumeChange) {
  mesh::BoxOptions box;
  box.type = ElementType::hex8;
  box.size = {0.3, 0.2, 0.1};
  const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
  ASSERT_EQ(mesh.n_owned, 8);
  const Matrix3Xd u = test::random_field(mesh, 1e-4, 5);
  // On a box the mean gradient is that of the face averages.
  Vector3d change = Vector3d::Zero();
  for (std::int32_t i = 0; i < 8; ++i)
    for (int a = 0; a < 3; ++a)
      change[a] += (mesh.x(a, i) > 0.0 ? 0.25 : -0.25) * u(a, i) / box.size[a];
  const double bulk = kMaterial.lame_lambda() + 2.0 / 3.0 * kMaterial.shear_modulus();
  const MatrixXd sigma =
      StressRecovery(mesh, {kMaterial, Hex8Formulation::b_bar}, all_nodes(mesh)).compute(flat(u));
  for (std::int32_t i = 0; i < 8; ++i)
    EXPECT_NEAR(sigma.col(0).segment<3>(6 * i).sum(), 3.0 * bulk * change.sum(),
                1e-10 * sigma.norm());
}

TEST(StressRecovery, SurfaceNodesOfABoxAreThoseOfItsFaces) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(ElementType::hex20));
  std::vector<std::int32_t> expected;
  for (const char* side : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"})
    expected.insert(expected.end(), mesh.sets.at(side).nodes.begin(),
                    mesh.sets.at(side).nodes.end());
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  EXPECT_EQ(find_surface_nodes(mesh), expected);
  EXPECT_LT(static_cast<int>(expected.size()), mesh.n_owned);
}

TEST(Stress, PrincipalStressesAndVonMisesDoNotDependOnTheAxes) {
  Stress sigma;
  sigma << 5.0, -3.0, 2.0, 1.5, -0.5, 4.0;
  const Stress turned = rotated(sigma, test::large_rotation());
  EXPECT_GT((turned - sigma).norm(), 1.0);
  EXPECT_NEAR(von_mises(turned), von_mises(sigma), 1e-13);
  EXPECT_LT((principal_stresses(turned) - principal_stresses(sigma)).norm(), 1e-13);
  const Vector3d p = principal_stresses(sigma);
  EXPECT_TRUE(p[0] > p[1] && p[1] > p[2]);
  EXPECT_NEAR(p.sum(), 4.0, 1e-13);
  EXPECT_NEAR(
      von_mises(sigma) * von_mises(sigma),
      0.5 * (std::pow(p[0] - p[1], 2) + std::pow(p[1] - p[2], 2) + std::pow(p[2] - p[0], 2)),
      1e-12);
}

// A quarter turn about z takes x to y.
TEST(Stress, TurnsWithItsAxes) {
  Stress sigma, expected;
  sigma << 7.0, 2.0, 0.0, 1.0, 0.0, 3.0;
  expected << 2.0, 7.0, 0.0, -1.0, 3.0, 0.0;
  const Matrix3d R = Eigen::AngleAxisd(M_PI / 2.0, Vector3d::UnitZ()).toRotationMatrix();
  EXPECT_LT((rotated(sigma, R) - expected).norm(), 1e-14);
}

}  // namespace
}  // namespace solidyn::fem
