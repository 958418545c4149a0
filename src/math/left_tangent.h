#pragma once
#include <Eigen/Geometry>

namespace solidyn::math {

/// T(-theta) = 1 + a skew(theta) + b skew(theta)^2, by which exp(skew(theta(t))) has the angular
/// velocity T(-theta) dtheta/dt in fixed axes, with a = (1 - cos)/phi^2 and b = (phi - sin)/phi^3
/// of phi = |theta|; and its rates along a motion. Accurate to round-off up to whole turns.
/// Proved by Hinges.FieldsAreThoseOfTheirColumnsAndTheirRates and
/// FrameInBody.FieldsAreThoseOfItsMotionAndTheirRates
class LeftTangent {
 public:
  /// @param rate, second  of theta, along the motion
  LeftTangent(const Eigen::Vector3d& theta, const Eigen::Vector3d& rate,
              const Eigen::Vector3d& second);

  Eigen::Vector3d value(const Eigen::Vector3d& e) const {
    return e + a_.value * theta_.cross(e) + b_.value * theta_.cross(theta_.cross(e));
  }
  /// Of value(e), when theta changes by `along`.
  Eigen::Vector3d derivative(const Eigen::Vector3d& e, const Eigen::Vector3d& along) const;
  /// Of value(e) along the motion.
  Eigen::Vector3d rate(const Eigen::Vector3d& e) const { return derivative(e, rate_); }
  Eigen::Vector3d second_rate(const Eigen::Vector3d& e) const;

 private:
  struct Series {
    Series(double p, int k);
    double value = 0.0, first = 0.0, second = 0.0;
  };
  Eigen::Vector3d theta_, rate_, second_;
  Series a_, b_;
};

// sum of (-1)^n p^n / (2 n + k)!, and its derivatives by p: (1 - cos)/phi^2 for k = 2, (phi -
// sin)/phi^3 for k = 3, with p = phi^2.
inline LeftTangent::Series::Series(double p, int k) {
  constexpr int kTerms = 24, kTermsOfSmall = 11;  // up to p = 1, to round-off
  struct Terms {
    double of[2][kTerms];
  };
  static constexpr Terms kAll = [] {
    Terms all{};
    for (int i = 0; i < 2; ++i) {
      all.of[i][0] = i == 0 ? 0.5 : 1.0 / 6.0;
      for (int n = 1; n < kTerms; ++n)
        all.of[i][n] = -all.of[i][n - 1] / ((2 * n + i + 2) * (2 * n + i + 1));
    }
    return all;
  }();
  const double* term = kAll.of[k - 2];
  for (int n = p <= 1.0 ? kTermsOfSmall : kTerms; n-- > 0;) {  // Horner's, of all three at once
    second = second * p + 2.0 * first;
    first = first * p + value;
    value = value * p + term[n];
  }
}

inline LeftTangent::LeftTangent(const Eigen::Vector3d& theta, const Eigen::Vector3d& rate,
                                const Eigen::Vector3d& second)
    : theta_(theta),
      rate_(rate),
      second_(second),
      a_(theta.squaredNorm(), 2),
      b_(theta.squaredNorm(), 3) {}

inline Eigen::Vector3d LeftTangent::derivative(const Eigen::Vector3d& e,
                                               const Eigen::Vector3d& along) const {
  const double dp = 2.0 * theta_.dot(along);
  const Eigen::Vector3d te = theta_.cross(e), le = along.cross(e);
  return a_.first * dp * te + a_.value * le + b_.first * dp * theta_.cross(te) +
         b_.value * (along.cross(te) + theta_.cross(le));
}

inline Eigen::Vector3d LeftTangent::second_rate(const Eigen::Vector3d& e) const {
  const double dp = 2.0 * theta_.dot(rate_), ddp = 2.0 * (rate_.dot(rate_) + theta_.dot(second_));
  const Eigen::Vector3d te = theta_.cross(e), re = rate_.cross(e), se = second_.cross(e);
  const double dda = a_.second * dp * dp + a_.first * ddp,
               ddb = b_.second * dp * dp + b_.first * ddp;
  return dda * te + 2.0 * a_.first * dp * re + a_.value * se + ddb * theta_.cross(te) +
         2.0 * b_.first * dp * (rate_.cross(te) + theta_.cross(re)) +
         b_.value * (second_.cross(te) + 2.0 * rate_.cross(re) + theta_.cross(se));
}

}  // namespace solidyn::math
