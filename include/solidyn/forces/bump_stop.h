#pragma once
#include "solidyn/forces/effort.h"

namespace solidyn::forces {

/// Bump stops by a characteristic: at the travel |x| the effort pushes back by f(|x|), zero up to
/// the first point, and beyond the last one with its last slope. Damped as Stops are:
///   max(0, f (1 + c d|x|/dt)).
class BumpStop final : public EffortLaw {
 public:
  struct Options {
    std::optional<math::Curve> force;             ///< f >= 0, rising, from zero
    bool is_positive = true, is_negative = true;  ///< the directions of x that it is in
    double damping = 0.0;                         ///< c, s/m
  };
  /// @pre there is a curve
  explicit BumpStop(Options options);
  Effort effort(double x, double rate, double t) const override;
  double energy(double x) const override;
  double extension(double x) const override;  ///< how far in, negative for negative x

 private:
  bool acts(double x) const { return x > 0.0 ? o_.is_positive : o_.is_negative; }

  Options o_;
  double last_slope_;
};

}  // namespace solidyn::forces
