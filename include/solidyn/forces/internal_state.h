#pragma once
#include "solidyn/bodies/frame.h"

namespace solidyn::forces {

/// What a force with a coordinate of its own (bodies::InternalCoordinate) is to those who look at
/// more than its residual and tangent (Force::as_internal_state()). Its equation brings the rate of
/// the coordinate to a law of first order, e(q, v) = 0.
class InternalState {
 public:
  virtual ~InternalState() = default;
  /// The last of the force's bodies.
  virtual bodies::BodyIndex coordinate() const = 0;
  /// The derivatives of e. Linear analyses hold e = 0, so that the coordinate is one state and not
  /// two. [columns of the force]
  struct RateLaw {
    Eigen::RowVectorXd by_rate, by_position;
  };
  virtual RateLaw rate_law(const bodies::Kinematics& kinematics) const = 0;
  /// The coordinate and its rate after a long motion at the present rates: where motions start. At
  /// rest it is relaxed.
  struct Value {
    double coordinate = 0.0, rate = 0.0;
  };
  virtual Value steady_value(const bodies::Kinematics& kinematics) const = 0;
};

}  // namespace solidyn::forces
