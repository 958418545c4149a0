#include "formats/shared/node_cover.h"

#include <gtest/gtest.h>

#include <random>

#include "solidyn/mesh/generators.h"

namespace solidyn {
namespace {

using formats::NodeCover;

mesh::Mesh make_box() {
  mesh::BoxOptions box;
  box.type = elements::ElementType::tet10;
  box.nx = box.ny = box.nz = 3;
  return mesh::make_box(box);
}

/// By looking at every element.
std::vector<std::int64_t> elements_inside(const mesh::ElementBlock& block,
                                          const mesh::NodeSet& set) {
  std::vector<std::int64_t> inside;
  const int n = elements::n_nodes(block.type);
  for (std::int64_t e = 0; e < block.size(); ++e) {
    const auto first = block.connectivity.begin() + e * n;
    if (std::all_of(first, first + n, [&](std::int32_t node) {
          return std::binary_search(set.nodes.begin(), set.nodes.end(), node);
        }))
      inside.push_back(e);
  }
  return inside;
}

TEST(NodeCover, FindsTheElementsInsideAnySet) {
  const mesh::Mesh mesh = make_box();
  NodeCover cover(mesh.n_nodes());
  cover.add(mesh.blocks[0]);
  std::mt19937 random(4);
  std::size_t n_found = 0;
  for (int i = 0; i < 100; ++i) {  // one after the other: nothing is left of the last question
    mesh::NodeSet set;
    for (std::int32_t node = 0; node < mesh.n_nodes(); ++node)
      if (random() % 100 < 90) set.nodes.push_back(node);
    const auto inside = cover.inside(set);
    EXPECT_EQ(inside, elements_inside(mesh.blocks[0], set));
    n_found += inside.size();
  }
  EXPECT_GT(n_found, 1000u);
}

TEST(NodeCover, ASetIsMadeUpOfElementsWhenTheyHaveAllItsNodes) {
  const mesh::Mesh mesh = make_box();
  const mesh::ElementBlock& block = mesh.blocks[0];
  NodeCover cover(mesh.n_nodes());
  cover.add(block);
  mesh::NodeSet set;
  for (const std::int64_t e : {5, 40}) {
    const auto first = block.connectivity.begin() + 10 * e;
    set.nodes.insert(set.nodes.end(), first, first + 10);
  }
  std::sort(set.nodes.begin(), set.nodes.end());
  set.nodes.erase(std::unique(set.nodes.begin(), set.nodes.end()), set.nodes.end());
  EXPECT_EQ(cover.making_up(set), elements_inside(block, set));
  std::int32_t other = 0;
  while (std::binary_search(set.nodes.begin(), set.nodes.end(), other)) ++other;
  set.nodes.insert(std::lower_bound(set.nodes.begin(), set.nodes.end(), other), other);
  EXPECT_TRUE(cover.making_up(set).empty());
}

}  // namespace
}  // namespace solidyn
