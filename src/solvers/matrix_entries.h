#pragma once
#include <cstddef>
#include <vector>

#include "solidyn/base/petsc.h"

namespace solidyn::solvers {

/// One rank's entries of the upper triangle of a matrix that ranks hold by rows, counted from 1.
template <class Real>
struct Entries {
  std::vector<int> row, column;
  std::vector<Real> value;
};

/// Collective. The largest entry of the diagonal, which of a positive definite matrix is the
/// largest of all; 1 where none is above zero.
double largest_pivot(::Mat A);

/// Collective.
/// @param A  whole rows (aij), or the upper triangle (sbaij)
/// @param scale  of the values, so that those of single precision do not leave its range
template <class Real>
Entries<Real> upper_triangle(::Mat A, double scale);

/// Of this rank's rows: kept in place of the pattern, which would take the room of a third of the
/// matrix. Local.
template <class Real>
std::size_t hash_of_pattern(::Mat A, const Entries<Real>& entries);

/// Pairs of blocks i < j that have an entry, one behind the other, of this rank's rows. Local.
template <class Real>
std::vector<int> pairs_of_blocks(const Entries<Real>& entries, int block);

}  // namespace solidyn::solvers
