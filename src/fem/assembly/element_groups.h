#pragma once
#include <vector>

#include "fem/kernels/batch_kernel.h"
#include "solidyn/fem/solid_operator.h"

namespace solidyn::fem {

/// When a product computes a group: elements without ghosts keep the rank busy while the sums of
/// the others' ghosts are on their way to the owners.
enum class Turn { with_ghosts, without_ghosts };

/// Elements of one type and shape in batches of kLanes, along a space-filling curve, so that
/// neighbours in space are neighbours in time and their rows stay in cache whatever the order of
/// the mesh. The last batch repeats its last element in the lanes left over.
struct ElementGroup {
  elements::ElementType type = elements::ElementType::tet10;
  Turn turn = Turn::without_ghosts;
  std::unique_ptr<BatchKernel> kernel;
  std::int64_t n_elements = 0;
  std::vector<std::int32_t> nodes;  ///< [n_batches][n_nodes][kLanes] local node
  std::vector<std::int64_t> tags;   ///< [n_batches][kLanes]

  int n_nodes() const { return kernel->n_nodes(); }
  std::size_t n_batches() const { return tags.size() / kLanes; }
  /// Lanes of a batch that hold an element of its own.
  int n_valid(std::size_t batch) const {
    const std::int64_t left = n_elements - static_cast<std::int64_t>(batch * kLanes);
    return static_cast<int>(left < kLanes ? left : kLanes);
  }
  const std::int32_t* batch_nodes(std::size_t batch) const {
    return &nodes[batch * n_nodes() * kLanes];
  }
  /// values [3 x n_local] -> one pack per node and component
  void gather(std::size_t batch, const double* values, Vector* out) const {
    const std::int32_t* node = batch_nodes(batch);
    for (int a = 0; a < n_nodes(); ++a, node += kLanes)
      for (int lane = 0; lane < kLanes; ++lane) {
        const double* from = values + 3 * std::ptrdiff_t{node[lane]};
        for (int i = 0; i < 3; ++i) out[a][i][lane] = from[i];
      }
  }
  /// values [n_local] -> one pack per node
  void gather_scalars(std::size_t batch, const double* values, Pack* out) const {
    const std::int32_t* node = batch_nodes(batch);
    for (int a = 0; a < n_nodes(); ++a, node += kLanes)
      for (int lane = 0; lane < kLanes; ++lane) out[a][lane] = values[node[lane]];
  }
  /// Adds to values [3 x n_local].
  void scatter(std::size_t batch, const Vector* in, double* values) const {
    const std::int32_t* node = batch_nodes(batch);
    const int n_lanes = n_valid(batch);
    for (int a = 0; a < n_nodes(); ++a, node += kLanes)
      for (int lane = 0; lane < n_lanes; ++lane) {
        double* to = values + 3 * std::ptrdiff_t{node[lane]};
        for (int i = 0; i < 3; ++i) to[i] += in[a][i][lane];
      }
  }
};

/// Local. Throws InputError for an inverted element, named by its tag.
std::vector<ElementGroup> make_element_groups(const mesh::DistributedMesh& mesh,
                                              const SolidOptions& options);

constexpr int kMaxNodes = 20;  ///< of any element

}  // namespace solidyn::fem
