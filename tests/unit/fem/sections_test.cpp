#include "solidyn/fem/sections.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serial_matrices.h"
#include "solid_meshes.h"
#include "solidyn/base/error.h"
#include "solidyn/fem/elastic_body.h"
#include "solidyn/fem/geometric_stiffness.h"
#include "solidyn/fem/stress_recovery.h"

namespace solidyn::fem {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using elements::ElementType;

const Section kSoft{{3.0e6, 0.3, 1000.0}};
const Section kHard{{2.0e7, 0.2, 2700.0}, Hex8Formulation::b_bar, Hex20Integration::reduced};

// Every third element is of region 1.
mesh::DistributedMesh striped_box(ElementType type) {
  mesh::Mesh whole = test::irregular_box(type);
  for (std::int64_t e = 0; e < whole.blocks[0].size(); ++e)
    whole.blocks[0].regions.push_back(e % 3 == 1);
  return mesh::distribute(PETSC_COMM_SELF, whole);
}

// What a mesh of these regions gives, whatever it is: each element's part is that of its section.
template <class Evaluate>
void expect_parts_add_up(const Evaluate& evaluate) {
  const MatrixXd mixed = evaluate(Sections({kSoft, kHard})) + evaluate(Sections({kHard, kSoft}));
  const MatrixXd pure = evaluate(Sections(kSoft)) + evaluate(Sections(kHard));
  EXPECT_LT((mixed - pure).norm(), 1e-13 * pure.norm());
  for (const Section& one : {kSoft, kHard})
    EXPECT_GT((evaluate(Sections({kSoft, kHard})) - evaluate(Sections(one))).norm(),
              0.01 * pure.norm());
}

class SectionsOf : public testing::TestWithParam<ElementType> {
 protected:
  mesh::DistributedMesh mesh_ = striped_box(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Elements, SectionsOf,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                         [](const auto& info) { return std::string(elements::name(info.param)); });

TEST_P(SectionsOf, StiffnessIsThatOfEachElementsSection) {
  expect_parts_add_up([&](const Sections& sections) {
    const ElasticBody body = assemble(mesh_, sections);
    return MatrixXd(Eigen::Map<const VectorXd>(body.stiffness.data(), body.stiffness.size()));
  });
}

TEST_P(SectionsOf, MassIsThatOfEachElementsDensity) {
  expect_parts_add_up([&](const Sections& sections) {
    const ElasticBody body = assemble(mesh_, sections);
    VectorXd all(body.mass.size() + body.lumped_mass.size() + 1);
    all << Eigen::Map<const VectorXd>(body.mass.data(), body.mass.size()), body.lumped_mass,
        body.properties.mass;
    return MatrixXd(all);
  });
}

TEST_P(SectionsOf, StressIsThatOfEachElementsMaterial) {
  const Eigen::Matrix3Xd u = test::random_field(mesh_, 0.01, 3);
  std::vector<std::int32_t> nodes(mesh_.n_owned);
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i) nodes[i] = i;
  expect_parts_add_up([&](const Sections& sections) {
    return StressRecovery(mesh_, sections, nodes)
        .compute(Eigen::Map<const VectorXd>(u.data(), u.size()));
  });
}

TEST_P(SectionsOf, GeometricStiffnessIsThatOfEachElementsSection) {
  MatrixXd U(3 * mesh_.n_local(), 3);
  for (int j = 0; j < 3; ++j) {
    const Eigen::Matrix3Xd u = test::random_field(mesh_, 0.01, j);
    U.col(j) = Eigen::Map<const VectorXd>(u.data(), u.size());
  }
  expect_parts_add_up([&](const Sections& sections) {
    const std::vector<MatrixXd> kappa = compute_geometric_stiffness(mesh_, sections, U, U);
    MatrixXd all(3, 9);
    for (int l = 0; l < 3; ++l) all.middleCols<3>(3 * l) = kappa[l];
    return all;
  });
}

// Bars of two materials in series without lateral contraction: both carry the same stress, so that
// the strain of each is stress / E and only the ends feel a force.
TEST(SectionsInSeries, CarryOneStress) {
  mesh::BoxOptions box;
  box.type = ElementType::hex20;
  box.nx = 4;
  box.size = {2.0, 0.3, 0.2};
  mesh::Mesh whole = mesh::make_box(box);
  whole.blocks[0].regions = {0, 0, 1, 1};  // along x
  const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, whole);
  const Section soft{{1e6, 0.0, 1000.0}}, hard{{4e6, 0.0, 2000.0}};
  const ElasticBody body = assemble(mesh, Sections({soft, hard}));
  const double stress = 100.0;
  Eigen::Matrix3Xd u = Eigen::Matrix3Xd::Zero(3, mesh.n_local());
  for (std::int32_t i = 0; i < mesh.n_local(); ++i) {
    const double x = mesh.x(0, i);
    u(0, i) = stress * (std::min(x, 1.0) / 1e6 + std::max(x - 1.0, 0.0) / 4e6);
  }
  const VectorXd f =
      test::make_sparse_stiffness(body) * Eigen::Map<const VectorXd>(u.data(), u.size());
  double at_end = 0.0, largest_inside = 0.0;
  for (std::int32_t i = 0; i < mesh.n_local(); ++i) {
    if (mesh.x(0, i) > 2.0 - 1e-9) at_end += f[3 * i];
    const bool is_inside = mesh.x(0, i) > 1e-9 && mesh.x(0, i) < 2.0 - 1e-9;
    if (is_inside) largest_inside = std::max(largest_inside, f.segment<3>(3 * i).norm());
  }
  EXPECT_LT(largest_inside, 1e-10);
  EXPECT_NEAR(at_end, stress * 0.3 * 0.2, 1e-10);
  EXPECT_NEAR(body.properties.mass, 0.06 * (1000.0 + 2000.0), 1e-10);
  EXPECT_NEAR(body.properties.center_of_mass.x(), (0.5 * 1000.0 + 1.5 * 2000.0) / 3000.0, 1e-12);
}

TEST(SectionsCheck, ListsBadMaterialsAndRegionsWithoutSection) {
  const mesh::DistributedMesh mesh = striped_box(ElementType::tet4);
  Section bad = kSoft;
  bad.material = IsotropicElastic{kSoft.material.isotropic()->youngs_modulus, 0.5, 1.0};
  try {
    assemble(mesh, Sections(std::vector<Section>{bad}));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 2u);
    EXPECT_THAT(error.what(), testing::HasSubstr("material of region 0.poissons_ratio is 0.5"));
    EXPECT_THAT(error.what(), testing::HasSubstr("region 1"));
  }
}

// ---- Reduced integration of hex20

int count_free_motions(const ElementStiffness<elements::Hex20>& K) {
  const VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(MatrixXd(K), Eigen::EigenvaluesOnly).eigenvalues();
  return static_cast<int>((eigenvalues.array() < 1e-12 * eigenvalues[59]).count());
}

TEST(Hex20Reduced, HasSixMotionsWithoutEnergyMoreThanTheFullRule) {
  const mesh::Mesh box = test::irregular_box(ElementType::hex20);
  ElementNodes<elements::Hex20> x;
  for (int a = 0; a < 20; ++a) x.col(a) = box.x.col(box.blocks[0].connectivity[a]);
  ElementStiffness<elements::Hex20> K;
  EXPECT_GT(compute_hex20_stiffness(x, *kSoft.material.isotropic(), Hex20Integration::full, K),
            0.0);
  EXPECT_EQ(count_free_motions(K), 6);
  EXPECT_GT(compute_hex20_stiffness(x, *kSoft.material.isotropic(), Hex20Integration::reduced, K),
            0.0);
  EXPECT_EQ(count_free_motions(K), 12);
}

// Motions without energy of nx x ny elements.
int count_free_motions(int nx, int ny) {
  mesh::BoxOptions box;
  box.type = ElementType::hex20;
  box.nx = nx, box.ny = ny;
  box.perturbation = 0.2;
  const mesh::DistributedMesh mesh = mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
  Section section = kSoft;
  section.hex20 = Hex20Integration::reduced;
  const MatrixXd K = MatrixXd(test::make_sparse_stiffness(assemble(mesh, section)));
  const VectorXd values =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(K, Eigen::EigenvaluesOnly).eigenvalues();
  return static_cast<int>((values.array() < 1e-12 * values[values.size() - 1]).count());
}

TEST(Hex20Reduced, TwoElementsAcrossExcludeThem) { EXPECT_EQ(count_free_motions(2, 2), 6); }

TEST(Hex20Reduced, RowOfSingleElementsKeepsOneMoreThanItHasElements) {
  EXPECT_EQ(count_free_motions(2, 1), 6 + 3);
  EXPECT_EQ(count_free_motions(4, 1), 6 + 5);
}

// Nodes inside feel no force of a linear field: the patch test.
TEST(Hex20Reduced, StraightSidesPassThePatchTest) {
  const mesh::DistributedMesh mesh =
      mesh::distribute(PETSC_COMM_SELF, mesh::make_patch_test_cube(ElementType::hex20));
  Section section = kSoft;
  section.hex20 = Hex20Integration::reduced;
  const auto K = test::make_sparse_stiffness(assemble(mesh, section));
  Eigen::Matrix3d H;
  H << 0.3, 0.1, -0.2, 0.4, -0.5, 0.1, 0.2, 0.3, 0.7;
  const Eigen::Matrix3Xd u = H * mesh.x;
  const VectorXd f = K * Eigen::Map<const VectorXd>(u.data(), u.size());
  double largest = 0.0;
  for (std::int32_t i = 0; i < mesh.n_local(); ++i) {
    const Eigen::Vector3d x = mesh.x.col(i);
    const bool is_inside = x.minCoeff() > 1e-9 && x.maxCoeff() < 1.0 - 1e-9;
    if (is_inside) largest = std::max(largest, f.segment<3>(3 * i).norm());
  }
  EXPECT_LT(largest, 1e-12 * f.norm());
}

}  // namespace
}  // namespace solidyn::fem
