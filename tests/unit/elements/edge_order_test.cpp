#include "solidyn/elements/edge_order.h"

#include <gtest/gtest.h>

#include "solidyn/elements/topology.h"

namespace solidyn {
namespace {

using elements::ElementType;

/// Corner pairs of the middle nodes in the order that Abaqus and VTK publish.
std::vector<std::array<int, 2>> published_edges(ElementType type) {
  if (type == ElementType::tet10) return {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
  if (type == ElementType::wedge15)
    return {{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {0, 3}, {1, 4}, {2, 5}};
  if (type == ElementType::pyramid13)
    return {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 4}, {1, 4}, {2, 4}, {3, 4}};
  return {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {4, 5}, {5, 6},
          {6, 7}, {4, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
}

class EdgeOrder : public ::testing::TestWithParam<ElementType> {};

TEST_P(EdgeOrder, MiddleNodesLieBetweenTheirCorners) {
  const ElementType type = GetParam();
  const std::vector<int>& order = elements::around_order(type);
  const auto published = published_edges(type);
  const auto& ours = elements::edges(type);
  const int n = elements::n_corners(type);
  ASSERT_EQ(static_cast<int>(order.size()), elements::n_nodes(type));
  for (int i = 0; i < n; ++i) EXPECT_EQ(order[i], i);
  for (std::size_t i = 0; i < ours.size(); ++i)
    EXPECT_EQ(published[order[n + i] - n], ours[i]) << "node " << n + i;
}

INSTANTIATE_TEST_SUITE_P(Quadratic, EdgeOrder,
                         ::testing::Values(ElementType::tet10, ElementType::hex20,
                                           ElementType::wedge15, ElementType::pyramid13),
                         [](const auto& info) { return std::string(elements::name(info.param)); });

TEST(EdgeOrderOfLinearElements, IsOurs) {
  EXPECT_EQ(elements::around_order(ElementType::hex8), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

}  // namespace
}  // namespace solidyn
