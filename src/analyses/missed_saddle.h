#pragma once
#include <complex>

#include "solidyn/math/sparse_lu.h"
#include "sparse_scaled.h"

namespace solidyn::analyses {

/// MissedEquation of the equations with their multipliers, at rest: how far pairs s, x miss
///   (s^2 M + s D + K) x + B mu = 0,  G x = 0  (s G x = 0 where rows are of velocity level).
/// What is left goes through the inverse of the same with a real shift in place of s; whatever mu
/// is, it changes nothing of x then.
class MissedSaddle {
 public:
  /// @param shift  1/s, > 0, no eigenvalue; near those that are looked at, or below
  /// `equations` must outlive it.
  MissedSaddle(const ScaledEquations& equations, double shift);

  /// Relative error of s, of the shift where s is 0. @param x  measured by the weights, [n]
  double by(std::complex<double> s, const Eigen::VectorXcd& x) const;

 private:
  const ScaledEquations& e_;
  double shift_;
  math::SparseLu lu_;
};

}  // namespace solidyn::analyses
