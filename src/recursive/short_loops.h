#pragma once
#include <vector>

namespace solidyn::recursive {

/// A spanning forest that grows, and the loops that the edges outside of it, the cut ones, close.
/// Where cutting another edge of the same kind makes the loops shorter in sum, that one is cut:
/// sweeps carry the rows of a loop through all its hinges, and loops of a ladder that begin at its
/// foot would have all of them. What is exchanged depends on the order of edges alone. Local.
/// Proved by ShortLoops.*
class ShortLoops {
 public:
  ShortLoops(int n_nodes, int n_edges)
      : edges_(n_edges), at_node_(n_nodes), cycles_(n_edges), through_(n_edges) {}

  /// An edge that connects a node with what has been reached. Edges of another `kind` are not
  /// exchanged for it.
  void add_branch(int edge, int a, int b, int kind);
  /// An edge between two nodes that are connected.
  void add_cut(int edge, int a, int b, int kind);

  bool is_branch(int edge) const { return edges_[edge].is_branch; }
  bool is_cut(int edge) const { return edges_[edge].is_known && !edges_[edge].is_branch; }
  /// The branches of the loop that a cut edge closes.
  const std::vector<int>& loop(int cut) const { return cycles_[cut]; }

 private:
  struct Edge {
    int a = -1, b = -1, kind = 0;
    bool is_branch = false, is_known = false;
  };
  struct Exchange {
    int branch = -1, cut = -1, gain = 0;
  };
  std::vector<int> find_path(int a, int b) const;
  Exchange find_exchange(int cut) const;
  void exchange(const Exchange& e);
  void set_cycle(int cut, std::vector<int> cycle);

  std::vector<Edge> edges_;
  std::vector<std::vector<int>> at_node_;  // branches
  std::vector<std::vector<int>> cycles_;   // of cut edges: the branches of their loops, sorted
  std::vector<std::vector<int>> through_;  // of branches: the cut edges whose loops have them
};

}  // namespace solidyn::recursive
