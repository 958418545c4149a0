// Boost.Geometry's R-tree, which no other file sees.
#include "contact/broad_phase.h"

#include <boost/geometry/core/cs.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>

namespace solidyn::contact {
namespace {

namespace bg = boost::geometry;
using Corner = bg::model::point<double, 3, bg::cs::cartesian>;
using Box = bg::model::box<Corner>;
using Entry = std::pair<Box, int>;
using Tree = bg::index::rtree<Entry, bg::index::linear<8>>;

Box to_boost(const Bounds& b) {
  return {{b.min().x(), b.min().y(), b.min().z()}, {b.max().x(), b.max().y(), b.max().z()}};
}

// Packed at once (sort-tile-recursive).
Tree make_tree(const std::vector<Bounds>& boxes) {
  std::vector<Entry> entries;
  entries.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (!boxes[i].isEmpty()) entries.emplace_back(to_boost(boxes[i]), static_cast<int>(i));
  return Tree(entries.begin(), entries.end());
}

template <class Take>
void query(const Tree& tree, const std::vector<Bounds>& boxes, Take&& take) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i].isEmpty()) continue;
    tree.query(bg::index::intersects(to_boost(boxes[i])),
               boost::make_function_output_iterator(
                   [&](const Entry& found) { take(static_cast<int>(i), found.second); }));
  }
}

}  // namespace

std::vector<std::pair<int, int>> overlapping(const std::vector<Bounds>& first,
                                             const std::vector<Bounds>& second) {
  std::vector<std::pair<int, int>> pairs;
  query(make_tree(second), first, [&](int i, int j) { pairs.emplace_back(i, j); });
  return pairs;
}

std::vector<std::pair<int, int>> overlapping(const std::vector<Bounds>& boxes) {
  std::vector<std::pair<int, int>> pairs;
  query(make_tree(boxes), boxes, [&](int i, int j) {
    if (i < j) pairs.emplace_back(i, j);
  });
  return pairs;
}

}  // namespace solidyn::contact
