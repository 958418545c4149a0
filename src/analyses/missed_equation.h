#pragma once
#include <complex>

#include "solidyn/analyses/minimal_coordinates.h"
#include "solidyn/math/dense.h"

namespace solidyn::analyses {

/// How far pairs s, y miss the equations of motion as they are, zero eigenvalues included: what is
/// left of M u' + D u + K y goes through the inverse of the equations about a real shift, so that
/// the answer is the relative error of s, doc/theory/linearisation.md.
class MissedEquation {
 public:
  /// @param shift  1/s, > 0, no eigenvalue; near those that are looked at, or below
  /// `m` must outlive it.
  MissedEquation(const MinimalCoordinates& m, double shift);

  /// Of s, or of the shift where s is 0.
  double by(std::complex<double> s, const Eigen::VectorXcd& y) const;

 private:
  const MinimalCoordinates& m_;
  double shift_;
  Eigen::MatrixXd y_by_rates_, y_by_u_;
  Eigen::VectorXd sizes_;  // of the rows that are factorised
  math::LuFactor factor_;
};

}  // namespace solidyn::analyses
