#pragma once
#include <mpi.h>

#include "solidyn/recursive/branch_shares.h"

namespace solidyn::recursive {

/// What ranks that share the branches of a tree tell each other in a sweep. Every rank gets the
/// same numbers, in the order in which one rank alone would have them. Collective but for what is
/// asked.
class BranchExchange {
 public:
  BranchExchange(Tree& tree, BranchShares shares, MPI_Comm comm);

  const BranchShares& shares() const { return shares_; }
  /// Links of the trunk and of branches of this rank, and the first ones of other branches that
  /// hang on the trunk, in order.
  struct Reached {
    int link;
    bool is_own;
  };
  const std::vector<Reached>& reached() const { return reached_; }
  /// Links of the trunk, and the first ones of branches that hang on it, in order.
  struct Knot {
    int link;
    int branch;  ///< of BranchShares::branches; -1: it is of the trunk
    bool is_of_trunk() const { return branch < 0; }
  };
  const std::vector<Knot>& knots() const { return knots_; }
  /// Branches of this rank, in order.
  const std::vector<BranchShares::Branch>& own_branches() const { return of_ranks_[rank_]; }
  /// Own branches, the last one first: visit(place among all, branch).
  template <class Visit>
  void visit_own_backwards(Visit&& visit) const {
    for (std::size_t j = own_indices_.size(); j-- > 0;)
      visit(own_indices_[j], shares_.branches[own_indices_[j]]);
  }
  /// knots(), the last one first: visit(link, branch).
  template <class Visit>
  void visit_knots_backwards(Visit&& visit) const {
    for (std::size_t j = knots_.size(); j-- > 0;) visit(knots_[j].link, knots_[j].branch);
  }
  bool is_own(const BranchShares::Branch& branch) const { return branch.rank == rank_; }
  /// Speeds of a branch, hinges and modes, which are one after the other.
  struct Speeds {
    int begin, n;
  };
  Speeds speeds_of(const BranchShares::Branch& branch) const;
  MPI_Comm comm() const { return comm_; }

  /// Of each branch that hangs on the trunk what it passes on: Link::P of its first link, and the
  /// force there, Link::f. @param failed  link whose hinge nothing has inertia about; -1: none
  /// @return that of any rank, the last of them; -1: none
  int exchange_inwards(int failed);
  /// Of branches du, and Link::f where a coordinate follows a law.
  void exchange_accelerations(Eigen::VectorXd& du);
  /// Of all links Link::a and Link::f.
  void exchange_links();

 private:
  /// Numbers of each rank, one after the other.
  struct Message {
    std::vector<int> counts, starts;
    std::vector<double> all;
    void set(const std::vector<int>& of_ranks);
  };
  void gather(Message& message);

  Tree& tree_;
  BranchShares shares_;
  MPI_Comm comm_;
  int rank_, n_ranks_;
  std::vector<Reached> reached_;
  std::vector<Knot> knots_;
  // Of each rank its branches, and links in them with coordinates that follow laws.
  std::vector<std::vector<BranchShares::Branch>> of_ranks_;
  std::vector<std::vector<int>> driven_;
  std::vector<int> own_indices_;
  Message inwards_, accelerations_, links_;
};

}  // namespace solidyn::recursive
