// Of TangentSweep, branches that ranks take from each other. What these pass on joins the trunk in
// the order of one rank, so that numbers are the same.
#include "recursive/tangent_branches.h"

#include <algorithm>

#include "recursive/link_sweeps.h"
#include "recursive/tangent_sweep.h"
#include "solidyn/base/error.h"

namespace solidyn::recursive {

using Eigen::VectorXd;

void TangentSweep::begin_sharing(BranchExchange& exchange) {
  on_ranks_ = std::make_unique<TangentBranches>(exchange);
  is_here_.assign(tree_.links().size(), 0);
  for (const auto& [link, is_own] : exchange.reached()) is_here_[link] = is_own ? 1 : 0;
  std::vector<int> of_elimination, of_forces;
  of_elimination.reserve(on_ranks_->branches.size());
  of_forces.reserve(on_ranks_->branches.size());
  for (const BranchShares::Branch& b : on_ranks_->branches) {
    const int n = modes_of_parent(b.begin);
    of_elimination.push_back(1 + (6 + n) * (18 + n));
    of_forces.push_back(6 + n);
  }
  on_ranks_->elimination = BranchNumbers(exchange, of_elimination);
  on_ranks_->forces = BranchNumbers(exchange, of_forces);
  tell({});
}

void TangentSweep::tell(const std::vector<int>& links) {
  if (!on_ranks_) return;
  TangentBranches& r = *on_ranks_;
  r.told.assign(r.branches.size(), {});
  std::vector<int> counts;
  counts.reserve(r.branches.size());
  for (const BranchShares::Branch& b : r.branches) counts.push_back(r.exchange.speeds_of(b).n);
  std::vector<int> unique = links;
  std::sort(unique.begin(), unique.end());
  unique.erase(std::unique(unique.begin(), unique.end()), unique.end());
  for (const int link : unique)
    for (std::size_t j = 0; j < r.branches.size(); ++j) {
      if (link < r.branches[j].begin || link >= r.branches[j].end) continue;
      r.told[j].push_back(link);
      counts[j] += 12 + tree_.n_velocities(tree_.links()[link]);
    }
  r.solution = BranchNumbers(r.exchange, counts);
}

void TangentSweep::eliminate_shared(const StepCoefficients& c, const VectorXd& q, const VectorXd& u,
                                    const VectorXd& du, const VectorXd& n) {
  TangentBranches& ranks = *on_ranks_;
  int at = -1, failed = -1;
  ranks.exchange.visit_own_backwards([&](int index, const BranchShares::Branch& b) {
    double* to = ranks.elimination.of(index);
    *to++ = failed;
    if (failed >= 0) return;
    try {
      for (at = b.end; at-- > b.begin;) {
        eliminate_link(at, c, q, u, du, n);
        if (at > b.begin) pass_inwards(at);
      }
    } catch (const base::ComputationError&) {
      to[-1] = failed = at;
      return;
    }
    if (places_[b.begin].parent < 0) return;
    put_matrix(M_[b.begin], to);
    const int n_p = modes_of_parent(b.begin);
    if (n_p == 0) return;
    put_matrix(Matrix6X(work_.F_y.leftCols(n_p)), to);
    put_matrix(Eigen::MatrixXd(work_.rows_X.topRows(n_p)), to);
    put_matrix(Eigen::MatrixXd(work_.rows_y.topLeftCorner(n_p, n_p)), to);
  });
  ranks.elimination.gather();
  for (std::size_t j = 0; j < ranks.branches.size(); ++j)
    failed = std::max(failed, static_cast<int>(*ranks.elimination.of(static_cast<int>(j))));
  if (failed >= 0) fail(tree_.links()[failed]);
  ranks.exchange.visit_knots_backwards([&](int link, int branch) {
    const int parent = places_[link].parent;
    if (branch < 0) {
      eliminate_link(link, c, q, u, du, n);
      if (parent >= 0) pass_inwards(link);
      return;
    }
    const double* from = ranks.elimination.of(branch) + 1;
    M_[parent] += take_matrix(from, 6, 18);
    const int n_p = modes_of_parent(link);
    if (n_p == 0) return;
    Modal& m = modal_[tree_.links()[parent].modes];
    m.M += take_matrix(from, 6, n_p);
    m.N += take_matrix(from, n_p, 18);
    m.N_own += take_matrix(from, n_p, n_p);
  });
}

template <Depends depends>
void TangentSweep::solve_shared(const VectorXd& r, VectorXd& y) {
  TangentBranches& ranks = *on_ranks_;
  ranks.exchange.visit_own_backwards([&](int index, const BranchShares::Branch& b) {
    for (int i = b.end; i-- > b.begin;) {
      const Vector6d z = solve_inwards<depends>(i, r, y);
      if (i > b.begin) {
        pass_force(i, z);
        continue;
      }
      double* to = ranks.forces.of(index);
      put_matrix(z, to);
      const int n_p = modes_of_parent(i);
      if (n_p > 0) put_matrix(VectorXd(work_.along.head(n_p)), to);
    }
  });
  ranks.forces.gather();
  ranks.exchange.visit_knots_backwards([&](int link, int branch) {
    if (branch < 0) return pass_force(link, solve_inwards<depends>(link, r, y));
    const double* from = ranks.forces.of(branch);
    const int parent = places_[link].parent, n_p = modes_of_parent(link);
    z_[parent] += take_matrix(from, 6, 1);
    if (n_p > 0) modal_[tree_.links()[parent].modes].z += take_matrix(from, n_p, 1);
  });
  for (const int i : ranks.exchange.shares().trunk) solve_outwards<depends>(i, y);
  for (const BranchShares::Branch& b : ranks.exchange.own_branches())
    for (int i = b.begin; i < b.end; ++i) solve_outwards<depends>(i, y);
  share_solution(y);
}

template void TangentSweep::solve_shared<Depends::on_all>(const VectorXd&, VectorXd&);
template void TangentSweep::solve_shared<Depends::on_turning>(const VectorXd&, VectorXd&);

// Of refine(): what hinges of branches do to the trunk is told.
void TangentSweep::hold_shared() {
  TangentBranches& ranks = *on_ranks_;
  const auto is_watched = [&](int link) { return place_of_watched_[link] >= 0; };
  ranks.exchange.visit_own_backwards([&](int index, const BranchShares::Branch& b) {
    for (int i = b.end; i-- > b.begin;) {
      if (!is_watched(i)) continue;
      if (i > b.begin) {
        hold(i);
        continue;
      }
      const HingeForce f = hold_by_hinge(i);
      if (!is_carried_by_watched(i)) continue;
      double* to = ranks.forces.of(index);
      put_matrix(missed_by_parent(i, f), to);
      if (tree_.links()[i].carried >= 0) put_matrix(missed_along_modes(i, f), to);
    }
  });
  ranks.forces.gather();
  ranks.exchange.visit_knots_backwards([&](int link, int branch) {
    if (!is_watched(link)) return;
    if (branch < 0) return hold(link);
    if (!is_carried_by_watched(link)) return;
    const double* from = ranks.forces.of(branch);
    const int parent = places_[link].parent, n = modes_of_parent(link);
    z_[parent] += take_matrix(from, 6, 1);
    if (n > 0) modes_of_now(parent) += take_matrix(from, n, 1);
  });
}

void TangentSweep::share_solution(VectorXd& y) {
  TangentBranches& ranks = *on_ranks_;
  ranks.exchange.visit_own_backwards([&](int index, const BranchShares::Branch& b) {
    const BranchExchange::Speeds speeds = ranks.exchange.speeds_of(b);
    double* to = ranks.solution.of(index);
    put_matrix(VectorXd(y.segment(speeds.begin, speeds.n)), to);
    for (const int link : ranks.told[index]) put_matrix(variations(tree_.links()[link]), to);
  });
  ranks.solution.gather();
  for (std::size_t j = 0; j < ranks.branches.size(); ++j) {
    const BranchShares::Branch& b = ranks.branches[j];
    if (ranks.exchange.is_own(b)) continue;
    const BranchExchange::Speeds speeds = ranks.exchange.speeds_of(b);
    const double* from = ranks.solution.of(static_cast<int>(j));
    y.segment(speeds.begin, speeds.n) = take_matrix(from, speeds.n, 1);
    for (const int link : ranks.told[j]) {
      x_[link] = take_matrix(from, 18, 1);
      const Link& k = tree_.links()[link];
      if (k.modes >= 0) modal_[k.modes].q = take_matrix(from, tree_.modes()[k.modes].n, 1);
    }
  }
}

}  // namespace solidyn::recursive
