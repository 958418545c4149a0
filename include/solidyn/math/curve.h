#pragma once
#include "solidyn/math/time_function.h"

namespace solidyn::math {

/// A function of one variable through points, with slope and integral: the force of a spring by its
/// extension. Interpolated and continued beyond the points as TimeFunction::table.
class Curve {
 public:
  /// @throws base::InputError unless there are two or more points, finite and in order
  Curve(std::vector<double> points, std::vector<double> values,
        TimeFunction::Interpolation interpolation,
        const TimeFunction::Ends& ends = TimeFunction::Ends());

  double first() const { return points_.front(); }
  double last() const { return points_.back(); }
  bool is_periodic() const { return is_periodic_; }
  double value(double x) const { return function_.value(x); }
  double slope(double x) const { return function_.first_derivative(x); }
  /// From 0 to x, exact.
  double integral(double x) const;

 private:
  double integral_between(double from, double to) const;

  std::vector<double> points_;
  TimeFunction function_;
  bool is_periodic_;
};

}  // namespace solidyn::math
