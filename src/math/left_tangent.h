#pragma once
#include <Eigen/Core>

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

}  // namespace solidyn::math
