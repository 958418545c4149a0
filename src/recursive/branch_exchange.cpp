#include "recursive/branch_exchange.h"

#include <algorithm>
#include <numeric>

#include "solidyn/base/mpi.h"

namespace solidyn::recursive {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::VectorXd;

namespace {

constexpr int kInwards = 33;  // P, three matrices, and a force
constexpr int kLink = 12;     // an acceleration and a force

template <class Numbers>
void put(const Numbers& numbers, double*& to) {
  to = std::copy(numbers.data(), numbers.data() + numbers.size(), to);
}

template <class Numbers>
void take(const double*& from, Numbers& numbers) {
  std::copy(from, from + numbers.size(), numbers.data());
  from += numbers.size();
}

}  // namespace

void BranchExchange::Message::set(const std::vector<int>& of_ranks) {
  counts = of_ranks;
  starts.assign(counts.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, starts.begin() + 1);
  all.resize(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
}

BranchExchange::BranchExchange(Tree& tree, BranchShares shares, MPI_Comm comm)
    : tree_(tree),
      shares_(std::move(shares)),
      comm_(comm),
      rank_(base::rank(comm)),
      n_ranks_(base::size(comm)),
      of_ranks_(n_ranks_),
      driven_(n_ranks_) {
  const std::vector<Link>& links = tree.links();
  std::vector<int> inwards(n_ranks_, 1), accelerations(n_ranks_, 0), of_links(n_ranks_, 0);
  for (const int i : shares_.trunk) {
    knots_.push_back({i, -1});
    reached_.push_back({i, true});
  }
  for (std::size_t index = 0; index < shares_.branches.size(); ++index) {
    const BranchShares::Branch& b = shares_.branches[index];
    if (b.rank == rank_) own_indices_.push_back(static_cast<int>(index));
    of_ranks_[b.rank].push_back(b);
    const bool hangs_on_trunk = links[b.begin].parent >= 0;
    if (hangs_on_trunk) {
      knots_.push_back({b.begin, static_cast<int>(index)});
      inwards[b.rank] += kInwards;
    }
    for (int i = b.begin; i < b.end; ++i) {
      if (links[i].n_free < links[i].n_speeds) driven_[b.rank].push_back(i);
      if (b.rank == rank_) reached_.push_back({i, true});
    }
    if (b.rank != rank_ && hangs_on_trunk) reached_.push_back({b.begin, false});
    accelerations[b.rank] += speeds_of(b).n;
    of_links[b.rank] += kLink * (b.end - b.begin);
  }
  for (int r = 0; r < n_ranks_; ++r) accelerations[r] += 6 * static_cast<int>(driven_[r].size());
  const auto in_order = [](const auto& a, const auto& b) { return a.link < b.link; };
  std::sort(reached_.begin(), reached_.end(), in_order);
  std::sort(knots_.begin(), knots_.end(), in_order);
  inwards_.set(inwards);
  accelerations_.set(accelerations);
  links_.set(of_links);
}

BranchExchange::Speeds BranchExchange::speeds_of(const BranchShares::Branch& branch) const {
  const std::vector<Link>& links = tree_.links();
  const bool is_last = branch.end == static_cast<int>(links.size());
  const int begin = links[branch.begin].u;
  return {begin, (is_last ? tree_.n_speeds() : links[branch.end].u) - begin};
}

void BranchExchange::gather(Message& m) {
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, m.all.data(), m.counts.data(), m.starts.data(),
                 MPI_DOUBLE, comm_);
}

int BranchExchange::exchange_inwards(int failed) {
  std::vector<Link>& links = tree_.links();
  double* to = &inwards_.all[inwards_.starts[rank_]];
  *to++ = failed;
  for (const BranchShares::Branch& branch : own_branches()) {
    const Link& k = links[branch.begin];
    if (k.parent < 0) continue;
    for (const Matrix3d* part : {&k.P.A, &k.P.B, &k.P.C}) put(*part, to);
    put(k.f, to);
  }
  gather(inwards_);
  for (int r = 0; r < n_ranks_; ++r) {
    const double* from = &inwards_.all[inwards_.starts[r]];
    failed = std::max(failed, static_cast<int>(*from++));
    if (r == rank_) continue;
    for (const BranchShares::Branch& branch : of_ranks_[r]) {
      Link& k = links[branch.begin];
      if (k.parent < 0) continue;
      for (Matrix3d* part : {&k.P.A, &k.P.B, &k.P.C}) take(from, *part);
      take(from, k.f);
    }
  }
  return failed;
}

void BranchExchange::exchange_accelerations(VectorXd& du) {
  std::vector<Link>& links = tree_.links();
  const auto speeds = [&](const BranchShares::Branch& branch) {
    const Speeds s = speeds_of(branch);
    return Map<VectorXd>(du.data() + s.begin, s.n);
  };
  double* to = accelerations_.all.data() + accelerations_.starts[rank_];
  for (const BranchShares::Branch& branch : own_branches()) put(speeds(branch), to);
  for (const int i : driven_[rank_]) put(links[i].f, to);
  gather(accelerations_);
  for (int r = 0; r < n_ranks_; ++r) {
    if (r == rank_) continue;
    const double* from = accelerations_.all.data() + accelerations_.starts[r];
    for (const BranchShares::Branch& branch : of_ranks_[r]) {
      auto of_branch = speeds(branch);
      take(from, of_branch);
    }
    for (const int i : driven_[r]) take(from, links[i].f);
  }
}

void BranchExchange::exchange_links() {
  std::vector<Link>& links = tree_.links();
  double* to = links_.all.data() + links_.starts[rank_];
  for (const BranchShares::Branch& branch : own_branches())
    for (int i = branch.begin; i < branch.end; ++i) {
      put(links[i].a, to);
      put(links[i].f, to);
    }
  gather(links_);
  for (int r = 0; r < n_ranks_; ++r) {
    if (r == rank_) continue;
    const double* from = links_.all.data() + links_.starts[r];
    for (const BranchShares::Branch& branch : of_ranks_[r]) {
      for (int i = branch.begin; i < branch.end; ++i) {
        take(from, links[i].a);
        take(from, links[i].f);
      }
    }
  }
}

}  // namespace solidyn::recursive
