#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>
#include <set>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/mesh/boundary.h"
#include "solidyn/mesh/distributed_mesh.h"
#include "solidyn/mesh/element_geometry.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/mesh/mesh_slices.h"

// Every expected value is that of the whole mesh, hence the same on any number of ranks.
namespace solidyn::mesh {
namespace {

const MPI_Comm kComm = MPI_COMM_WORLD;

Mesh whole_box(ElementType type) {
  BoxOptions options;
  options.type = type;
  options.nx = 6, options.ny = 3, options.nz = 4;
  options.size = Eigen::Vector3d(2.0, 0.5, 1.5);
  options.perturbation = 0.15;
  return make_box(options);
}

Mesh on_rank_zero(Mesh mesh) { return base::rank(kComm) == 0 ? std::move(mesh) : Mesh{}; }

// The slice of this rank.
MeshSlices slices_of(const Mesh& whole) {
  const int rank = base::rank(kComm), n_ranks = base::size(kComm);
  MeshSlices all = make_slices(whole), mine;
  const auto cut = [&](auto& values, std::int64_t width) {
    const auto n = static_cast<std::int64_t>(values.size()) / width;
    return std::decay_t<decltype(values)>(
        values.begin() + width * slice_begin(n, rank, n_ranks),
        values.begin() + width * slice_begin(n, rank + 1, n_ranks));
  };
  mine.n_nodes = all.n_nodes;
  mine.node_tags = cut(all.node_tags, 1);
  mine.x = all.x.middleCols(slice_begin(all.n_nodes, rank, n_ranks),
                            static_cast<Eigen::Index>(mine.node_tags.size()));
  for (ElementSlice& block : all.blocks)
    mine.blocks.push_back({block.type, cut(block.connectivity, n_nodes(block.type)),
                           cut(block.tags, 1), cut(block.regions, 1)});
  return mine;
}

class Distribute : public testing::TestWithParam<ElementType> {
 protected:
  const Mesh whole = whole_box(GetParam());
  const DistributedMesh mesh = distribute(kComm, on_rank_zero(whole));
};
INSTANTIATE_TEST_SUITE_P(Types, Distribute,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(Distribute, OwnedNodesCoverTheMeshOnce) {
  EXPECT_EQ(mesh.n_global_nodes, whole.n_nodes());
  EXPECT_EQ(base::sum(kComm, std::int64_t{mesh.n_owned}), whole.n_nodes());
  std::int64_t before = mesh.n_owned;
  MPI_Scan(MPI_IN_PLACE, &before, 1, MPI_INT64_T, MPI_SUM, kComm);
  EXPECT_EQ(mesh.first_owned, before - mesh.n_owned);
  for (std::int32_t i = 0; i < mesh.n_owned; ++i) EXPECT_EQ(mesh.global[i], mesh.first_owned + i);
  double tags = 0.0;
  for (std::int32_t i = 0; i < mesh.n_owned; ++i) tags += static_cast<double>(mesh.node_tags[i]);
  EXPECT_EQ(base::sum(kComm, tags), 0.5 * whole.n_nodes() * (whole.n_nodes() + 1));
}

TEST_P(Distribute, GhostsAgreeWithTheirOwners) {
  // Every rank writes its owned tags and positions into global arrays; all local copies must match.
  std::vector<double> facts(4 * mesh.n_global_nodes, 0.0);
  for (std::int32_t i = 0; i < mesh.n_owned; ++i) {
    facts[4 * mesh.global[i]] = static_cast<double>(mesh.node_tags[i]);
    for (int d = 0; d < 3; ++d) facts[4 * mesh.global[i] + 1 + d] = mesh.x(d, i);
  }
  base::sum_in_place(kComm, facts.data(), static_cast<int>(facts.size()));
  ASSERT_EQ(mesh.x.cols(), mesh.n_local());
  ASSERT_EQ(mesh.node_tags.size(), mesh.global.size());
  for (std::int32_t i = 0; i < mesh.n_local(); ++i) {
    EXPECT_EQ(static_cast<double>(mesh.node_tags[i]), facts[4 * mesh.global[i]]);
    for (int d = 0; d < 3; ++d) EXPECT_EQ(mesh.x(d, i), facts[4 * mesh.global[i] + 1 + d]);
    EXPECT_EQ(Eigen::Vector3d(mesh.x.col(i)), whole.x.col(mesh.node_tags[i] - 1));
  }
  if (base::size(kComm) == 1) {
    EXPECT_EQ(mesh.n_local(), mesh.n_owned);
  }
}

TEST_P(Distribute, EveryElementLivesOnOneRankWithItsNodes) {
  double volume_sum = 0.0, tags = 0.0;
  std::int64_t n_elements = 0;
  std::set<std::int32_t> used;
  for (const ElementBlock& block : mesh.solids) {
    EXPECT_EQ(block.type, GetParam());
    n_elements += block.size();
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const double v = volume(gather_positions(mesh.x, block, e));
      EXPECT_GT(v, 0.0);
      volume_sum += v;
      tags += static_cast<double>(block.tags[e]);
      const int n = n_nodes(block.type);
      for (int i = 0; i < n; ++i) {
        const std::int32_t here = block.connectivity[e * n + i];
        used.insert(here);
        EXPECT_EQ(mesh.node_tags[here],
                  whole.blocks[0].connectivity[(block.tags[e] - 1) * n + i] + 1);
      }
    }
  }
  EXPECT_EQ(static_cast<std::int32_t>(used.size()), mesh.n_local());  // no ghost in vain
  const std::int64_t n_whole = whole.blocks[0].size();
  EXPECT_EQ(mesh.n_global_elements, n_whole);
  EXPECT_EQ(base::sum(kComm, n_elements), n_whole);
  EXPECT_EQ(base::sum(kComm, tags), 0.5 * n_whole * (n_whole + 1));
  EXPECT_NEAR(base::sum(kComm, volume_sum), 1.5, 1e-13);
}

TEST_P(Distribute, SetsKeepTheirNodesOnTheirOwners) {
  ASSERT_EQ(mesh.sets.size(), whole.sets.size());
  for (const auto& [name, set] : whole.sets) {
    const NodeSet& part = mesh.sets.at(name);
    EXPECT_EQ(part.dimension, set.dimension);
    double tags = 0.0, expected = 0.0;
    for (std::int32_t node : part.nodes) {
      EXPECT_LT(node, mesh.n_owned);
      tags += static_cast<double>(mesh.node_tags[node]);
    }
    for (std::int32_t node : set.nodes) expected += static_cast<double>(whole.node_tags[node]);
    EXPECT_EQ(base::sum(kComm, tags), expected) << name;
    EXPECT_TRUE(std::is_sorted(part.nodes.begin(), part.nodes.end()));
  }
}

TEST_P(Distribute, SurfaceClosesOverAllRanks) {
  // Divergence theorem with the flat corner triangles (the box has straight sides).
  double six_volumes = 0.0;
  std::int64_t n_faces = 0;
  for (const ElementBlock& block : mesh.surface) {
    n_faces += block.size();
    EXPECT_EQ(linear_of(block.type) == block.type, linear_of(GetParam()) == GetParam());
    for (std::int64_t e = 0; e < block.size(); ++e) {
      const std::int32_t* n = &block.connectivity[e * n_nodes(block.type)];
      for (int i = 2; i < n_corners(block.type); ++i)
        six_volumes +=
            mesh.x.col(n[0]).dot(Eigen::Vector3d(mesh.x.col(n[i - 1])).cross(mesh.x.col(n[i])));
    }
  }
  EXPECT_EQ(base::sum(kComm, n_faces),
            static_cast<std::int64_t>(find_boundary_faces(whole).size()));
  EXPECT_NEAR(base::sum(kComm, six_volumes) / 6.0, 1.5, 1e-13);
}

TEST_P(Distribute, OwnershipIsBalanced) {
  const double even = static_cast<double>(mesh.n_global_nodes) / base::size(kComm);
  EXPECT_LT(base::max(kComm, mesh.n_owned), 1.15 * even);
}

TEST_P(Distribute, TheSameMeshGivesTheSameParts) {
  const DistributedMesh again = distribute(kComm, on_rank_zero(whole));
  EXPECT_EQ(again.node_tags, mesh.node_tags);
  EXPECT_EQ(again.x, mesh.x);
}

TEST_P(Distribute, ElementsKeepTheirRegions) {
  Mesh marked = whole;
  const auto region_of = [](std::int64_t tag) { return static_cast<std::int32_t>(tag * 7 % 5); };
  for (const std::int64_t tag : marked.blocks[0].tags)
    marked.blocks[0].regions.push_back(region_of(tag));
  std::int64_t n_seen = 0;
  const auto expect_kept = [&](const DistributedMesh& part) {
    for (const ElementBlock& block : part.solids)
      for (std::int64_t e = 0; e < block.size(); ++e, ++n_seen)
        EXPECT_EQ(block.region(e), region_of(block.tags[e]));
  };
  expect_kept(distribute(kComm, on_rank_zero(marked)));
  expect_kept(distribute(kComm, slices_of(marked), "marked"));
  EXPECT_EQ(base::sum(kComm, n_seen), 2 * whole.blocks[0].size());
}

TEST(DistributeSmall, FewerElementsThanRanksLeavesEmptyRanks) {
  Mesh tet;
  tet.x = Eigen::Matrix3Xd::Zero(3, 4);
  tet.x.rightCols<3>().setIdentity();
  tet.node_tags = {11, 12, 13, 14};
  tet.blocks.push_back({ElementType::tet4, {0, 1, 2, 3}, {7}});
  const DistributedMesh mesh = distribute(kComm, on_rank_zero(tet));
  EXPECT_EQ(mesh.n_owned, base::rank(kComm) == 0 ? 4 : 0);
  EXPECT_EQ(mesh.n_global_elements, 1);
}

TEST(DistributeSmall, UnusedNodeIsRefusedOnAllRanks) {
  Mesh box = whole_box(ElementType::tet4);
  box.x.conservativeResize(3, box.x.cols() + 1);
  box.x.rightCols<1>().setZero();
  box.node_tags.push_back(4711);
  try {
    distribute(kComm, on_rank_zero(box));
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("node 4711 belongs to no solid element"));
  }
}

TEST(DistributeSmall, PartitionerOfAnotherNameIsRefused) {
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-mesh_partitioner", "magic"));
  std::string message = "accepted";
  try {
    distribute(kComm, slices_of(whole_box(ElementType::tet4)), "box");
  } catch (const base::InputError& error) {
    message = error.what();
  }
  SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-mesh_partitioner"));
  EXPECT_THAT(message, testing::HasSubstr("option -mesh_partitioner is `magic`"));
  EXPECT_THAT(message, testing::HasSubstr("write curve or graph"));
}

}  // namespace
}  // namespace solidyn::mesh
