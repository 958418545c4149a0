#include "solidyn/imported/matrices.h"

#include <fmt/format.h>

#include <limits>

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
        "2^31 rows and more are not supported");
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

}  // namespace solidyn::imported
