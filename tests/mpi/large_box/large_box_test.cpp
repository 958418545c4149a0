#include "solidyn/mesh/large_box.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <set>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/solidyn/mesh.h"
#include "solidyn/mesh/check.h"
#include "solidyn/mesh/element_geometry.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::mesh {
namespace {

const MPI_Comm kComm = MPI_COMM_WORLD;

LargeBox box_of(ElementType type) {
  LargeBox box;
  box.type = type;
  box.nx = 5, box.ny = 4, box.nz = 3;
  box.size = {2.0, 0.5, 1.5};
  box.origin = {-1.0, 0.25, 3.0};
  return box;
}

Mesh whole_box(ElementType type) {
  const LargeBox box = box_of(type);
  BoxOptions options;
  options.type = type;
  options.nx = 5, options.ny = 4, options.nz = 3;
  options.size = box.size;
  options.origin = box.origin;
  return make_box(options);
}

using Place = std::array<long, 3>;
Place place_of(const Eigen::Vector3d& x) {
  return {std::lround(1e6 * x[0]), std::lround(1e6 * x[1]), std::lround(1e6 * x[2])};
}

class LargeBoxTest : public testing::TestWithParam<ElementType> {};
INSTANTIATE_TEST_SUITE_P(Types, LargeBoxTest,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(LargeBoxTest, HasTheNodesElementsAndSetsOfTheWholeBox) {
  const Mesh whole = whole_box(GetParam());
  const LargeBox box = box_of(GetParam());
  const DistributedMesh mesh = make_distributed_box(kComm, box);
  EXPECT_EQ(mesh.n_global_nodes, whole.n_nodes());
  EXPECT_EQ(box.n_nodes(), whole.n_nodes());
  EXPECT_EQ(mesh.n_global_elements, whole.blocks[0].size());
  EXPECT_EQ(box.n_elements(), whole.blocks[0].size());
  std::set<Place> places;
  for (Eigen::Index i = 0; i < whole.x.cols(); ++i) places.insert(place_of(whole.x.col(i)));
  for (std::int32_t i = 0; i < mesh.n_owned; ++i)
    EXPECT_EQ(places.count(place_of(mesh.x.col(i))), 1u) << mesh.x.col(i).transpose();
  ASSERT_EQ(mesh.sets.size(), whole.sets.size());
  for (const auto& [name, set] : whole.sets) {
    const NodeSet& part = mesh.sets.at(name);
    EXPECT_EQ(part.dimension, set.dimension);
    EXPECT_EQ(base::sum(kComm, static_cast<std::int64_t>(part.nodes.size())),
              static_cast<std::int64_t>(set.nodes.size()));
    std::set<Place> expected;
    for (const std::int32_t node : set.nodes) expected.insert(place_of(whole.x.col(node)));
    for (const std::int32_t node : part.nodes)
      EXPECT_EQ(expected.count(place_of(mesh.x.col(node))), 1u) << name;
  }
}

TEST_P(LargeBoxTest, FillsItsVolumeWithSoundElements) {
  const DistributedMesh mesh = make_distributed_box(kComm, box_of(GetParam()));
  check(mesh, "box");
  double total = 0.0;
  std::int64_t n_faces = 0;
  for (const ElementBlock& block : mesh.solids)
    for (std::int64_t e = 0; e < block.size(); ++e)
      total += volume(gather_positions(mesh.x, block, e));
  for (const ElementBlock& block : mesh.surface) n_faces += block.size();
  EXPECT_NEAR(base::sum(kComm, total), 1.5, 1e-13);
  const int per_side = GetParam() == ElementType::tet4 || GetParam() == ElementType::tet10 ? 2 : 1;
  EXPECT_EQ(base::sum(kComm, n_faces), 2 * per_side * (5 * 4 + 4 * 3 + 5 * 3));
}

// A limit on the size of files stands for a full disk, which one rank meets and the others do not.
TEST(LargeBoxFile, OnAFullDiskAllRanksSaySoAndNoFileStays) {
  const test::ScratchFolder folder;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const MeshSlices slices =
      make_box_slices(kComm, make_large_box(ElementType::hex8, {1, 1, 1}, 20000));
  for (const int poor : {0, base::size(kComm) - 1}) {
    for (const rlim_t limit : {500, 20000, 200000}) {
      rlimit now = before;
      now.rlim_cur = limit;
      if (base::rank(kComm) == poor) setrlimit(RLIMIT_FSIZE, &now);
      EXPECT_THROW(formats::write_solidyn_mesh(kComm, folder / "box.smesh", slices),
                   base::ComputationError)
          << "rank " << poor << " may write " << limit << " bytes";
      setrlimit(RLIMIT_FSIZE, &before);
      MPI_Barrier(kComm);
      EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
    }
  }
}

TEST_P(LargeBoxTest, GoesToAFileAndBack) {
  const test::ScratchFolder folder;
  const LargeBox box = box_of(GetParam());
  formats::write_solidyn_mesh(kComm, folder / "box.smesh", make_box_slices(kComm, box));
  Mesh whole = formats::read_whole_solidyn_mesh(folder / "box.smesh");
  check(whole, "box.smesh");
  EXPECT_EQ(whole.n_nodes(), box.n_nodes());
  EXPECT_EQ(count_connected_parts(whole), 1);
}

TEST_P(LargeBoxTest, HasTheUnknownsAskedForAndCubicCells) {
  for (const std::int64_t n_dofs : {1, 1000, 50000, 1234567}) {
    const LargeBox box = make_large_box(GetParam(), {1.0, 0.5, 0.25}, n_dofs);
    EXPECT_GE(3 * box.n_nodes(), n_dofs);
    if (n_dofs < 50000) continue;
    EXPECT_LT(static_cast<double>(3 * box.n_nodes()), 1.25 * static_cast<double>(n_dofs));
    EXPECT_NEAR(static_cast<double>(box.nx) / static_cast<double>(box.nz), 4.0, 0.5);
  }
}

TEST(LargeBox, RanksFormTheGridWithTheLeastAreaBetween) {
  LargeBox box;
  box.nx = 40, box.ny = 20, box.nz = 20;
  EXPECT_EQ(find_rank_grid(box, 2), (std::array<int, 3>{2, 1, 1}));
  EXPECT_EQ(find_rank_grid(box, 16), (std::array<int, 3>{4, 2, 2}));
  box.nx = box.ny = box.nz = 2;
  EXPECT_EQ(find_rank_grid(box, 7), (std::array<int, 3>{0, 0, 0}));
}

TEST(LargeBox, BalancesBricks) {
  LargeBox box;
  box.nx = box.ny = box.nz = 8;
  const DistributedMesh mesh = make_distributed_box(kComm, box);
  const double even = static_cast<double>(mesh.n_global_nodes) / base::size(kComm);
  EXPECT_LT(base::max(kComm, mesh.n_owned), 1.05 * even);
}

TEST(LargeBox, WrongSizesAreRefused) {
  EXPECT_THROW(make_large_box(ElementType::wedge6, {1, 1, 1}, 100), base::InputError);
  EXPECT_THROW(make_large_box(ElementType::tet10, {1, 0, 1}, 100), base::InputError);
  EXPECT_THROW(make_large_box(ElementType::tet10, {1, 1, 1}, 0), base::InputError);
  LargeBox box;
  box.ny = 0;
  EXPECT_THROW(make_box_slices(kComm, box), base::InputError);
}

}  // namespace
}  // namespace solidyn::mesh
