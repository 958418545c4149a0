#pragma once
#include <complex>
#include <functional>
#include <vector>

#include "solidyn/analyses/minimal_coordinates.h"

namespace solidyn::analyses {

/// An eigenvalue and the motion y e^(s t) that belongs to it.
struct EigenPair {
  std::complex<double> s;  ///< 1/s; of two conjugates the one with imag > 0
  Eigen::VectorXcd y;      ///< [n_y]
  double residual = 0.0;   ///< relative error of s, by MissedEquation
  /// Of the n_y + n_u eigenvalues: a conjugate counts too.
  int multiplicity() const { return s.imag() != 0.0 ? 2 : 1; }
};
using EigenPairs = std::vector<EigenPair>;

/// Of a pencil A z = s E z with time in units of 1/shift, by the inverse of A - E times E.
/// @param coordinates  y of s (in units of the shift) and an eigenvector of that
/// @return by |s|, ascending; empty where the iteration has not converged
EigenPairs eigen_pairs_about(
    double shift, const Eigen::MatrixXd& A, const Eigen::MatrixXd& E,
    const std::function<Eigen::VectorXcd(std::complex<double>, const Eigen::VectorXcd&)>&
        coordinates);

int count_eigenvalues(const EigenPairs& pairs);
void sort_by_size(EigenPairs& pairs);

/// The lowest of `low`, and of `high` those with |s| >= middle, together as many as `low` has: by
/// number, since one whose value the higher shift missed may change sides. From above: the lower
/// shift tells slow motions from zeros, so that it may find more of them. Both are sorted.
EigenPairs joined(const EigenPairs& low, const EigenPairs& high, double middle);

/// The pairs of the pencil of `m` as it is, about a ladder of shifts, without the slowest ones that
/// are `n_zeros` zeros, as round-off moves them. Beside motions that are many decades faster this
/// asks nothing of null spaces, in which errors of the fast ones hide the slow ones; it finds them
/// where eigenvalues of the state matrix have lost their digits, too.
/// @param highest  a bound of the rates, 1/s
/// @param[out] fastest_zero  |s| of the fastest one that was left out, 1/s
EigenPairs eigen_pairs_with_zeros(const MinimalCoordinates& m, double highest, int n_zeros,
                                  double& fastest_zero);

}  // namespace solidyn::analyses
