#include "recursive/least_norm.h"

#include "solidyn/base/error.h"

namespace solidyn::recursive {

using Eigen::VectorXd;

LeastNorm::LeastNorm(Tree& tree, Closures& closures, HingeMultipliers& hinges,
                     Eigen::Index n_multipliers) {
  const std::vector<IdleMultipliers> idle = closures.find_idle();
  const int n = static_cast<int>(idle.size());
  idle_.resize(n_multipliers, n);
  if (n == 0) return;
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<std::vector<std::pair<int, Vector6d>>> on_links(tree.links().size());
  for (int i = 0; i < n; ++i) {
    for (const auto& [row, value] : idle[i].multipliers)
      entries.emplace_back(closures.row_of_system(row), i, value);
    for (const auto& [link, f] : idle[i].forces) on_links[link].emplace_back(i, f);
  }
  for (std::size_t link = 0; link < on_links.size(); ++link) {
    const auto& loads = on_links[link];
    if (loads.empty() || tree.forest().branches[link].constraint() == bodies::kNoConstraint)
      continue;
    Matrix6X f(6, loads.size());
    for (std::size_t i = 0; i < loads.size(); ++i) f.col(i) = loads[i].second;
    const HingeMultipliers::OfLink found = hinges.find(static_cast<int>(link), f);
    for (std::size_t i = 0; i < loads.size(); ++i)
      for (std::size_t row = 0; row < found.rows.size(); ++row)
        entries.emplace_back(found.rows[row], loads[i].first, found.values(row, i));
  }
  idle_.setFromTriplets(entries.begin(), entries.end());
  squares_.compute(Eigen::SparseMatrix<double>(idle_.transpose() * idle_));
  if (squares_.has_failed())
    throw base::ComputationError(
        "recursive: the multipliers of dependent closures cannot be shared between them");
}

void LeastNorm::shorten(VectorXd& lambda) const {
  if (idle_.cols() == 0) return;
  // Twice: the squares lose digits.
  for (int i = 0; i < 2; ++i) lambda -= idle_ * squares_.solve(idle_.transpose() * lambda);
}

}  // namespace solidyn::recursive
