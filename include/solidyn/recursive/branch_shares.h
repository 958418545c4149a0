#pragma once
#include <mpi.h>

#include <string>
#include <vector>

#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

/// Which links of a tree each rank sweeps over: branches belong to one rank each, and the trunk
/// that carries them to all. Branches are contiguous, as the forest numbers its bodies.
struct BranchShares {
  struct Branch {
    int begin, end;  ///< links; that of `begin` hangs on the trunk, or on nothing
    int rank;
  };
  std::vector<Branch> branches;  ///< in the order of links
  std::vector<int> trunk;        ///< links in order
  /// Of an evaluation of forward dynamics, microseconds by counts: of all links; of the trunk and
  /// the branches of the rank that has most.
  double whole = 0.0, longest = 0.0;
  /// Of `whole` and `longest` the outward sweep of motion, which forces want of all links.
  double motion = 0.0, longest_motion = 0.0;
};

/// What a sweep is to leave: all links on each rank, which is local, or of a shared tree the trunk
/// and branches of the rank.
enum class SweptLinks { all, of_rank };

/// Microseconds that the sweeps of forward dynamics take for a link, by measured constants.
double work_of_sweeps(const Tree& tree, const Link& link);

/// The largest branches are cut from their first link, which joins the trunk, for as long as that
/// makes the fullest rank faster. The same on all ranks: no clock is looked at.
/// Proved by BranchShares.*
BranchShares share_branches(const Tree& tree, int n_ranks);

/// While one exists, motions that are begun in relative coordinates may share the branches of their
/// trees between its ranks, which then step together.
class RanksForBranches {
 public:
  explicit RanksForBranches(MPI_Comm comm);
  RanksForBranches(const RanksForBranches&) = delete;
  RanksForBranches& operator=(const RanksForBranches&) = delete;
  ~RanksForBranches();
  /// Of the latest; MPI_COMM_SELF without any.
  static MPI_Comm now();

 private:
  MPI_Comm before_;
};

/// In words: "31 branches on 2 ranks, on the fullest 0.52 of the work".
std::string describe(const BranchShares& shares, int n_ranks);

}  // namespace solidyn::recursive
