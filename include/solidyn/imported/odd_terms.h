#pragma once
#include <Eigen/Sparse>
#include <cstdint>
#include <optional>

namespace solidyn::imported {

/// A term that a matrix of a body does not have, and the most that it might be.
struct OddTerm {
  std::int64_t row = 0, column = 0;  ///< 0-based
  double value = 0.0, limit = 0.0;
};

/// The term beside the diagonal that exceeds most what the diagonal allows: no motion has a
/// negative energy, so that a_ij^2 <= a_ii a_jj. Terms below the roundoff of the largest are not
/// judged.
/// @param precision  of the terms as written, relative
/// Proved by OddTerms.*.
std::optional<OddTerm> find_impossible_term(const Eigen::SparseMatrix<double>& a, double precision);

/// A term 1e12 times larger than all others, its mirror image apart: beside it they are roundoff.
std::optional<OddTerm> find_far_term(const Eigen::SparseMatrix<double>& a);

}  // namespace solidyn::imported
