#include "separator.h"

#include <algorithm>
#include <map>
#include <queue>

namespace solidyn::solvers {
namespace {

constexpr int kNone = -1;

// Edges between two owners, with the vertices of either numbered on their own.
struct BipartiteGraph {
  std::vector<int> left, right;              // vertices
  std::vector<std::vector<int>> neighbours;  // of each on the left
};

// The largest set of edges without a common vertex, by Hopcroft and Karp's method: shortest
// augmenting paths, as many at a time as have no vertex in common.
class Matching {
 public:
  explicit Matching(const BipartiteGraph& graph)
      : graph_(graph), of_left_(graph.left.size(), kNone), of_right_(graph.right.size(), kNone) {
    while (find_levels())
      for (std::size_t u = 0; u < of_left_.size(); ++u)
        if (of_left_[u] == kNone) augment(static_cast<int>(u));
  }

  // Koenig: of what alternating paths reach from the left's unmatched vertices, those on the right;
  // and those on the left that they do not reach. The last search of levels has followed them all.
  std::vector<int> cover() const {
    std::vector<int> found;
    std::vector<char> is_reached(graph_.right.size(), 0);
    for (std::size_t u = 0; u < of_left_.size(); ++u) {
      if (level_[u] == kNone) {
        found.push_back(graph_.left[u]);
        continue;
      }
      for (const int v : graph_.neighbours[u]) is_reached[v] = 1;
    }
    for (std::size_t v = 0; v < is_reached.size(); ++v)
      if (is_reached[v]) found.push_back(graph_.right[v]);
    return found;
  }

 private:
  // Of the left: how many of them a path from an unmatched one has passed.
  // @return whether a path ends at an unmatched vertex of the right
  bool find_levels() {
    level_.assign(of_left_.size(), kNone);
    next_.assign(of_left_.size(), 0);
    std::queue<int> waiting;
    for (std::size_t u = 0; u < of_left_.size(); ++u)
      if (of_left_[u] == kNone) {
        level_[u] = 0;
        waiting.push(static_cast<int>(u));
      }
    bool has_end = false;
    for (; !waiting.empty(); waiting.pop()) {
      const int u = waiting.front();
      for (const int v : graph_.neighbours[u]) {
        const int beyond = of_right_[v];
        if (beyond == kNone) has_end = true;
        if (beyond == kNone || level_[beyond] != kNone) continue;
        level_[beyond] = level_[u] + 1;
        waiting.push(beyond);
      }
    }
    return has_end;
  }

  // Along levels, from u; without recursion, since paths may be as long as the graph.
  bool augment(int u) {
    std::vector<int> path{u};
    while (!path.empty()) {
      const int at = path.back();
      if (next_[at] == graph_.neighbours[at].size()) {
        path.pop_back();
        if (!path.empty()) ++next_[path.back()];
        continue;
      }
      const int v = graph_.neighbours[at][next_[at]], beyond = of_right_[v];
      if (beyond == kNone) {
        match(path);
        return true;
      }
      if (level_[beyond] == level_[at] + 1)
        path.push_back(beyond);
      else
        ++next_[at];
    }
    return false;
  }

  void match(const std::vector<int>& path) {
    for (const int u : path) {
      const int v = graph_.neighbours[u][next_[u]];
      of_left_[u] = v;
      of_right_[v] = u;
      next_[u] = graph_.neighbours[u].size();  // no other path of these levels may pass
    }
  }

  const BipartiteGraph& graph_;
  std::vector<int> of_left_, of_right_, level_;
  std::vector<std::size_t> next_;  // neighbour to try
};

BipartiteGraph graph_between(const std::vector<CutEdge>& edges) {
  BipartiteGraph graph;
  for (const auto& [u, v] : edges) {
    graph.left.push_back(u);
    graph.right.push_back(v);
  }
  for (std::vector<int>* side : {&graph.left, &graph.right}) {
    std::sort(side->begin(), side->end());
    side->erase(std::unique(side->begin(), side->end()), side->end());
  }
  const auto place = [](const std::vector<int>& side, int vertex) {
    return static_cast<int>(std::lower_bound(side.begin(), side.end(), vertex) - side.begin());
  };
  graph.neighbours.resize(graph.left.size());
  for (const auto& [u, v] : edges)
    graph.neighbours[place(graph.left, u)].push_back(place(graph.right, v));
  return graph;
}

// Vertices all of whose neighbours are in the cover, one after the other.
void leave_out_needless(const std::vector<CutEdge>& cut, std::vector<char>& is_in) {
  std::map<int, std::vector<int>> neighbours;
  for (const auto& [u, v] : cut) {
    neighbours[u].push_back(v);
    neighbours[v].push_back(u);
  }
  for (const auto& [vertex, others] : neighbours)
    if (is_in[vertex])
      is_in[vertex] = !std::all_of(others.begin(), others.end(), [&](int v) { return is_in[v]; });
}

}  // namespace

std::vector<int> find_separator(const std::vector<CutEdge>& cut, const std::vector<int>& owner) {
  std::map<std::pair<int, int>, std::vector<CutEdge>> between;
  for (const auto& [u, v] : cut) {
    const bool is_ordered = owner[u] < owner[v];
    between[std::minmax(owner[u], owner[v])].emplace_back(is_ordered ? u : v, is_ordered ? v : u);
  }
  std::vector<char> is_in(owner.size(), 0);
  for (auto& [owners, edges] : between) {
    edges.erase(std::remove_if(edges.begin(), edges.end(),
                               [&](const CutEdge& e) { return is_in[e.first] || is_in[e.second]; }),
                edges.end());
    const BipartiteGraph graph = graph_between(edges);
    for (const int vertex : Matching(graph).cover()) is_in[vertex] = 1;
  }
  if (between.size() > 1) leave_out_needless(cut, is_in);
  std::vector<int> separator;
  for (std::size_t v = 0; v < is_in.size(); ++v)
    if (is_in[v]) separator.push_back(static_cast<int>(v));
  return separator;
}

}  // namespace solidyn::solvers
