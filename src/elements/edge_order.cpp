#include "solidyn/elements/edge_order.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "solidyn/elements/topology.h"

namespace solidyn::elements {
namespace {

using Edges = std::vector<std::array<int, 2>>;

/// The ends of the edges in the order of their middle nodes; nothing where it is ours.
Edges edges_around(ElementType type) {
  switch (type) {
    case ElementType::tet10:
      return {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    case ElementType::hex20:
      return {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
              {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
    case ElementType::wedge15:
      return {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}, {0, 3}, {1, 4}, {2, 5}};
    case ElementType::pyramid13:
      return {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {2, 4}, {3, 4}};
    default:
      return {};
  }
}

std::vector<int> make_order(ElementType type) {
  std::vector<int> order(static_cast<std::size_t>(n_nodes(type)));
  std::iota(order.begin(), order.end(), 0);
  const Edges theirs = edges_around(type);
  if (theirs.empty()) return order;
  const Edges& ours = edges(type);
  const int n = n_corners(type);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto same = [&edge = ours[i]](const std::array<int, 2>& other) {
      return std::is_permutation(edge.begin(), edge.end(), other.begin());
    };
    const auto found = std::find_if(theirs.begin(), theirs.end(), same);
    order[n + i] = n + static_cast<int>(found - theirs.begin());
  }
  return order;
}

}  // namespace

const std::vector<int>& around_order(ElementType type) {
  static const std::map<ElementType, std::vector<int>> orders = [] {
    std::map<ElementType, std::vector<int>> all;
    for (const ElementTraits& e : kElements) all[e.type] = make_order(e.type);
    return all;
  }();
  return orders.at(type);
}

}  // namespace solidyn::elements
