#include "recursive/short_loops.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

namespace solidyn::recursive {
namespace {

// Comparisons for one branch of a loop: beyond, loops are so entangled that an exchange gains
// little.
constexpr std::size_t kMostComparisons = 200'000;
constexpr int kMostExchanges = 20;  // for one new edge

int n_common(const std::vector<int>& a, const std::vector<int>& b) {
  int n = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i == *j) {
      ++n, ++i, ++j;
    } else if (*i < *j) {
      ++i;
    } else {
      ++j;
    }
  }
  return n;
}

}  // namespace

void ShortLoops::add_branch(int edge, int a, int b, int kind) {
  edges_[edge] = {a, b, kind, true, true};
  at_node_[a].push_back(edge);
  at_node_[b].push_back(edge);
}

void ShortLoops::add_cut(int edge, int a, int b, int kind) {
  edges_[edge] = {a, b, kind, false, true};
  set_cycle(edge, find_path(a, b));
  for (int i = 0; i < kMostExchanges; ++i) {
    const Exchange best = find_exchange(edge);
    if (best.gain <= 0) return;
    exchange(best);
    if (best.cut == edge) edge = best.branch;
  }
}

// From both ends at once: loops are short where they are many.
std::vector<int> ShortLoops::find_path(int a, int b) const {
  if (a == b) return {};
  std::array<std::unordered_map<int, int>, 2> by;  // the branch by which a node was reached
  std::array<std::vector<int>, 2> front = {std::vector<int>{a}, std::vector<int>{b}};
  by[0][a] = by[1][b] = -1;
  int meets = -1;
  for (int side = 0; meets < 0; side = front[1 - side].empty() ? side : 1 - side) {
    std::vector<int> next;
    for (const int node : front[side])
      for (const int edge : at_node_[node]) {
        const int other = edges_[edge].a == node ? edges_[edge].b : edges_[edge].a;
        if (!by[side].try_emplace(other, edge).second) continue;
        if (by[1 - side].count(other) > 0) meets = other;
        next.push_back(other);
      }
    front[side] = std::move(next);
  }
  std::vector<int> path;
  for (const auto& reached : by)
    for (int node = meets; reached.at(node) >= 0;) {
      const int edge = reached.at(node);
      path.push_back(edge);
      node = edges_[edge].a == node ? edges_[edge].b : edges_[edge].a;
    }
  std::sort(path.begin(), path.end());
  return path;
}

void ShortLoops::set_cycle(int cut, std::vector<int> cycle) {
  for (const int branch : cycles_[cut]) {
    std::vector<int>& here = through_[branch];
    here.erase(std::find(here.begin(), here.end(), cut));
  }
  for (const int branch : cycle) through_[branch].push_back(cut);
  cycles_[cut] = std::move(cycle);
}

// With `branch` cut in place of `cut`, loops that have both lead along the rest of that of `cut`.
ShortLoops::Exchange ShortLoops::find_exchange(int edge) const {
  Exchange best;
  for (const int branch : cycles_[edge]) {
    const std::vector<int>& loops = through_[branch];
    if (loops.size() * loops.size() * cycles_[edge].size() > kMostComparisons) continue;
    for (const int cut : loops) {
      if (edges_[cut].kind != edges_[branch].kind) continue;
      int gain = 0;
      for (const int other : loops)
        if (other != cut)
          gain += 2 * n_common(cycles_[other], cycles_[cut]) -
                  static_cast<int>(cycles_[cut].size()) - 1;
      if (gain > best.gain) best = {branch, cut, gain};
    }
  }
  return best;
}

void ShortLoops::exchange(const Exchange& e) {
  const std::vector<int> loops = through_[e.branch], old = cycles_[e.cut];
  for (const int other : loops) {
    if (other == e.cut) continue;
    std::vector<int> cycle;
    std::set_symmetric_difference(cycles_[other].begin(), cycles_[other].end(), old.begin(),
                                  old.end(), std::back_inserter(cycle));
    cycle.insert(std::upper_bound(cycle.begin(), cycle.end(), e.cut), e.cut);
    set_cycle(other, std::move(cycle));
  }
  set_cycle(e.cut, {});
  std::vector<int> cycle = old;
  cycle.erase(std::find(cycle.begin(), cycle.end(), e.branch));
  cycle.insert(std::upper_bound(cycle.begin(), cycle.end(), e.cut), e.cut);
  edges_[e.cut].is_branch = true;
  edges_[e.branch].is_branch = false;
  for (const int node : {edges_[e.branch].a, edges_[e.branch].b}) {
    std::vector<int>& here = at_node_[node];
    here.erase(std::find(here.begin(), here.end(), e.branch));
  }
  at_node_[edges_[e.cut].a].push_back(e.cut);
  at_node_[edges_[e.cut].b].push_back(e.cut);
  set_cycle(e.branch, std::move(cycle));
}

}  // namespace solidyn::recursive
