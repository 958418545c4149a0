#include "contact_points.h"

namespace solidyn::railway {
namespace {

/// The tree of summits and saddles.
struct Tree {
  const std::vector<PositionDual>& summits;
  const std::vector<PositionDual>& saddles;
  std::vector<PositionDual> shares, parts;  ///< of the branch above the present saddle; m

  /// Divides what is above `bottom` among the summits first to last, which are connected there.
  /// @returns length of the tree above it
  PositionDual divide(std::size_t first, std::size_t last, const PositionDual& bottom) {
    if (first == last) {
      shares[first] = PositionDual(1.0);
      parts[first] = parts[first] + (summits[first] - bottom);
      return summits[first] - bottom;
    }
    std::size_t lowest = first;
    for (std::size_t k = first; k < last; ++k)
      if (saddles[k].value < saddles[lowest].value) lowest = k;
    const PositionDual saddle = saddles[lowest], edge = saddle - bottom;
    const PositionDual below = divide(first, lowest, saddle),
                       above = divide(lowest + 1, last, saddle);
    const PositionDual sum = below + above;
    const PositionDual share = sum.value > 0.0 ? below / sum : PositionDual(0.5);
    for (std::size_t i = first; i <= last; ++i) {
      shares[i] = shares[i] * (i <= lowest ? share : 1.0 - share);
      parts[i] = parts[i] + edge * shares[i];
    }
    return sum + edge;
  }
};

}  // namespace

std::vector<PositionDual> divide_overlap(const std::vector<PositionDual>& summits,
                                         const std::vector<PositionDual>& saddles) {
  const std::size_t n = summits.size();
  Tree tree{summits, saddles, std::vector<PositionDual>(n), std::vector<PositionDual>(n)};
  for (std::size_t first = 0, i = 0; i < n; ++i)
    if (i + 1 == n || saddles[i].value <= 0.0) {
      tree.divide(first, i, PositionDual(0.0));
      first = i + 1;
    }
  return tree.parts;
}

}  // namespace solidyn::railway
