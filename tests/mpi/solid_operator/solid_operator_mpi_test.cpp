#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "solid_meshes.h"
#include "solidyn/base/mpi.h"
#include "solidyn/fem/solid_operator.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3Xd;

const IsotropicElastic kMaterial{1000.0, 0.3, 2.0};

// Nodal values of all ranks by the node's number in the file.
std::map<std::int64_t, Eigen::Vector3d> collect(const mesh::DistributedMesh& mesh,
                                                const Matrix3Xd& owned) {
  int n = 0;
  const int mine = 4 * mesh.n_owned;
  std::vector<double> packed;
  for (std::int32_t i = 0; i < mesh.n_owned; ++i)
    packed.insert(packed.end(),
                  {static_cast<double>(mesh.node_tags[i]), owned(0, i), owned(1, i), owned(2, i)});
  std::vector<int> counts(base::size(mesh.comm)), at(counts.size());
  MPI_Allgather(&mine, 1, MPI_INT, counts.data(), 1, MPI_INT, mesh.comm);
  for (std::size_t r = 0; r < counts.size(); n += counts[r++]) at[r] = n;
  std::vector<double> all(n);
  MPI_Allgatherv(packed.data(), mine, MPI_DOUBLE, all.data(), counts.data(), at.data(), MPI_DOUBLE,
                 mesh.comm);
  std::map<std::int64_t, Eigen::Vector3d> by_tag;
  for (std::size_t k = 0; k < all.size(); k += 4)
    by_tag[static_cast<std::int64_t>(all[k])] = {all[k + 1], all[k + 2], all[k + 3]};
  return by_tag;
}

struct Body {
  Body(MPI_Comm comm, elements::ElementType type, SolidFormulation formulation)
      : mesh(mesh::distribute(
            comm, base::rank(comm) == 0 ? test::irregular_box(type, bulge(type)) : mesh::Mesh{})),
        elastic(assemble(mesh, kMaterial)),
        solid(mesh, elastic, {formulation, kMaterial, Viscosity::proportional(kMaterial, 0.01)}),
        x(test::strained_positions(mesh)),
        v(test::random_field(mesh, 1.0, 2)) {}

  static double bulge(elements::ElementType type) {
    return elements::linear_of(type) == type ? 0.0 : 0.01;
  }

  Matrix3Xd multiply(MatType type) const {
    TangentCoefficients c;
    c.mass = 1e4;
    c.damping = 30.0;
    c.mass_kind = MassKind::consistent;
    const base::Mat A = solid.make_matrix(type);
    base::Vec in, out;
    SOLIDYN_PETSC(MatCreateVecs(A, in.out(), out.out()));
    PetscScalar* values = nullptr;
    SOLIDYN_PETSC(VecGetArray(in, &values));
    std::copy_n(v.data(), 3 * mesh.n_owned, values);
    SOLIDYN_PETSC(VecRestoreArray(in, &values));
    for (int again = 0; again < 2; ++again) solid.assemble_tangent(x, c, A);
    SOLIDYN_PETSC(MatMult(A, in, out));
    const PetscScalar* product = nullptr;
    SOLIDYN_PETSC(VecGetArrayRead(out, &product));
    const Matrix3Xd y = Eigen::Map<const Matrix3Xd>(product, 3, mesh.n_owned);
    SOLIDYN_PETSC(VecRestoreArrayRead(out, &product));
    return y;
  }

  mesh::DistributedMesh mesh;
  ElasticBody elastic;
  SolidOperator solid;
  Matrix3Xd x, v;
};

using Parameters = std::tuple<elements::ElementType, SolidFormulation>;

class SolidOperatorOnRanks : public testing::TestWithParam<Parameters> {
 protected:
  void expect_equal(const Matrix3Xd& together, const Matrix3Xd& alone, const char* what) const {
    const auto a = collect(alone_.mesh, alone), b = collect(together_.mesh, together);
    ASSERT_EQ(a.size(), b.size());
    for (const auto& [tag, value] : a)
      EXPECT_LT((b.at(tag) - value).norm(), 1e-13 * alone.norm()) << what << " at node " << tag;
  }

  Body alone_{PETSC_COMM_SELF, std::get<0>(GetParam()), std::get<1>(GetParam())};
  Body together_{PETSC_COMM_WORLD, std::get<0>(GetParam()), std::get<1>(GetParam())};
};
INSTANTIATE_TEST_SUITE_P(
    Cases, SolidOperatorOnRanks,
    testing::Combine(testing::Values(elements::ElementType::tet4, elements::ElementType::tet10,
                                     elements::ElementType::hex8, elements::ElementType::wedge15,
                                     elements::ElementType::pyramid13),
                     testing::Values(SolidFormulation::st_venant_kirchhoff,
                                     SolidFormulation::neo_hookean,
                                     SolidFormulation::corotational)));

TEST_P(SolidOperatorOnRanks, ForceAndEnergyAreThoseOfOneRank) {
  Matrix3Xd forces[2];
  for (const Body* body : {&alone_, &together_}) {
    Matrix3Xd& f = forces[body == &together_];
    f.resize(3, body->mesh.n_owned);
    body->solid.compute_force(body->x, body->v, f);
  }
  expect_equal(forces[1], forces[0], "force");
  const double energy = alone_.solid.compute_energy(alone_.x);
  EXPECT_NEAR(together_.solid.compute_energy(together_.x), energy, 1e-13 * energy);
}

TEST_P(SolidOperatorOnRanks, TangentInEveryFormatIsThatOfOneRank) {
  const Matrix3Xd expected = alone_.multiply(MATBAIJ);
  for (const char* type : {MATSBAIJ, MATBAIJ, MATAIJ})
    expect_equal(together_.multiply(type), expected, type);
}

TEST_P(SolidOperatorOnRanks, AppliedTangentAndNodalStressAreThoseOfOneRank) {
  Matrix3Xd products[2], stresses[2];
  for (const Body* body : {&alone_, &together_}) {
    const int i = body == &together_;
    products[i].resize(3, body->mesh.n_owned);
    TangentCoefficients c;
    c.damping = 3.0;
    body->solid.apply_tangent(body->x, c, body->v, products[i]);
    Eigen::Matrix<double, 6, Eigen::Dynamic> sigma(6, body->mesh.n_owned);
    body->solid.compute_nodal_stress(body->x, sigma);
    stresses[i] = sigma.topRows<3>() + 2.0 * sigma.bottomRows<3>();
  }
  expect_equal(products[1], products[0], "product");
  expect_equal(stresses[1], stresses[0], "stress");
}

TEST_P(SolidOperatorOnRanks, GhostsFollowTheirOwners) {
  Matrix3Xd x = together_.x;
  x.rightCols(x.cols() - together_.mesh.n_owned).setConstant(-1.0);
  together_.solid.update_ghosts(x);
  EXPECT_EQ(x, together_.x);
}

// One rank sees the inverted element; all ranks throw, and name the same one.
TEST_P(SolidOperatorOnRanks, AllRanksNameTheInvertedElement) {
  const int n = elements::n_nodes(alone_.mesh.solids[0].type);
  const std::int32_t* nodes = &alone_.mesh.solids[0].connectivity[5 * n];
  const Eigen::Vector3d center = alone_.x.col(nodes[0]);
  std::set<std::int64_t> moved;
  for (int a = 0; a < n; ++a) moved.insert(alone_.mesh.node_tags[nodes[a]]);
  // A reflection of this element's nodes turns it inside out.
  for (std::int32_t i = 0; i < together_.mesh.n_local(); ++i)
    if (moved.count(together_.mesh.node_tags[i]))
      together_.x.col(i) = 2.0 * center - together_.x.col(i);
  EXPECT_LT(together_.solid.find_smallest_volume_ratio(together_.x).det_F, 0.0);
  Matrix3Xd f(3, together_.mesh.n_owned);
  std::string message;
  try {
    together_.solid.compute_force(together_.x, f);
  } catch (const base::ComputationError& error) {
    message = error.what();
  }
  EXPECT_THAT(message, testing::HasSubstr("is inverted: det F = -"));
  std::string of_first = message;
  base::broadcast(PETSC_COMM_WORLD, of_first);
  EXPECT_EQ(message, of_first);
}

}  // namespace
}  // namespace solidyn::fem
