#include "formats/shared/node_cover.h"

#include <algorithm>

namespace solidyn::formats {

void NodeCover::add(const mesh::ElementBlock& block) {
  const int n = elements::n_nodes(block.type);
  for (std::int64_t e = 0; e < block.size(); ++e)
    add(block.connectivity.begin() + e * n, block.connectivity.begin() + (e + 1) * n);
}

void NodeCover::index() {
  if (!starts_of_nodes_.empty()) return;
  starts_of_nodes_.assign(static_cast<std::size_t>(n_nodes_) + 1, 0);
  for (const std::int32_t node : nodes_) ++starts_of_nodes_[static_cast<std::size_t>(node) + 1];
  for (std::size_t i = 1; i < starts_of_nodes_.size(); ++i)
    starts_of_nodes_[i] += starts_of_nodes_[i - 1];
  std::vector<std::int64_t> next(starts_of_nodes_.begin(), starts_of_nodes_.end() - 1);
  items_of_nodes_.resize(nodes_.size());
  for (std::size_t item = 0; item + 1 < starts_.size(); ++item)
    for (std::int64_t i = starts_[item]; i < starts_[item + 1]; ++i)
      items_of_nodes_[next[nodes_[i]]++] = static_cast<std::int64_t>(item);
  n_found_.assign(starts_.size() - 1, 0);
  is_covered_.assign(static_cast<std::size_t>(n_nodes_), 0);
}

std::vector<std::int64_t> NodeCover::inside(const mesh::NodeSet& set) {
  index();
  std::vector<std::int64_t> touched;
  for (const std::int32_t node : set.nodes)
    for (std::int64_t i = starts_of_nodes_[node]; i < starts_of_nodes_[node + 1]; ++i)
      if (n_found_[items_of_nodes_[i]]++ == 0) touched.push_back(items_of_nodes_[i]);
  std::sort(touched.begin(), touched.end());
  std::vector<std::int64_t> items;
  for (const std::int64_t item : touched) {
    if (n_found_[item] == starts_[item + 1] - starts_[item]) items.push_back(item);
    n_found_[item] = 0;
  }
  return items;
}

std::vector<std::int64_t> NodeCover::making_up(const mesh::NodeSet& set) {
  std::vector<std::int64_t> items = inside(set);
  for (const std::int64_t item : items)
    for (std::int64_t i = starts_[item]; i < starts_[item + 1]; ++i) is_covered_[nodes_[i]] = 1;
  const bool has_all = std::all_of(set.nodes.begin(), set.nodes.end(),
                                   [&](std::int32_t node) { return is_covered_[node] != 0; });
  for (const std::int64_t item : items)
    for (std::int64_t i = starts_[item]; i < starts_[item + 1]; ++i) is_covered_[nodes_[i]] = 0;
  if (!has_all) items.clear();
  return items;
}

}  // namespace solidyn::formats
