// What the bench of scaling counts on ranks is what the cut of a box says.
#include <gtest/gtest.h>

#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/mesh/large_box.h"
#include "solidyn/simulation/scaling_model.h"

namespace solidyn::simulation {
namespace {

TEST(CutOfBoxes, IsThatOfTheDistributedMesh) {
  using elements::ElementType;
  for (const ElementType type : {ElementType::tet4, ElementType::tet10, ElementType::hex8}) {
    mesh::LargeBox box;
    box.type = type;
    box.nx = 6, box.ny = 5, box.nz = 4;
    const mesh::DistributedMesh mesh = mesh::make_distributed_box(MPI_COMM_WORLD, box);
    const Cut cut =
        find_cut({6.0, 5.0, 4.0}, type == ElementType::tet10 ? 2 : 1, base::size(MPI_COMM_WORLD));
    const std::int64_t ghosts = mesh.n_local() - mesh.n_owned;
    EXPECT_EQ(static_cast<double>(mesh.n_global_nodes), cut.nodes);
    EXPECT_EQ(static_cast<double>(base::sum(MPI_COMM_WORLD, ghosts)), cut.ghosts);
    // Nodes between ranks are dealt by a hash.
    EXPECT_NEAR(base::max(MPI_COMM_WORLD, static_cast<double>(ghosts)), cut.most_ghosts,
                0.3 * cut.most_ghosts);
  }
}

TEST(ScalingBench, CountsWhatOneProductSends) {
  base::set_log_level(base::LogLevel::off);
  BenchOptions options;
  options.n_dofs = 900;
  options.repeat = 1;
  const ScalingResult r = run_scaling_bench(MPI_COMM_WORLD, options);
  base::set_log_level(base::LogLevel::info);
  const int ranks = base::size(MPI_COMM_WORLD);
  EXPECT_EQ(r.ranks, ranks);
  EXPECT_GT(r.iterations_per_step, 1.0);
  EXPECT_GT(r.corrections_per_step, 0.5);
  const Cut cut = find_cut(r.cells, 2, ranks);
  EXPECT_EQ(r.ghosts, cut.ghosts);
  const auto& product = r.product.traffic;
  const auto& fine = r.phases[static_cast<int>(Phase::fine)].traffic;
  if (ranks == 1) {
    EXPECT_EQ(product.messages + product.bytes + product.reductions + fine.messages, 0.0);
    return;
  }
  // Values to ghosts and sums from them, 24 bytes a node, nothing that all ranks wait for.
  if (ranks == 2) {
    EXPECT_EQ(product.messages, 2.0);
    EXPECT_EQ(product.bytes, 24.0 * r.ghosts);
  }
  EXPECT_LE(product.messages, 2.0 * r.most_neighbours);
  EXPECT_EQ(product.reductions, 0.0);
  // Smoother, residual and conjugate gradients: four products at least, and three sums.
  EXPECT_GE(fine.messages, 4.0 * product.messages * r.iterations_per_step);
  EXPECT_GE(fine.reductions, 2.0 * r.iterations_per_step);
}

}  // namespace
}  // namespace solidyn::simulation
