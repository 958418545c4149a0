#include "solidyn/imported/odd_terms.h"

#include <algorithm>
#include <cmath>

namespace solidyn::imported {
namespace {

using Terms = Eigen::SparseMatrix<double>;

template <class Work>
void for_each_term(const Terms& a, Work&& work) {
  for (Eigen::Index column = 0; column < a.outerSize(); ++column)
    for (Terms::InnerIterator term(a, column); term; ++term)
      work(OddTerm{term.row(), column, term.value(), 0.0});
}

}  // namespace

std::optional<OddTerm> find_impossible_term(const Terms& a, double precision) {
  if (a.rows() != a.cols() || a.nonZeros() == 0) return std::nullopt;
  const double margin = std::max(1e-8, 100.0 * precision);
  const double slack = margin * a.coeffs().abs().maxCoeff();
  const Eigen::VectorXd diagonal = a.diagonal();
  std::optional<OddTerm> worst;
  double excess = 0.0;
  for_each_term(a, [&](OddTerm term) {
    if (term.row == term.column) return;
    term.limit =
        std::sqrt(std::max(0.0, diagonal[term.row]) * std::max(0.0, diagonal[term.column]));
    const double above = std::abs(term.value) - (1.0 + margin) * term.limit - slack;
    if (!(above > excess)) return;
    excess = above;
    worst = term;
  });
  return worst;
}

std::optional<OddTerm> find_far_term(const Terms& a) {
  constexpr double kFar = 1e12;
  OddTerm largest;
  for_each_term(a, [&](const OddTerm& term) {
    if (std::abs(term.value) > std::abs(largest.value)) largest = term;
  });
  for_each_term(a, [&](const OddTerm& term) {
    const bool is_itself =
        std::minmax(term.row, term.column) == std::minmax(largest.row, largest.column);
    if (!is_itself) largest.limit = std::max(largest.limit, std::abs(term.value));
  });
  const bool is_far = largest.limit > 0.0 && std::abs(largest.value) > kFar * largest.limit;
  return is_far ? std::optional(largest) : std::nullopt;
}

}  // namespace solidyn::imported
