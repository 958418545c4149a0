#include "solidyn/fem/attached_mass.h"

#include <gtest/gtest.h>

#include "serial_matrices.h"
#include "solid_meshes.h"
#include "solidyn/base/error.h"
#include "solidyn/fem/elastic_body.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using mesh::ElementType;

const IsotropicElastic kMaterial{3.0e6, 0.3, 1000.0};

// On the face x_max of a box, away from it, with an inertia of its own.
AttachedMass flywheel(const mesh::DistributedMesh& mesh) {
  AttachedMass mass{"flywheel", 5.0, Vector3d(1.3, 0.1, 0.25), Matrix3d::Zero(), {}, false};
  mass.inertia << 0.4, -0.03, 0.02, -0.03, 0.3, 0.01, 0.02, 0.01, 0.25;
  for (const std::int32_t node : mesh.sets.at("x_max").nodes)
    mass.nodes.push_back(mesh.node_tags[node]);
  std::sort(mass.nodes.begin(), mass.nodes.end());
  return mass;
}

class AttachedMassOf : public testing::TestWithParam<ElementType> {
 protected:
  mesh::DistributedMesh mesh_ =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(GetParam(), 0.002));
  ElasticBody bare_ = assemble(mesh_, kMaterial);
};
INSTANTIATE_TEST_SUITE_P(Elements, AttachedMassOf,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                         [](const auto& info) { return std::string(mesh::name(info.param)); });

Matrix3d about_origin(const MassProperties& p) {
  const Vector3d& c = p.center_of_mass;
  return p.inertia + p.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose());
}

TEST_P(AttachedMassOf, HasTheInertiaOfTheMassWhereItIs) {
  const AttachedMass mass = flywheel(mesh_);
  const MassProperties with = assemble(mesh_, kMaterial, {mass}).properties;
  const MassProperties alone{mass.mass, mass.x, mass.inertia};
  EXPECT_NEAR(with.mass, bare_.properties.mass + 5.0, 1e-12 * with.mass);
  const Vector3d first =
      bare_.properties.mass * bare_.properties.center_of_mass + mass.mass * mass.x;
  EXPECT_LT((with.mass * with.center_of_mass - first).norm(), 1e-11 * first.norm());
  const Matrix3d J = about_origin(bare_.properties) + about_origin(alone);
  EXPECT_LT((about_origin(with) - J).norm(), 1e-10 * J.norm());
}

TEST_P(AttachedMassOf, LeavesStiffnessAndPatternAndStaysDefinite) {
  const ElasticBody with = assemble(mesh_, kMaterial, {flywheel(mesh_)});
  EXPECT_EQ(with.columns, bare_.columns);
  EXPECT_EQ(with.stiffness, bare_.stiffness);
  MatrixXd m = MatrixXd::Zero(with.n_owned(), with.n_owned());
  for (std::int32_t i = 0; i < with.n_owned(); ++i)
    for (std::int64_t k = with.row_start[i]; k < with.row_start[i + 1]; ++k)
      m(i, with.columns[k]) = with.mass[k];
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(m, Eigen::EigenvaluesOnly).eigenvalues()[0],
            0.0);
  EXPECT_GT(with.lumped_mass.minCoeff(), 0.0);
  EXPECT_NEAR(with.lumped_mass.sum(), with.properties.mass, 1e-12 * with.properties.mass);
}

TEST_P(AttachedMassOf, AtANodeIsOneDiagonalTerm) {
  const std::int32_t node = 5;
  const AttachedMass mass{
      "point", 2.0, mesh_.x.col(node), Matrix3d::Zero(), {mesh_.node_tags[node]}, true};
  const ElasticBody with = assemble(mesh_, kMaterial, {mass});
  for (std::int32_t i = 0; i < with.n_owned(); ++i)
    for (std::int64_t k = with.row_start[i]; k < with.row_start[i + 1]; ++k)
      EXPECT_NEAR(with.mass[k] - bare_.mass[k], i == node && with.columns[k] == node ? 2.0 : 0.0,
                  1e-14);
  EXPECT_NEAR(with.lumped_mass[node] - bare_.lumped_mass[node], 2.0, 1e-13);
}

TEST(AttachedMassCheck, NamesAMassOnNodesOfNoElement) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(ElementType::tet4));
  const AttachedMass mass{"CONM2 17", 2.0, Vector3d::Zero(), Matrix3d::Zero(), {99999}, true};
  try {
    assemble(mesh, kMaterial, {mass});
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("CONM2 17"), std::string::npos);
  }
}

}  // namespace
}  // namespace solidyn::fem
