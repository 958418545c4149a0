#include "solidyn/fem/elastic_body.h"

#include <gtest/gtest.h>

#include "serial_matrices.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::fem {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

mesh::DistributedMesh make_irregular_box(elements::ElementType type) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = 3;
  box.ny = 2;
  box.nz = 2;
  box.size = {0.3, 0.2, 0.1};
  box.origin = {1.0, -0.5, 0.2};
  box.perturbation = 0.2;
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

MatrixXd make_rigid_fields(const Eigen::Matrix3Xd& x) {
  MatrixXd R(3 * x.cols(), 6);
  for (Eigen::Index k = 0; k < x.cols(); ++k)
    for (int c = 0; c < 3; ++c) {
      R.block<3, 1>(3 * k, c) = Vector3d::Unit(c);
      R.block<3, 1>(3 * k, 3 + c) = Vector3d::Unit(c).cross(x.col(k));
    }
  return R;
}

MatrixXd to_dense(Mat A) {
  PetscInt n = 0;
  SOLIDYN_PETSC(MatGetSize(A, &n, nullptr));
  MatrixXd dense(n, n);
  for (PetscInt j = 0; j < n; ++j) {
    base::Vec x, y;
    SOLIDYN_PETSC(MatCreateVecs(A, x.out(), y.out()));
    SOLIDYN_PETSC(VecSetValue(x, j, 1.0, INSERT_VALUES));
    SOLIDYN_PETSC(VecAssemblyBegin(x));
    SOLIDYN_PETSC(VecAssemblyEnd(x));
    SOLIDYN_PETSC(MatMult(A, x, y));
    const PetscScalar* values = nullptr;
    SOLIDYN_PETSC(VecGetArrayRead(y, &values));
    dense.col(j) = Eigen::Map<const VectorXd>(values, n);
    SOLIDYN_PETSC(VecRestoreArrayRead(y, &values));
  }
  return dense;
}

class ElasticBodyOf : public testing::TestWithParam<elements::ElementType> {
 protected:
  mesh::DistributedMesh mesh_ = make_irregular_box(GetParam());
  ElasticBody body_ = assemble(mesh_, kSteel);
  MatrixXd rigid_ = make_rigid_fields(mesh_.x);
};
INSTANTIATE_TEST_SUITE_P(Elements, ElasticBodyOf,
                         testing::Values(elements::ElementType::tet4, elements::ElementType::tet10,
                                         elements::ElementType::hex8, elements::ElementType::hex20,
                                         elements::ElementType::wedge6,
                                         elements::ElementType::wedge15,
                                         elements::ElementType::pyramid5,
                                         elements::ElementType::pyramid13),
                         [](const auto& info) { return std::string(elements::name(info.param)); });

TEST_P(ElasticBodyOf, RigidMotionGivesNoForce) {
  const Eigen::SparseMatrix<double> K = test::make_sparse_stiffness(body_);
  EXPECT_LT((K * rigid_).norm(), 1e-14 * K.norm() * rigid_.norm());
}

TEST_P(ElasticBodyOf, MassPropertiesAreThoseOfTheBox) {
  const double mass = kSteel.density * 0.3 * 0.2 * 0.1;
  EXPECT_NEAR(body_.properties.mass, mass, 1e-13 * mass);
  EXPECT_LT((body_.properties.center_of_mass - Vector3d(1.15, -0.4, 0.25)).norm(), 1e-13);
  const Eigen::Matrix3d inertia =
      Vector3d(0.04 + 0.01, 0.09 + 0.01, 0.09 + 0.04).asDiagonal() * (mass / 12.0);
  EXPECT_LT((body_.properties.inertia - inertia).norm(), 1e-11 * inertia.norm());
  EXPECT_NEAR(body_.lumped_mass.sum(), mass, 1e-13 * mass);
  EXPECT_GT(body_.lumped_mass.minCoeff(), 0.0);
}

TEST_P(ElasticBodyOf, ConsistentMassGivesTheInertiaOfRigidMotions) {
  const MatrixXd G =
      rigid_.transpose() * (test::make_sparse_mass(body_, MassKind::consistent) * rigid_);
  const Vector3d c = body_.properties.center_of_mass;
  const double m = body_.properties.mass;
  const Eigen::Matrix3d about_origin =
      body_.properties.inertia +
      m * (c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose());
  EXPECT_LT((G.topLeftCorner<3, 3>() - m * Eigen::Matrix3d::Identity()).norm(), 1e-12 * m);
  EXPECT_LT((G.bottomRightCorner<3, 3>() - about_origin).norm(), 1e-12 * about_origin.norm());
}

TEST_P(ElasticBodyOf, EveryMatrixFormatHoldsTheSameNumbers) {
  const MatrixXd K = test::make_sparse_stiffness(body_);
  const double shift = 1e7;
  for (const MassKind kind : {MassKind::consistent, MassKind::lumped}) {
    const MatrixXd M = test::make_sparse_mass(body_, kind);
    for (const char* type : {MATBAIJ, MATSBAIJ, MATAIJ}) {
      EXPECT_LT((to_dense(make_stiffness(body_, type)) - K).norm(), 1e-15 * K.norm());
      EXPECT_LT((to_dense(make_stiffness(body_, type, shift, kind)) - K - shift * M).norm(),
                1e-15 * K.norm());
      EXPECT_LT((to_dense(make_mass(body_, kind, type)) - M).norm(), 1e-15 * M.norm());
    }
    EXPECT_LT((to_dense(make_mass_operator(body_, kind)) - M).norm(), 1e-15 * M.norm());
  }
}

TEST_P(ElasticBodyOf, MassesAloneAreThoseBesideTheStiffness) {
  const ElasticBody masses = assemble_masses(mesh_, kSteel), whole = assemble(mesh_, kSteel);
  EXPECT_TRUE(masses.stiffness.empty());
  EXPECT_EQ(masses.columns, whole.columns);
  EXPECT_EQ(masses.mass, whole.mass);
  EXPECT_EQ(masses.lumped_mass, whole.lumped_mass);
}

TEST(ElasticBody, NamesTheInvertedElement) {
  mesh::DistributedMesh mesh = make_irregular_box(elements::ElementType::tet4);
  std::swap(mesh.solids[0].connectivity[4],
            mesh.solids[0].connectivity[5]);  // of the second element
  try {
    assemble(mesh, kSteel);
    FAIL() << "an inverted element was accepted";
  } catch (const base::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("tet4 element " + std::to_string(mesh.solids[0].tags[1])),
              std::string::npos)
        << e.what();
  }
}

TEST(ElasticBody, RejectsEachMaterialPropertyByName) {
  try {
    check(IsotropicElastic{-1.0, 0.5, 0.0}, "materials.steel");
    FAIL() << "an impossible material was accepted";
  } catch (const base::InputError& e) {
    ASSERT_EQ(e.diagnostics().size(), 3u);
    EXPECT_EQ(e.diagnostics()[0].what, "materials.steel.youngs_modulus is -1");
    EXPECT_EQ(e.diagnostics()[1].what, "materials.steel.poissons_ratio is 0.5");
    EXPECT_EQ(e.diagnostics()[2].what, "materials.steel.density is 0");
  }
}

}  // namespace
}  // namespace solidyn::fem
