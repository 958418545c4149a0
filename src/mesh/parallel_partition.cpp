#include "mesh/parallel_partition.h"

#include <petscmat.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "mesh/element_work.h"
#include "mesh/exchange.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/petsc_options.h"

namespace solidyn::mesh {
namespace {

using Eigen::Vector3d;
using Partitioning = base::Handle<::MatPartitioning, MatPartitioningDestroy>;

template <class Visit>  // (type, nodes)
void for_each_solid(const MeshSlices& slices, const Visit& visit) {
  for (const ElementSlice& block : slices.blocks)
    if (dimension(block.type) == 3)
      for (std::int64_t e = 0; e < block.size(); ++e)
        visit(block.type, &block.connectivity[e * n_nodes(block.type)]);
}

// In PETSc's own memory, which the object that takes it frees.
template <class Values>
PetscInt* petsc_copy(const Values& values) {
  PetscInt* copy = nullptr;
  SOLIDYN_PETSC(PetscMalloc1(values.size(), &copy));
  std::copy(values.begin(), values.end(), copy);
  return copy;
}

std::vector<PetscInt> weights_of(const MeshSlices& slices) {
  std::vector<PetscInt> weights;
  for_each_solid(slices, [&](ElementType type, const std::int64_t*) {
    weights.push_back(element_work(type));
  });
  return weights;
}

/// Centroids of the corners of this rank's solids.
std::vector<Vector3d> find_centroids(MPI_Comm comm, const MeshSlices& slices) {
  std::vector<std::int64_t> corners;
  for_each_solid(slices, [&](ElementType type, const std::int64_t* nodes) {
    corners.insert(corners.end(), nodes, nodes + n_corners(type));
  });
  std::sort(corners.begin(), corners.end());
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  const int n_ranks = base::size(comm);
  const std::int64_t first = slice_begin(slices.n_nodes, base::rank(comm), n_ranks);
  using Point = std::array<double, 3>;
  const std::vector<Point> points = ask<Point>(
      comm, corners, [&](std::int64_t node) { return slice_of(node, slices.n_nodes, n_ranks); },
      [&](std::int64_t node, int) {
        const Vector3d x = slices.x.col(node - first);
        return Point{x.x(), x.y(), x.z()};
      });
  std::vector<Vector3d> centroids;
  for_each_solid(slices, [&](ElementType type, const std::int64_t* nodes) {
    Vector3d sum = Vector3d::Zero();
    for (int i = 0; i < n_corners(type); ++i) {
      const auto at = std::lower_bound(corners.begin(), corners.end(), nodes[i]);
      sum += Eigen::Map<const Vector3d>(points[at - corners.begin()].data());
    }
    centroids.push_back(sum / n_corners(type));
  });
  return centroids;
}

std::vector<std::uint64_t> find_keys(MPI_Comm comm, const std::vector<Vector3d>& centroids) {
  Vector3d bounds[2];  // minus the lowest, and the highest
  for (Vector3d& bound : bounds) bound.setConstant(-std::numeric_limits<double>::infinity());
  for (const Vector3d& x : centroids) {
    bounds[0] = bounds[0].cwiseMax(-x);
    bounds[1] = bounds[1].cwiseMax(x);
  }
  MPI_Allreduce(MPI_IN_PLACE, bounds[0].data(), 3, MPI_DOUBLE, MPI_MAX, comm);
  MPI_Allreduce(MPI_IN_PLACE, bounds[1].data(), 3, MPI_DOUBLE, MPI_MAX, comm);
  const double size = std::max((bounds[1] + bounds[0]).maxCoeff(), 1e-300);
  std::vector<std::uint64_t> keys;
  for (const Vector3d& x : centroids) keys.push_back(hilbert_key((x + bounds[0]) / size));
  return keys;
}

/// Keys in order, with the weight of all before each.
struct WeightedKeys {
  std::vector<std::uint64_t> keys;
  std::vector<std::int64_t> before;  // [n + 1]

  WeightedKeys(const std::vector<std::uint64_t>& unsorted, const std::vector<PetscInt>& weights) {
    std::vector<std::size_t> order(unsorted.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return unsorted[a] < unsorted[b]; });
    before.push_back(0);
    for (const std::size_t i : order) {
      keys.push_back(unsorted[i]);
      before.push_back(before.back() + weights[i]);
    }
  }
  std::int64_t weight_below(std::uint64_t key) const {
    return before[std::lower_bound(keys.begin(), keys.end(), key) - keys.begin()];
  }
};

/// The keys at which parts 1, 2, ... begin: each the largest with at most its share of the weight
/// below it, found by bisection for all of them at once.
std::vector<std::uint64_t> find_splitters(MPI_Comm comm, const WeightedKeys& mine, int n_parts) {
  const std::int64_t total = base::sum(comm, mine.before.back());
  std::vector<std::uint64_t> splitters(n_parts - 1, 0);
  std::vector<std::int64_t> below(n_parts - 1);
  for (int bit = 60; bit >= 0; --bit) {
    const std::uint64_t step = std::uint64_t{1} << bit;
    for (int s = 0; s < n_parts - 1; ++s) below[s] = mine.weight_below(splitters[s] + step);
    MPI_Allreduce(MPI_IN_PLACE, below.data(), n_parts - 1, MPI_INT64_T, MPI_SUM, comm);
    for (int s = 0; s < n_parts - 1; ++s)
      if (below[s] <= slice_begin(total, s + 1, n_parts)) splitters[s] += step;
  }
  return splitters;
}

base::Mat make_dual_graph(MPI_Comm comm, const FaceMatch& faces) {
  const std::int64_t n = static_cast<std::int64_t>(faces.outer.size());
  const std::int64_t n_all = base::sum(comm, n);
  const double most = base::max(comm, static_cast<double>(faces.neighbours.size()));
  constexpr double kMost = std::numeric_limits<PetscInt>::max();
  if (static_cast<double>(n_all) > kMost || most > kMost)
    throw base::ComputationError(
        "the mesh has more elements than 32-bit indices can number: configure PETSc with 64-bit indices");
  base::Mat graph;
  PetscInt* offsets = petsc_copy(faces.offsets);
  PetscInt* neighbours = petsc_copy(faces.neighbours);
  SOLIDYN_PETSC(MatCreateMPIAdj(comm, static_cast<PetscInt>(n), static_cast<PetscInt>(n_all),
                                offsets, neighbours, nullptr, graph.out()));
  return graph;
}

}  // namespace

// J. Skilling, Programming the Hilbert curve, AIP Conference Proceedings 707 (2004) 381-387.
std::uint64_t hilbert_key(const Vector3d& point) {
  constexpr int kBits = 20;
  constexpr std::uint32_t kTop = 1u << (kBits - 1);
  std::array<std::uint32_t, 3> x;
  for (int i = 0; i < 3; ++i)
    x[i] = static_cast<std::uint32_t>(std::clamp(point[i], 0.0, 1.0) * (2.0 * kTop - 1.0));
  for (std::uint32_t q = kTop; q > 1; q >>= 1) {  // undo the turns of the smaller cubes
    const std::uint32_t p = q - 1;
    for (std::uint32_t& xi : x) {
      if (xi & q) {
        x[0] ^= p;
      } else {
        const std::uint32_t t = (x[0] ^ xi) & p;
        x[0] ^= t;
        xi ^= t;
      }
    }
  }
  for (int i = 1; i < 3; ++i) x[i] ^= x[i - 1];  // Gray encode
  std::uint32_t t = 0;
  for (std::uint32_t q = kTop; q > 1; q >>= 1)
    if (x[2] & q) t ^= q - 1;
  std::uint64_t key = 0;
  for (int bit = kBits - 1; bit >= 0; --bit)
    for (const std::uint32_t xi : x) key = (key << 1) | (((xi ^ t) >> bit) & 1u);
  return key;
}

std::vector<std::int32_t> partition_curve(MPI_Comm comm, const MeshSlices& slices) {
  const std::vector<std::uint64_t> keys = find_keys(comm, find_centroids(comm, slices));
  const std::vector<std::uint64_t> splitters =
      find_splitters(comm, WeightedKeys(keys, weights_of(slices)), base::size(comm));
  std::vector<std::int32_t> parts;
  for (const std::uint64_t key : keys)
    parts.push_back(static_cast<std::int32_t>(
        std::upper_bound(splitters.begin(), splitters.end(), key) - splitters.begin()));
  return parts;
}

std::vector<std::int32_t> partition_graph(MPI_Comm comm, const MeshSlices& slices,
                                          const FaceMatch& faces) {
  const base::Mat graph = make_dual_graph(comm, faces);
  Partitioning partitioning;
  SOLIDYN_PETSC(MatPartitioningCreate(comm, partitioning.out()));
  SOLIDYN_PETSC(MatPartitioningSetAdjacency(partitioning, graph));
#if defined(PETSC_HAVE_PTSCOTCH)
  SOLIDYN_PETSC(MatPartitioningSetType(partitioning, MATPARTITIONINGPTSCOTCH));
#elif defined(PETSC_HAVE_PARMETIS)
  SOLIDYN_PETSC(MatPartitioningSetType(partitioning, MATPARTITIONINGPARMETIS));
#else
  return partition_curve(comm, slices);
#endif
  SOLIDYN_PETSC(MatPartitioningSetVertexWeights(partitioning, petsc_copy(weights_of(slices))));
  SOLIDYN_PETSC(MatPartitioningSetNParts(partitioning, base::size(comm)));
  base::obey_options({"the partition of the mesh", "mat_partitioning_", comm},
                     [&] { return MatPartitioningSetFromOptions(partitioning); });
  base::IndexSet parts;
  SOLIDYN_PETSC(MatPartitioningApply(partitioning, parts.out()));
  const PetscInt* values = nullptr;
  SOLIDYN_PETSC(ISGetIndices(parts, &values));
  std::vector<std::int32_t> result(values, values + faces.outer.size());
  SOLIDYN_PETSC(ISRestoreIndices(parts, &values));
  return result;
}

}  // namespace solidyn::mesh
