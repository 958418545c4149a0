#include "solidyn/recursive/branch_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <utility>

namespace solidyn::recursive {
namespace {

// Microseconds, as benchmarks/RESULTS.md has them; of n modes those of 1, n, n^2 and n^3.
constexpr double kRigidLink = 0.25, kSpeed = 0.1;
constexpr double kModes[] = {1.5, 0.5, 0.03, 1e-3};
// Of a link's work what its motion takes.
constexpr double kMotion = 0.3;

// A link in the trunk is work for all ranks.
constexpr double kClearlyLess = 0.999;

// The sum of all links from the first on, and where the branch of each link ends.
struct Sizes {
  std::vector<double> before;
  std::vector<int> end;
  double work(int begin) const { return before[end[begin]] - before[begin]; }
};

Sizes find_sizes(const Tree& tree) {
  const std::vector<Link>& links = tree.links();
  const int n = static_cast<int>(links.size());
  Sizes sizes{std::vector<double>(n + 1, 0.0), std::vector<int>(n)};
  for (int i = 0; i < n; ++i)
    sizes.before[i + 1] = sizes.before[i] + work_of_sweeps(tree, links[i]);
  for (int i = n; i-- > 0;) {
    sizes.end[i] = std::max(sizes.end[i], i + 1);
    if (links[i].parent < 0) continue;
    int& end = sizes.end[links[i].parent];
    end = std::max(end, sizes.end[i]);
  }
  return sizes;
}

// The largest first, each to the rank that has least.
double distribute(const Sizes& sizes, int n_ranks, std::vector<BranchShares::Branch>& branches) {
  std::vector<BranchShares::Branch*> by_size;
  for (BranchShares::Branch& branch : branches) by_size.push_back(&branch);
  std::stable_sort(by_size.begin(), by_size.end(), [&](const auto* a, const auto* b) {
    return sizes.work(a->begin) > sizes.work(b->begin);
  });
  std::vector<double> of_rank(n_ranks, 0.0);
  for (BranchShares::Branch* branch : by_size) {
    const auto least = std::min_element(of_rank.begin(), of_rank.end());
    branch->rank = static_cast<int>(least - of_rank.begin());
    *least += sizes.work(branch->begin);
  }
  return *std::max_element(of_rank.begin(), of_rank.end());
}

// How many links have to join the trunk, the first one of the largest branch each time: as many as
// leave the fullest rank least to do.
struct Cutting {
  using Largest = std::priority_queue<std::pair<double, int>>;
  Cutting(const Tree& tree, const Sizes& sizes) : tree(tree), sizes(sizes) {
    const int n = static_cast<int>(tree.links().size());
    children.resize(n);
    for (int i = n; i-- > 0;) {
      const int parent = tree.links()[i].parent;
      if (parent >= 0)
        children[parent].push_back(i);
      else
        branches.emplace(sizes.work(i), -i);
    }
  }
  // Of the fullest rank, were branches to share evenly; more links in the trunk never lower it.
  double even_share(int n_ranks) const {
    return trunk_work + (sizes.before.back() - trunk_work) / n_ranks;
  }
  double largest_branch() const {
    return trunk_work + (branches.empty() ? 0.0 : branches.top().first);
  }
  // As distribute() finds it.
  double fullest(int n_ranks) const {
    std::vector<double> of_rank(n_ranks, 0.0);
    for (Largest rest = branches; !rest.empty(); rest.pop())
      *std::min_element(of_rank.begin(), of_rank.end()) += rest.top().first;
    return trunk_work + *std::max_element(of_rank.begin(), of_rank.end());
  }
  void cut() {
    const int link = -branches.top().second;
    branches.pop();
    trunk.push_back(link);
    trunk_work += sizes.before[link + 1] - sizes.before[link];
    for (const int child : children[link]) branches.emplace(sizes.work(child), -child);
  }

  const Tree& tree;
  const Sizes& sizes;
  std::vector<std::vector<int>> children;
  Largest branches;  // of equal ones the first
  std::vector<int> trunk;
  double trunk_work = 0.0;
};

MPI_Comm& ranks_for_branches() {
  static MPI_Comm comm = MPI_COMM_SELF;
  return comm;
}

}  // namespace

RanksForBranches::RanksForBranches(MPI_Comm comm)
    : before_(std::exchange(ranks_for_branches(), comm)) {}
RanksForBranches::~RanksForBranches() { ranks_for_branches() = before_; }
MPI_Comm RanksForBranches::now() { return ranks_for_branches(); }

double work_of_sweeps(const Tree& tree, const Link& k) {
  double work = kRigidLink + kSpeed * k.n_free;
  if (k.modes < 0) return work;
  const double n = tree.modes()[k.modes].n;
  return work + kModes[0] + n * (kModes[1] + n * (kModes[2] + n * kModes[3]));
}

BranchShares share_branches(const Tree& tree, int n_ranks) {
  const Sizes sizes = find_sizes(tree);
  std::size_t best = 0;
  {
    Cutting trial(tree, sizes);
    double least = trial.fullest(n_ranks);
    while (!trial.branches.empty() && trial.even_share(n_ranks) < kClearlyLess * least) {
      trial.cut();
      if (trial.largest_branch() >= kClearlyLess * least) continue;
      const double fullest = trial.fullest(n_ranks);
      if (fullest >= kClearlyLess * least) continue;
      least = fullest;
      best = trial.trunk.size();
    }
  }
  Cutting chosen(tree, sizes);
  while (chosen.trunk.size() < best) chosen.cut();
  BranchShares shares;
  shares.trunk = chosen.trunk;
  std::sort(shares.trunk.begin(), shares.trunk.end());
  for (; !chosen.branches.empty(); chosen.branches.pop()) {
    const int begin = -chosen.branches.top().second;
    shares.branches.push_back({begin, sizes.end[begin], 0});
  }
  std::sort(shares.branches.begin(), shares.branches.end(),
            [](const auto& a, const auto& b) { return a.begin < b.begin; });
  shares.whole = sizes.before.back();
  shares.longest = chosen.trunk_work + distribute(sizes, n_ranks, shares.branches);
  shares.motion = kMotion * shares.whole;
  shares.longest_motion = kMotion * shares.longest;
  return shares;
}

std::string describe(const BranchShares& shares, int n_ranks) {
  return fmt::format("{} branch{} on {} ranks, on the fullest {:.2f} of the work of the sweeps",
                     shares.branches.size(), shares.branches.size() == 1 ? "" : "es", n_ranks,
                     shares.whole > 0.0 ? shares.longest / shares.whole : 1.0);
}

}  // namespace solidyn::recursive
