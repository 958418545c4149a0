#include "matrix_entries.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

namespace solidyn::solvers {
namespace {

bool is_upper_triangle(::Mat A) {
  PetscBool yes = PETSC_FALSE;
  SOLIDYN_PETSC(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(A), &yes, MATSEQSBAIJ,
                                          MATMPISBAIJ, ""));
  return yes == PETSC_TRUE;
}

}  // namespace

double largest_pivot(::Mat A) {
  double largest = 0.0;
  base::Vec diagonal;
  SOLIDYN_PETSC(MatCreateVecs(A, diagonal.out(), nullptr));
  SOLIDYN_PETSC(MatGetDiagonal(A, diagonal));
  SOLIDYN_PETSC(VecNorm(diagonal, NORM_INFINITY, &largest));
  return largest > 0.0 ? largest : 1.0;
}

template <class Real>
Entries<Real> upper_triangle(::Mat A, double scale) {
  Entries<Real> found;
  const bool is_upper = is_upper_triangle(A);
  PetscInt first = 0, last = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(A, &first, &last));
  if (is_upper) SOLIDYN_PETSC(MatGetRowUpperTriangular(A));
  for (PetscInt i = first; i < last; ++i) {
    PetscInt n = 0;
    const PetscInt* columns = nullptr;
    const PetscScalar* values = nullptr;
    SOLIDYN_PETSC(MatGetRow(A, i, &n, &columns, &values));
    for (PetscInt k = 0; k < n; ++k) {
      if (columns[k] < i) continue;
      found.row.push_back(i + 1);
      found.column.push_back(columns[k] + 1);
      found.value.push_back(static_cast<Real>(scale * values[k]));
    }
    SOLIDYN_PETSC(MatRestoreRow(A, i, &n, &columns, &values));
  }
  if (is_upper) SOLIDYN_PETSC(MatRestoreRowUpperTriangular(A));
  return found;
}

template <class Real>
std::size_t hash_of_pattern(::Mat A, const Entries<Real>& entries) {
  const auto of = [](const std::vector<int>& numbers) {
    return std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(int)});
  };
  PetscInt n = 0, first = 0, last = 0, block = 1;
  SOLIDYN_PETSC(MatGetSize(A, &n, nullptr));
  SOLIDYN_PETSC(MatGetBlockSize(A, &block));
  SOLIDYN_PETSC(MatGetOwnershipRange(A, &first, &last));
  return of({n, first, last, block}) * 961 + of(entries.row) * 31 + of(entries.column);
}

template <class Real>
std::vector<int> pairs_of_blocks(const Entries<Real>& entries, int block) {
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t k = 0; k < entries.row.size(); ++k) {
    const std::pair pair{(entries.row[k] - 1) / block, (entries.column[k] - 1) / block};
    if (pair.first != pair.second && (pairs.empty() || pairs.back() != pair)) pairs.push_back(pair);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<int> flat;
  flat.reserve(2 * pairs.size());
  for (const auto& [i, j] : pairs) flat.insert(flat.end(), {i, j});
  return flat;
}

template Entries<double> upper_triangle(::Mat, double);
template Entries<float> upper_triangle(::Mat, double);
template std::size_t hash_of_pattern(::Mat, const Entries<double>&);
template std::size_t hash_of_pattern(::Mat, const Entries<float>&);
template std::vector<int> pairs_of_blocks(const Entries<double>&, int);
template std::vector<int> pairs_of_blocks(const Entries<float>&, int);

}  // namespace solidyn::solvers
