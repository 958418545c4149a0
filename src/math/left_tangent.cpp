#include "math/left_tangent.h"

#include <Eigen/Geometry>

namespace solidyn::math {

using Eigen::Vector3d;

// sum of (-1)^n p^n / (2 n + k)!, and its derivatives by p: (1 - cos)/phi^2 for k = 2, (phi -
// sin)/phi^3 for k = 3, with p = phi^2.
LeftTangent::Series::Series(double p, int k) {
  constexpr int kTerms = 24;
  double term[kTerms];
  term[0] = k == 2 ? 0.5 : 1.0 / 6.0;
  for (int n = 1; n < kTerms; ++n) term[n] = -term[n - 1] / ((2 * n + k) * (2 * n + k - 1));
  for (int n = kTerms; n-- > 0;) {
    second = second * p + (n + 2 < kTerms ? (n + 2) * (n + 1) * term[n + 2] : 0.0);
    first = first * p + (n + 1 < kTerms ? (n + 1) * term[n + 1] : 0.0);
    value = value * p + term[n];
  }
}

LeftTangent::LeftTangent(const Vector3d& theta, const Vector3d& rate, const Vector3d& second)
    : theta_(theta),
      rate_(rate),
      second_(second),
      a_(theta.squaredNorm(), 2),
      b_(theta.squaredNorm(), 3) {}

Vector3d LeftTangent::derivative(const Vector3d& e, const Vector3d& along) const {
  const double dp = 2.0 * theta_.dot(along);
  const Vector3d te = theta_.cross(e), le = along.cross(e);
  return a_.first * dp * te + a_.value * le + b_.first * dp * theta_.cross(te) +
         b_.value * (along.cross(te) + theta_.cross(le));
}

Vector3d LeftTangent::second_rate(const Vector3d& e) const {
  const double dp = 2.0 * theta_.dot(rate_), ddp = 2.0 * (rate_.dot(rate_) + theta_.dot(second_));
  const Vector3d te = theta_.cross(e), re = rate_.cross(e), se = second_.cross(e);
  const double dda = a_.second * dp * dp + a_.first * ddp,
               ddb = b_.second * dp * dp + b_.first * ddp;
  return dda * te + 2.0 * a_.first * dp * re + a_.value * se + ddb * theta_.cross(te) +
         2.0 * b_.first * dp * (rate_.cross(te) + theta_.cross(re)) +
         b_.value * (second_.cross(te) + 2.0 * rate_.cross(re) + theta_.cross(se));
}

}  // namespace solidyn::math
