#include "violation.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace solidyn::system {
namespace {

constexpr std::size_t kNamedViolations = 6;
// Rows violated by less than this much of the worst are not worth a word.
constexpr double kNegligible = 1e-3;
// Constraints with less of the largest part, squared, are not named.
constexpr double kUnnamed = 0.01;
// A joint's gap is a difference of two sums of a few coordinates.
constexpr double kRoundOff = 8.0 * 2.22e-16;

}  // namespace

std::string worst_rows(const System& system, const Eigen::VectorXd& residual) {
  std::vector<int> order(residual.size());
  std::iota(order.begin(), order.end(), 0);
  const std::size_t n = std::min(kNamedViolations, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n), order.end(),
                    [&](int a, int b) { return std::abs(residual[a]) > std::abs(residual[b]); });
  std::string text;
  for (std::size_t i = 0; i < n; ++i) {
    const double size = std::abs(residual[order[i]]);
    if (i > 0 && size < kNegligible * std::abs(residual[order[0]])) break;
    text += fmt::format("{}{} by {:.3g}", i ? ", " : "", system.layout().multiplier_name(order[i]),
                        size);
  }
  return text;
}

std::string worst_constraints(const System& system, const Eigen::VectorXd& residual) {
  std::vector<std::pair<double, ConstraintIndex>> parts;
  for (const ConstraintIndex c : system.constraints())
    parts.emplace_back(
        residual.segment(system.layout().constraint_offset(c), system.constraint(c).n_rows())
            .squaredNorm(),
        c);
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string names;
  for (std::size_t i = 0; i < std::min(kNamedViolations, parts.size()); ++i) {
    if (parts[i].first < kUnnamed * parts[0].first) break;
    const joints::Constraint& constraint = system.constraint(parts[i].second);
    names += fmt::format("{}{}{}", i ? ", " : "", constraint.name(),
                         constraint.is_rheonomic() ? " (driven)" : "");
  }
  return names;
}

std::string driven_by(const System& system) {
  std::string names;
  for (const ConstraintIndex i : system.driven_constraints())
    names += (names.empty() ? "; driven by: " : ", ") + system.constraint(i).name();
  return names;
}

void let_drives_go(const System& system, Eigen::VectorXd& rows) {
  for (const ConstraintIndex c : system.driven_constraints())
    rows.segment(system.layout().constraint_offset(c), system.constraint(c).n_rows()).setZero();
}

double position_roundoff(const State& state) {
  return state.q.size() ? kRoundOff * state.q.lpNorm<Eigen::Infinity>() : 0.0;
}

Eigen::VectorXd row_scales(const System& system, const Eigen::VectorXd& weights) {
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(system.layout().n_constraints());
  const Eigen::SparseMatrix<double> G = system.sparse_G();
  for (Eigen::Index j = 0; j < G.cols(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(G, j); entry; ++entry)
      squares[entry.row()] += entry.value() * entry.value() / (weights[j] * weights[j]);
  return squares.unaryExpr([](double s) { return s > 0.0 ? 1.0 / std::sqrt(s) : 1.0; });
}

}  // namespace solidyn::system
