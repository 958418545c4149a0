// Multipliers of dependent closures that move nothing, loop by loop.
#include "recursive/closure_sweep.h"

namespace solidyn::recursive {

using Eigen::VectorXd;

std::vector<IdleMultipliers> ClosureSweep::find_idle() {
  const int n = static_cast<int>(at_.size());
  std::vector<std::vector<int>> carried(n + 1);  // links with rows, by parent + 1
  for (int i = 0; i < n; ++i)
    if (!rows_.links[i].rows.empty()) carried[tree_.links()[i].parent + 1].push_back(i);
  std::vector<IdleMultipliers> all;
  lambda_.setZero();
  for (int link = -1; link < n; ++link)
    for (int g = order_.first_group(link); g < order_.last_group(link); ++g)
      for (Eigen::Index column = 0; column < solutions_[g].idle.cols(); ++column)
        all.push_back(spread_idle(link, g, column, carried));
  return all;
}

// Multipliers of one group ask for some of those that end before it. Nothing accelerates, so that
// what the hinges exert is K^T lambda of the rows that go through.
IdleMultipliers ClosureSweep::spread_idle(int link, int group, Eigen::Index column,
                                          const std::vector<std::vector<int>>& carried) {
  IdleMultipliers idle;
  const auto set = [&](int g, const VectorXd& lambda) {
    const std::vector<int>& rows = rows_.groups[g].rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (lambda[i] == 0.0) continue;
      lambda_[rows[i]] = lambda[i];
      idle.multipliers.emplace_back(rows[i], lambda[i]);
    }
  };
  set(group, solutions_[group].idle.col(column));
  for (int g = group; g-- > order_.first_group(link);) set(g, of_coupled(g));
  std::vector<int> left = link < 0 ? carried[0] : std::vector<int>{link};
  while (!left.empty()) {
    const int i = left.back();
    left.pop_back();
    if (i != link)
      for (int g = order_.last_group(i); g-- > order_.first_group(i);) set(g, of_coupled(g));
    const ClosureRows::AtLink& numbers = rows_.links[i];
    bool is_loaded = false;
    Vector6d f = Vector6d::Zero();
    for (std::size_t j = 0; j < numbers.rows.size(); ++j) {
      const double lambda = lambda_[numbers.rows[j]];
      is_loaded |= lambda != 0.0;
      if (numbers.goes_on[j]) f += lambda * at_[i].K.col(j);
    }
    if (!is_loaded) continue;
    if (i != link) idle.forces.emplace_back(i, f);
    left.insert(left.end(), carried[i + 1].begin(), carried[i + 1].end());
  }
  for (const auto& [row, value] : idle.multipliers) lambda_[row] = 0.0;
  return idle;
}

}  // namespace solidyn::recursive
