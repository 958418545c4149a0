#include "solidyn/mesh/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "solidyn/base/disjoint_sets.h"
#include "solidyn/base/mpi.h"

namespace solidyn::mesh {
namespace {

using Eigen::Vector3d;

constexpr std::size_t kPartsNamedAtMost = 4;

// Sets that are joined pair by pair; whatever has not been met is alone.
class Joined {
 public:
  std::int64_t root(std::int64_t item) {
    while (true) {
      const auto found = parent_.find(item);
      if (found == parent_.end()) return item;
      const auto next = parent_.find(found->second);
      if (next == parent_.end()) return found->second;
      item = found->second = next->second;
    }
  }
  void join(std::int64_t a, std::int64_t b) {
    const std::int64_t low = std::min(root(a), root(b)), high = std::max(root(a), root(b));
    if (low != high) parent_[high] = low;
  }

 private:
  std::unordered_map<std::int64_t, std::int64_t> parent_;
};

// Collective. The values of all ranks; node numbers are exact as doubles.
std::vector<double> gathered(MPI_Comm comm, const std::vector<double>& own) {
  const auto n_own = static_cast<int>(own.size());
  std::vector<int> counts(base::size(comm)), starts(base::size(comm), 0);
  MPI_Allgather(&n_own, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::partial_sum(counts.begin(), counts.end() - 1, starts.begin() + 1);
  std::vector<double> all(starts.back() + counts.back());
  MPI_Allgatherv(own.data(), n_own, MPI_DOUBLE, all.data(), counts.data(), starts.data(),
                 MPI_DOUBLE, comm);
  return all;
}

// Of local nodes: the element's other nodes, by the lowest number of what this rank has.
std::vector<std::int32_t> join_locally(const DistributedMesh& mesh) {
  base::DisjointSets<std::int32_t> sets(mesh.n_local());
  for (const ElementBlock& block : mesh.solids) {
    const int n = n_nodes(block.type);
    for (std::size_t i = 0; i < block.connectivity.size(); ++i)
      sets.join(block.connectivity[i], block.connectivity[i - i % n]);
  }
  std::vector<std::int32_t> roots(mesh.n_local());
  for (std::int32_t node = 0; node < mesh.n_local(); ++node) roots[node] = sets.root(node);
  return roots;
}

// What nodes that several ranks have, and ties, say about the roots of ranks.
Joined join_ranks(const DistributedMesh& mesh, const std::vector<std::int32_t>& local,
                  const std::vector<std::vector<std::int64_t>>& tied) {
  std::vector<double> ghosts(mesh.global.begin() + mesh.n_owned, mesh.global.end());
  std::set<std::int64_t> wanted;
  for (double node : gathered(mesh.comm, ghosts)) wanted.insert(static_cast<std::int64_t>(node));
  for (const auto& group : tied) wanted.insert(group.begin(), group.end());
  std::vector<double> pairs;
  for (std::int32_t node = 0; node < mesh.n_local(); ++node)
    if (wanted.count(mesh.global[node]) > 0)
      pairs.insert(pairs.end(), {static_cast<double>(mesh.global[node]),
                                 static_cast<double>(mesh.global[local[node]])});
  Joined joined;
  const std::vector<double> all = gathered(mesh.comm, pairs);
  for (std::size_t i = 0; i < all.size(); i += 2)
    joined.join(static_cast<std::int64_t>(all[i]), static_cast<std::int64_t>(all[i + 1]));
  for (const auto& group : tied)
    for (const std::int64_t node : group) joined.join(group.front(), node);
  return joined;
}

}  // namespace

std::vector<ConnectedPart> find_connected_parts(
    const DistributedMesh& mesh, const std::vector<std::vector<std::int64_t>>& tied) {
  const std::vector<std::int32_t> local = join_locally(mesh);
  Joined joined = join_ranks(mesh, local, tied);
  std::map<std::int64_t, ConnectedPart> parts;  // by root; `centre` is a sum until the end
  const auto add = [&parts](std::int64_t root, std::int64_t n, const Vector3d& sum,
                            std::int64_t tag) {
    ConnectedPart& part = parts[root];
    part.first_tag = part.n_elements == 0 ? tag : std::min(part.first_tag, tag);
    part.n_elements += n;
    part.centre += sum;
  };
  for (const ElementBlock& block : mesh.solids) {
    const int n = n_nodes(block.type);
    for (std::int64_t e = 0; e < block.size(); ++e) {
      Vector3d sum = Vector3d::Zero();
      for (int k = 0; k < n; ++k) sum += mesh.x.col(block.connectivity[e * n + k]) / n;
      const std::int32_t first = local[block.connectivity[e * n]];
      add(joined.root(mesh.global[first]), 1, sum, block.tags[e]);
    }
  }
  std::vector<double> own;
  for (const auto& [root, part] : parts)
    own.insert(own.end(),
               {static_cast<double>(root), static_cast<double>(part.n_elements), part.centre[0],
                part.centre[1], part.centre[2], static_cast<double>(part.first_tag)});
  parts.clear();
  const std::vector<double> all = gathered(mesh.comm, own);
  for (std::size_t i = 0; i < all.size(); i += 6)
    add(static_cast<std::int64_t>(all[i]), static_cast<std::int64_t>(all[i + 1]),
        Vector3d(all[i + 2], all[i + 3], all[i + 4]), static_cast<std::int64_t>(all[i + 5]));
  std::vector<ConnectedPart> list;
  for (auto& [root, part] : parts) {
    part.centre /= static_cast<double>(part.n_elements);
    list.push_back(part);
  }
  std::stable_sort(list.begin(), list.end(), [](const ConnectedPart& a, const ConnectedPart& b) {
    return a.n_elements > b.n_elements;
  });
  return list;
}

std::string describe(const std::vector<ConnectedPart>& parts) {
  std::string text = fmt::format("{} part{}", parts.size(), parts.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < std::min(parts.size(), kPartsNamedAtMost); ++i) {
    const ConnectedPart& part = parts[i];
    text += fmt::format("{} {} element{} around ({:.3g}, {:.3g}, {:.3g}) m (such as element {})",
                        i == 0 ? ":" : ",", part.n_elements, part.n_elements == 1 ? "" : "s",
                        part.centre[0], part.centre[1], part.centre[2], part.first_tag);
  }
  if (parts.size() > kPartsNamedAtMost)
    text += fmt::format(" and {} more", parts.size() - kPartsNamedAtMost);
  return text;
}

}  // namespace solidyn::mesh
