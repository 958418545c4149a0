// Vertices that separate the parts of a graph.
#include "solvers/separator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace solidyn::solvers {
namespace {

using Edges = std::vector<CutEdge>;

bool touches_all(const std::vector<int>& separator, const Edges& cut) {
  const auto has = [&](int v) { return std::binary_search(separator.begin(), separator.end(), v); };
  return std::all_of(cut.begin(), cut.end(),
                     [&](const CutEdge& e) { return has(e.first) || has(e.second); });
}

// Of n vertices, by trial of all sets.
int fewest(const Edges& cut, int n) {
  int best = n;
  for (unsigned set = 0; set < (1U << n); ++set) {
    int size = 0;
    for (int v = 0; v < n; ++v) size += (set >> v) & 1U;
    if (size < best && std::all_of(cut.begin(), cut.end(), [&](const CutEdge& e) {
          return ((set >> e.first) | (set >> e.second)) & 1U;
        }))
      best = size;
  }
  return best;
}

Edges random_edges(std::mt19937& g, const std::vector<int>& owner, int n_edges) {
  std::uniform_int_distribution<int> any(0, static_cast<int>(owner.size()) - 1);
  Edges cut;
  while (static_cast<int>(cut.size()) < n_edges) {
    const int u = any(g), v = any(g);
    if (owner[u] != owner[v]) cut.emplace_back(std::min(u, v), std::max(u, v));
  }
  return cut;
}

TEST(SeparatorOf, NothingIsEmpty) { EXPECT_TRUE(find_separator({}, {0, 0, 1}).empty()); }

TEST(SeparatorOf, AStarIsItsCentre) {
  EXPECT_EQ(find_separator({{0, 3}, {1, 3}, {2, 3}}, {0, 0, 0, 1}), std::vector<int>{3});
}

// A path that crosses between the owners: every second vertex, whichever way it begins.
TEST(SeparatorOf, ALongPathIsHalfOfIt) {
  const int n = 20001;
  Edges cut;
  std::vector<int> owner;
  for (int i = 0; i < n; ++i) owner.push_back(i % 2);
  for (int i = 0; i + 1 < n; ++i) cut.emplace_back(i, i + 1);
  const std::vector<int> separator = find_separator(cut, owner);
  EXPECT_TRUE(touches_all(separator, cut));
  EXPECT_EQ(separator.size(), static_cast<std::size_t>(n / 2));
}

TEST(SeparatorOf, TwoOwnersHasAsFewVerticesAsAny) {
  std::mt19937 g(5);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<int> owner(13);
    for (int& one : owner) one = static_cast<int>(g() % 2);
    owner[0] = 0;
    owner[12] = 1;
    const Edges cut = random_edges(g, owner, 5 + trial / 3);
    const std::vector<int> separator = find_separator(cut, owner);
    EXPECT_TRUE(touches_all(separator, cut));
    EXPECT_EQ(static_cast<int>(separator.size()), fewest(cut, 13));
  }
}

TEST(SeparatorOf, ManyOwnersTouchesAllEdgesAndHasNoVertexToSpare) {
  std::mt19937 g(6);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<int> owner(13);
    for (int i = 0; i < 13; ++i) owner[i] = i % (3 + trial % 4);
    const Edges cut = random_edges(g, owner, 5 + trial / 3);
    const std::vector<int> separator = find_separator(cut, owner);
    EXPECT_TRUE(touches_all(separator, cut));
    EXPECT_LE(static_cast<int>(separator.size()), 2 * fewest(cut, 13));
    for (const int spare : separator) {
      std::vector<int> rest = separator;
      rest.erase(std::find(rest.begin(), rest.end(), spare));
      EXPECT_FALSE(touches_all(rest, cut));
    }
  }
}

}  // namespace
}  // namespace solidyn::solvers
