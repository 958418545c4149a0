#include "solidyn/fem/attached_mass.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solid_meshes.h"
#include "solidyn/base/error.h"
#include "solidyn/fem/elastic_body.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using elements::ElementType;
using testing::HasSubstr;

const IsotropicElastic kMaterial{3.0e6, 0.3, 1000.0};

class NodeMassOf : public testing::TestWithParam<ElementType> {
 protected:
  mesh::DistributedMesh mesh_ =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(GetParam(), 0.002));
  ElasticBody bare_ = assemble(mesh_, kMaterial);
  std::int32_t node_ = 5;
  ElasticBody with_ = assemble(mesh_, kMaterial, {{"point", 2.0, mesh_.node_tags[node_]}});
};
INSTANTIATE_TEST_SUITE_P(Elements, NodeMassOf,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                         [](const auto& info) { return std::string(elements::name(info.param)); });

TEST_P(NodeMassOf, IsOneDiagonalTerm) {
  ASSERT_EQ(with_.columns, bare_.columns);
  EXPECT_EQ(with_.stiffness, bare_.stiffness);
  for (std::int32_t i = 0; i < with_.n_owned(); ++i)
    for (std::int64_t k = with_.row_start[i]; k < with_.row_start[i + 1]; ++k)
      EXPECT_NEAR(with_.mass[k] - bare_.mass[k],
                  i == node_ && with_.columns[k] == node_ ? 2.0 : 0.0, 1e-14);
  EXPECT_NEAR(with_.lumped_mass[node_] - bare_.lumped_mass[node_], 2.0, 1e-13);
}

TEST_P(NodeMassOf, HasMassCentreAndInertiaOfAPoint) {
  const auto about_origin = [](const MassProperties& p) {
    const Vector3d& c = p.center_of_mass;
    return Matrix3d(p.inertia +
                    p.mass * (c.squaredNorm() * Matrix3d::Identity() - c * c.transpose()));
  };
  const MassProperties &with = with_.properties, &bare = bare_.properties;
  const Vector3d x = mesh_.x.col(node_);
  EXPECT_NEAR(with.mass, bare.mass + 2.0, 1e-12 * with.mass);
  const Vector3d first = bare.mass * bare.center_of_mass + 2.0 * x;
  EXPECT_LT((with.mass * with.center_of_mass - first).norm(), 1e-12 * first.norm());
  const Matrix3d J = about_origin(bare) + about_origin({2.0, x, Matrix3d::Zero()});
  EXPECT_LT((about_origin(with) - J).norm(), 1e-12 * J.norm());
}

TEST(NodeMassCheck, NamesEveryMassOnANodeOfNoElement) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(ElementType::tet4));
  try {
    assemble(mesh, kMaterial,
             {{"CONM2 17", 2.0, 99999}, {"CONM2 18", 2.0, mesh.node_tags[0]}, {"MASS 3", 1.0, -4}});
    FAIL();
  } catch (const base::InputError& error) {
    ASSERT_EQ(error.diagnostics().size(), 2u);
    EXPECT_THAT(error.what(), HasSubstr("CONM2 17: its node 99999 is on no solid element"));
    EXPECT_THAT(error.what(), HasSubstr("MASS 3: its node -4 is on no solid element"));
  }
}

}  // namespace
}  // namespace solidyn::fem
