#pragma once
#include <optional>

#include "solidyn/math/curve.h"

namespace solidyn::forces {

/// A damper by the rate w of its extension, and by its force: F(w) = c w + r(w), which grows with w
/// and vanishes with it. Proved by DamperLaw.*.
class DamperLaw {
 public:
  /// @param damping c > 0, N s/m   @param by_rate r, with r(0) = 0 and r' > -c
  DamperLaw(double damping, std::optional<math::Curve> by_rate);

  double force(double rate) const {
    return damping_ * rate + (by_rate_ ? by_rate_->value(rate) : 0.0);
  }
  /// dF/dw
  double resistance(double rate) const {
    return damping_ + (by_rate_ ? by_rate_->slope(rate) : 0.0);
  }
  /// The least of the table, N s/m.
  double least_resistance() const { return least_; }
  /// w of a force, the inverse of force().
  double rate(double force) const;
  /// dw/dF, as a mean over a hundredth of the table's forces to both sides, so that it has no jump
  /// where the table has a corner, and its derivative.
  struct Compliance {
    double value = 0.0, by_force = 0.0;
  };
  Compliance compliance(double force) const;

 private:
  double damping_;
  std::optional<math::Curve> by_rate_;
  double least_;
  double width_ = 0.0;  ///< N
};

}  // namespace solidyn::forces
