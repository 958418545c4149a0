#pragma once
#include <optional>

#include "solidyn/math/curve.h"
#include "solidyn/math/expression.h"
#include "solidyn/math/time_function.h"

namespace solidyn::forces {

/// What resists a coordinate x: the generalised force on x is -value (N or N m).
struct Effort {
  double value = 0.0, by_x = 0.0, by_rate = 0.0;
  double stored = 0.0;  ///< the part that is the derivative of energy()
};

/// Effort by coordinate, rate and time. Local.
class EffortLaw {
 public:
  virtual ~EffortLaw() = default;
  virtual Effort effort(double x, double rate, double t) const = 0;
  virtual double energy(double x) const = 0;  ///< J
  /// From where nothing resists, m or rad.
  virtual double extension(double x) const = 0;
  /// Whether it is there to push back what has gone too far, and for nothing else.
  virtual bool is_stop() const { return false; }
};

/// effort = k (x - x0) + s(x - x0) + d dx/dt + r(dx/dt) + F0 + e(x - x0, dx/dt, t) - a(t): of a
/// distance a tension. Springs k, s and F0 store energy. SI and radians, but for the expression,
/// whose variables and value are divided by scales.
class SpringDamper final : public EffortLaw {
 public:
  struct Formula {
    math::Expression expression;  ///< of x, v and t
    double x_scale = 1.0, t_scale = 1.0, value_scale = 1.0;
  };
  struct Options {
    double stiffness = 0.0, damping = 0.0, free = 0.0, preload = 0.0;
    std::optional<math::Curve> by_extension, by_rate;  ///< s, r
    std::optional<Formula> formula;                    ///< e
    math::TimeFunction actuator;                       ///< a
  };
  explicit SpringDamper(Options options) : o_(std::move(options)) {}
  Effort effort(double x, double rate, double t) const override;
  double energy(double x) const override;
  double extension(double x) const override { return x - o_.free; }

 private:
  void add_formula(double extension, double rate, double t, Effort& effort) const;

  Options o_;
};

/// Stops: beyond `upper` by the depth p > 0 the effort is max(0, k p (1 + c dp/dt)), and so beyond
/// `lower` in the other direction. By Hunt and Crossley the damping grows with the depth, so that
/// the effort begins and ends at zero; it never pulls.
class Stops final : public EffortLaw {
 public:
  struct Options {
    std::optional<double> lower, upper;
    double stiffness = 0.0;
    double damping = 0.0;  ///< c, s/m or s/rad
  };
  explicit Stops(const Options& options) : o_(options) {}
  Effort effort(double x, double rate, double t) const override;
  double energy(double x) const override;
  double extension(double x) const override;  ///< beyond `upper`, negative beyond `lower`, else 0
  bool is_stop() const override { return true; }

 private:
  Options o_;
};

}  // namespace solidyn::forces
