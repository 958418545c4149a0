#pragma once
#include <array>
#include <optional>

#include "solidyn/beams/beam_curve.h"
#include "solidyn/math/time_function.h"

namespace solidyn::bodies {

/// Stretch, twist and curvatures about y and z that a beam has all along without stress: constant
/// parts and functions of time. Per length, but for the stretch: 1, rad/m.
struct Prestrain {
  using Laws = std::array<std::optional<math::TimeFunction>, 4>;
  Eigen::Vector4d constant = Eigen::Vector4d::Zero();
  Laws laws;

  bool is_zero() const;
  bool varies() const;
  /// Of an element of this length, at time t; and how fast it changes, 1/s.
  beams::Strains value(double length, double t) const;
  beams::Strains rate(double length, double t) const;
};

/// Strains of an element by (stretch, twist, curvatures): uniform over its length. [7 x 4]
Eigen::Matrix<double, 7, 4> uniform_strains(double length);

}  // namespace solidyn::bodies
