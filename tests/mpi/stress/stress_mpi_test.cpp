#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "scratch_folder.h"
#include "solid_meshes.h"
#include "solidyn/base/mpi.h"
#include "solidyn/bodies/nodal_stress.h"
#include "solidyn/fem/stress_recovery.h"
#include "solidyn/reduction/sbody.h"

namespace solidyn::fem {
namespace {

const IsotropicElastic kMaterial{2.1e11, 0.3, 7850.0};

mesh::DistributedMesh make_mesh(MPI_Comm comm) {
  return mesh::distribute(comm, base::rank(comm) == 0
                                    ? test::irregular_box(elements::ElementType::tet10)
                                    : mesh::Mesh{});
}

std::map<std::int64_t, Stress> stress_by_tag(const mesh::DistributedMesh& mesh) {
  const Eigen::Matrix3Xd u = test::random_field(mesh, 1e-3, 4);
  std::vector<std::int32_t> nodes(mesh.n_owned);
  std::iota(nodes.begin(), nodes.end(), 0);
  const Eigen::MatrixXd sigma = StressRecovery(mesh, {kMaterial, Hex8Formulation::standard}, nodes)
                                    .compute(Eigen::Map<const Eigen::VectorXd>(u.data(), u.size()));
  std::map<std::int64_t, Stress> stress;
  for (std::int32_t i = 0; i < mesh.n_owned; ++i)
    stress[mesh.node_tags[i]] = sigma.col(0).segment<6>(6 * i);
  return stress;
}

TEST(StressOnRanks, NodalStressIsThatOfOneRank) {
  const auto alone = stress_by_tag(make_mesh(PETSC_COMM_SELF));
  const auto together = stress_by_tag(make_mesh(PETSC_COMM_WORLD));
  for (const auto& [tag, sigma] : together)
    EXPECT_LT((sigma - alone.at(tag)).norm(), 1e-12 * alone.at(tag).norm());
  const std::int64_t n = base::sum(PETSC_COMM_WORLD, static_cast<std::int64_t>(together.size()));
  EXPECT_EQ(n, static_cast<std::int64_t>(alone.size()));
}

// Nodes whose faces other ranks hold count too.
TEST(StressOnRanks, SurfaceNodesAreThoseOfOneRank) {
  const mesh::DistributedMesh alone = make_mesh(PETSC_COMM_SELF);
  std::set<std::int64_t> expected;
  for (const std::int32_t node : find_surface_nodes(alone)) expected.insert(alone.node_tags[node]);
  const mesh::DistributedMesh mesh = make_mesh(PETSC_COMM_WORLD);
  const std::vector<std::int32_t> nodes = find_surface_nodes(mesh);
  for (const std::int32_t node : nodes) EXPECT_EQ(expected.count(mesh.node_tags[node]), 1u);
  EXPECT_EQ(base::sum(PETSC_COMM_WORLD, static_cast<std::int64_t>(nodes.size())),
            static_cast<std::int64_t>(expected.size()));
}

reduction::ReducedBody reduce_on(MPI_Comm comm) {
  reduction::ReductionOptions options;
  options.free_free = 4;
  options.stress.pictures = reduction::StressInPictures::on_surface;
  const mesh::NodesNear middle{{0.7, -0.1, 0.3}, 0.15};
  options.stress.places = {{"middle", middle}};
  return reduction::reduce(make_mesh(comm), kMaterial, options);
}

// Modes have no sign; products of two stresses of one mode have.
TEST(StressOnRanks, StressModesAreThoseOfOneRank) {
  const reduction::ReducedBody alone = reduce_on(PETSC_COMM_SELF);
  const reduction::ReducedBody together = reduce_on(PETSC_COMM_WORLD);
  const reduction::StressPlace &a = alone.stress.places[0], &b = together.stress.places[0];
  ASSERT_GT(a.node_tags.size(), 20u);
  EXPECT_EQ(a.node_tags, b.node_tags);
  EXPECT_EQ(a.x_B, b.x_B);
  for (int i = 0; i < 4; ++i)
    EXPECT_LT((a.S.col(i) * a.S.col(i).transpose() - b.S.col(i) * b.S.col(i).transpose()).norm(),
              1e-5 * a.S.col(i).squaredNorm());
}

TEST(StressOnRanks, StressModesAreReadOnOtherNumbersOfRanks) {
  const test::ScratchFolder folder;
  const reduction::ReducedBody written = reduce_on(PETSC_COMM_WORLD);
  reduction::write_sbody(folder / "box.sbody", written, {});
  const reduction::ReducedBody alone = reduction::read_sbody(PETSC_COMM_SELF, folder / "box.sbody");
  EXPECT_EQ(alone.stress.places[0].S, written.stress.places[0].S);
  std::map<std::int64_t, Eigen::MatrixXd> rows;
  for (std::size_t k = 0; k < alone.stress.nodes.size(); ++k)
    rows[alone.mesh.node_tags[alone.stress.nodes[k]]] = alone.stress.S.middleRows(6 * k, 6);
  for (std::size_t k = 0; k < written.stress.nodes.size(); ++k)
    EXPECT_EQ(rows.at(written.mesh.node_tags[written.stress.nodes[k]]),
              written.stress.S.middleRows(6 * k, 6));
}

// Of several with the same stress the lowest rank's; a rank without nodes takes part.
TEST(StressOnRanks, LargestStressIsFoundOnAllRanks) {
  const int n = base::size(PETSC_COMM_WORLD), rank = base::rank(PETSC_COMM_WORLD);
  Eigen::Matrix<double, 6, Eigen::Dynamic> sigma(6, rank == 0 && n > 1 ? 0 : 2);
  for (Eigen::Index k = 0; k < sigma.cols(); ++k) {
    sigma.col(k).setZero();
    sigma(0, k) = k == 1 ? 5.0 : 2.0;
    sigma.col(k).head<3>().array() += rank;  // a pressure, which von Mises does not see
  }
  const Stress found = bodies::find_largest_stress(PETSC_COMM_WORLD, sigma);
  const int first = n > 1 ? 1 : 0;
  EXPECT_EQ(found[0], 5.0 + first);
  EXPECT_EQ(found[1], 0.0 + first);
}

}  // namespace
}  // namespace solidyn::fem
