#pragma once
#include <cstdint>
#include <vector>

#include "solidyn/mesh/mesh.h"

namespace solidyn::formats {

/// Which elements (or faces) lie in sets of nodes: files hold sets of elements, ours are of nodes.
/// A question costs as much as the set is large, not as the mesh is. Private to the writers.
class NodeCover {
 public:
  /// @param n_nodes  of the mesh
  explicit NodeCover(std::int64_t n_nodes) : n_nodes_(n_nodes) {}

  /// The next item: items count from 0. All come before the first question.
  template <class Iterator>
  void add(Iterator first, Iterator last) {
    nodes_.insert(nodes_.end(), first, last);
    starts_.push_back(static_cast<std::int64_t>(nodes_.size()));
  }
  /// The elements of a block, one after the other.
  void add(const mesh::ElementBlock& block);

  /// Items all of whose nodes are in the set, rising.
  std::vector<std::int64_t> inside(const mesh::NodeSet& set);
  /// The same if they have all the nodes of the set; else none.
  std::vector<std::int64_t> making_up(const mesh::NodeSet& set);

 private:
  void index();

  std::int64_t n_nodes_;
  std::vector<std::int64_t> starts_ = {0};  // of the items' nodes
  std::vector<std::int32_t> nodes_;
  std::vector<std::int64_t> starts_of_nodes_, items_of_nodes_;  // the other way round
  std::vector<std::int32_t> n_found_;                           // nodes of an item in the set
  std::vector<char> is_covered_;                                // by node
};

}  // namespace solidyn::formats
