#include "solidyn/fem/geometric_stiffness.h"

#include <gtest/gtest.h>

#include "solid_meshes.h"
#include "solidyn/fem/solid_operator.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using elements::ElementType;

const IsotropicElastic kMaterial{3.0e6, 0.3, 1000.0};

MatrixXd column_of(const Matrix3Xd& u) { return Eigen::Map<const MatrixXd>(u.data(), u.size(), 1); }

MatrixXd affine_fields(const mesh::DistributedMesh& mesh, const std::vector<Matrix3d>& gradients) {
  MatrixXd U(3 * mesh.n_local(), gradients.size());
  for (std::size_t i = 0; i < gradients.size(); ++i)
    U.col(i) = column_of(Matrix3Xd((gradients[i] * mesh.x).colwise() + Vector3d(0.3, -1.0, 2.0)));
  return U;
}

std::vector<Matrix3d> scattered_gradients(int n) {
  std::vector<Matrix3d> gradients(n);
  for (int i = 0; i < n; ++i)
    for (int a = 0; a < 3; ++a) gradients[i].col(a) = test::scatter_of(10 * i + a, 0.4, 3);
  return gradients;
}

struct Case {
  ElementType type;
  Hex8Formulation hex8 = Hex8Formulation::incompatible_modes;
};

class GeometricStiffness : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Elements, GeometricStiffness,
                         testing::Values(Case{ElementType::tet4}, Case{ElementType::tet10},
                                         Case{ElementType::hex8},
                                         Case{ElementType::hex8, Hex8Formulation::b_bar},
                                         Case{ElementType::hex8, Hex8Formulation::standard},
                                         Case{ElementType::hex20}, Case{ElementType::wedge6},
                                         Case{ElementType::wedge15}, Case{ElementType::pyramid5},
                                         Case{ElementType::pyramid13}),
                         [](const auto& info) {
                           return std::string(elements::name(info.param.type)) +
                                  std::to_string(static_cast<int>(info.param.hex8));
                         });

TEST_P(GeometricStiffness, OfAffineFieldsIsVolumeTimesStressTimesGradients) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(GetParam().type));
  const double volume = 0.6 * 0.4 * 0.2;
  const std::vector<Matrix3d> gradients = scattered_gradients(9);
  const std::vector<Matrix3d> of_loads(gradients.begin(), gradients.begin() + 4);
  const std::vector<Matrix3d> of_modes(gradients.begin() + 4, gradients.end());
  const std::vector<MatrixXd> kappa =
      compute_geometric_stiffness(mesh, {kMaterial, GetParam().hex8}, affine_fields(mesh, of_loads),
                                  affine_fields(mesh, of_modes));
  ASSERT_EQ(kappa.size(), of_loads.size());
  for (std::size_t l = 0; l < kappa.size(); ++l) {
    const Matrix3d strain = 0.5 * (of_loads[l] + of_loads[l].transpose());
    const Matrix3d sigma = kMaterial.lame_lambda() * strain.trace() * Matrix3d::Identity() +
                           2.0 * kMaterial.shear_modulus() * strain;
    MatrixXd expected(of_modes.size(), of_modes.size());
    for (std::size_t i = 0; i < of_modes.size(); ++i)
      for (std::size_t j = 0; j < of_modes.size(); ++j)
        expected(i, j) = volume * (sigma * of_modes[i].transpose() * of_modes[j]).trace();
    EXPECT_LT((kappa[l] - expected).norm(), 1e-12 * expected.norm());
    EXPECT_EQ(kappa[l], kappa[l].transpose());
  }
}

// What a stress does on strains of second order is the third derivative of the strain energy of
// St. Venant and Kirchhoff, of which it is one of three cyclic parts. Another code computes that
// energy's tangent, with the same points but for tet10.
TEST_P(GeometricStiffness, OfThreeFieldsAddsUpToTheChangeOfTheTangent) {
  const Case& which = GetParam();
  if (which.type == ElementType::tet10) GTEST_SKIP() << "other points";
  if (which.type == ElementType::hex8 && which.hex8 != Hex8Formulation::standard)
    GTEST_SKIP() << "large strains take the trilinear element";
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(which.type));
  MatrixXd U(3 * mesh.n_local(), 3);
  for (int i = 0; i < 3; ++i) U.col(i) = column_of(test::random_field(mesh, 0.001, 40 + i));
  const std::vector<MatrixXd> kappa =
      compute_geometric_stiffness(mesh, {kMaterial, which.hex8}, U, U);
  const double cyclic = kappa[0](1, 2) + kappa[1](2, 0) + kappa[2](0, 1);

  double energy_change = 0.0;  // d^3 W / da db dc of W(a U_0 + b U_1 + c U_2) by differences
  const ElasticBody body = assemble(mesh, {kMaterial, which.hex8});
  SolidOptions options;
  options.formulation = SolidFormulation::st_venant_kirchhoff;
  options.hex8 = which.hex8;
  options.material = kMaterial;
  const SolidOperator solid(mesh, body, options);
  const auto energy = [&](double a, double b, double c) {
    const VectorXd u = a * U.col(0) + b * U.col(1) + c * U.col(2);
    return solid.compute_energy(mesh.x + Eigen::Map<const Matrix3Xd>(u.data(), 3, mesh.n_local()));
  };
  for (const double a : {-1.0, 1.0})
    for (const double b : {-1.0, 1.0})
      for (const double c : {-1.0, 1.0}) energy_change += a * b * c * energy(a, b, c) / 8.0;
  EXPECT_NEAR(cyclic, energy_change, 1e-8 * std::abs(energy_change));
}

// A bar under a tension that grows along it, as one that spins or hangs has it: int N v' v' dx, the
// stiffness of a string. Quadratic elements have these fields exactly.
TEST(GeometricStiffnessOfABar, IsThatOfAString) {
  const double length = 2.0, width = 0.1, height = 0.05;
  for (const ElementType type : {ElementType::tet10, ElementType::hex20, ElementType::wedge15}) {
    mesh::BoxOptions box;
    box.type = type;
    box.nx = 12, box.ny = 1, box.nz = 1;
    box.size = {length, width, height};
    const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
    const IsotropicElastic material{1.0e6, 0.0, 1000.0};
    Matrix3Xd stretch = Matrix3Xd::Zero(3, mesh.n_local()), bend = stretch;
    for (int k = 0; k < mesh.n_local(); ++k) {
      const double x = mesh.x(0, k);
      stretch(0, k) = x * x;     // N = 2 E A x
      bend(2, k) = 0.5 * x * x;  // v' = x
    }
    const MatrixXd kappa =
        compute_geometric_stiffness(mesh, {material, {}}, column_of(stretch), column_of(bend))[0];
    const double exact = 2.0 * material.youngs_modulus * width * height * std::pow(length, 4) / 4.0;
    EXPECT_NEAR(kappa(0, 0), exact, 1e-3 * exact) << elements::name(type);
  }
}

}  // namespace
}  // namespace solidyn::fem
