#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "solid_meshes.h"
#include "solidyn/base/mpi.h"
#include "solidyn/fem/stress_recovery.h"

namespace solidyn::fem {
namespace {

const IsotropicElastic kMaterial{2.1e11, 0.3, 7850.0};

mesh::DistributedMesh make_mesh(MPI_Comm comm) {
  return mesh::distribute(
      comm, base::rank(comm) == 0 ? test::irregular_box(mesh::ElementType::tet10) : mesh::Mesh{});
}

std::map<std::int64_t, Stress> stress_by_tag(const mesh::DistributedMesh& mesh) {
  const Eigen::Matrix3Xd u = test::random_field(mesh, 1e-3, 4);
  std::vector<std::int32_t> nodes(mesh.n_owned);
  std::iota(nodes.begin(), nodes.end(), 0);
  const Eigen::MatrixXd sigma = StressRecovery(mesh, kMaterial, Hex8Formulation::standard, nodes)
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

}  // namespace
}  // namespace solidyn::fem
