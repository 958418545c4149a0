#include "solidyn/imported/matrices.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "solidyn/base/error.h"

namespace solidyn::imported {

Eigen::SparseMatrix<double> assemble(const Matrix& matrix) {
  if (!matrix.imaginary.empty())
    throw base::InputError(fmt::format("matrix {} is complex", matrix.name),
                           "write it out without structural damping");
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (matrix.n_rows > kMost || matrix.n_columns > kMost)
    throw base::InputError(
        fmt::format("matrix {} is {} x {}", matrix.name, matrix.n_rows, matrix.n_columns),
        "matrices of 2^31 rows or more are not supported");
  std::vector<Eigen::Triplet<double, std::int32_t>> terms;
  terms.reserve((matrix.terms == Matrix::Terms::all ? 1 : 2) * matrix.values.size());
  for (std::size_t e = 0; e < matrix.values.size(); ++e) {
    const auto row = static_cast<std::int32_t>(matrix.rows[e]);
    const auto column = static_cast<std::int32_t>(matrix.columns[e]);
    terms.emplace_back(row, column, matrix.values[e]);
    if (matrix.terms != Matrix::Terms::all && row != column)
      terms.emplace_back(column, row, matrix.values[e]);
  }
  Eigen::SparseMatrix<double> result(static_cast<Eigen::Index>(matrix.n_rows),
                                     static_cast<Eigen::Index>(matrix.n_columns));
  result.setFromTriplets(terms.begin(), terms.end());
  return result;
}

Matrix to_matrix(const Eigen::SparseMatrix<double>& A, std::string name) {
  Matrix matrix;
  matrix.name = std::move(name);
  matrix.n_rows = A.rows();
  matrix.n_columns = A.cols();
  for (Eigen::Index column = 0; column < A.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator term(A, column); term; ++term) {
      matrix.rows.push_back(term.row());
      matrix.columns.push_back(term.col());
      matrix.values.push_back(term.value());
    }
  return matrix;
}

double asymmetry_of(const Matrix& matrix) {
  if (matrix.terms != Matrix::Terms::all) return 0.0;
  struct Term {
    std::int64_t low, high;  // of row and column
    double upper, lower;
  };
  std::vector<Term> terms;
  terms.reserve(matrix.values.size());
  for (std::size_t e = 0; e < matrix.values.size(); ++e) {
    const auto [low, high] = std::minmax(matrix.rows[e], matrix.columns[e]);
    const bool is_upper = matrix.rows[e] <= matrix.columns[e];
    terms.push_back({low, high, is_upper ? matrix.values[e] : 0.0,
                     is_upper && low != high ? 0.0 : matrix.values[e]});
  }
  std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) {
    return std::tie(a.low, a.high) < std::tie(b.low, b.high);
  });
  double largest = 0.0, difference = 0.0;
  for (auto first = terms.begin(); first != terms.end();) {
    double upper = 0.0, lower = 0.0;  // terms that are given twice count as their sum
    const Term place = *first;
    for (; first != terms.end() && first->low == place.low && first->high == place.high; ++first) {
      upper += first->upper;
      lower += first->lower;
    }
    largest = std::max({largest, std::abs(upper), std::abs(lower)});
    difference = std::max(difference, std::abs(upper - lower));
  }
  return largest > 0.0 ? difference / largest : 0.0;
}

}  // namespace solidyn::imported
