#pragma once
#include <memory>
#include <string>
#include <vector>

namespace solidyn::math {

/// A scalar function of time with two derivatives: a drive's angle, a load's magnitude. A value
/// type: copies are independent. Local, no MPI. One object must not be evaluated by two threads at
/// once.
///
/// Derivatives of constants and tables are exact. Those of expressions are Richardson-extrapolated
/// central differences (Ridders), with step lengths chosen for each evaluation, one-sided where the
/// expression is not defined on one side of t. For smooth functions of amplitude A that change on
/// the time scale tau (sin(t/tau) ...), tau > 1e-4 s, the errors stay below 1e-9 A/tau and
/// 1e-6 A/tau^2 (proved by TimeFunction.DerivativesOfExpressionsKeepTheDocumentedError; typically
/// 1e-12 and 1e-10).
class TimeFunction {
 public:
  struct Values {
    double value = 0.0, first = 0.0, second = 0.0;
  };
  enum class Interpolation {
    linear,  ///< held constant before the first and after the last point; second derivative 0
    cubic,   ///< cubic spline (twice continuous), continued straight with the end slopes
    akima    ///< Akima's spline: does not overshoot next to steps, continued straight; its second
             ///< derivative jumps at the points. H. Akima, J. ACM 17 (1970) 589-602
  };

  /// What a table's curve does at its first and last point.
  struct Ends {
    enum class Kind {
      natural,     ///< no second derivative
      clamped,     ///< the slopes are given
      not_a_knot,  ///< the third derivative is continuous at the points next to the ends
      periodic     ///< it continues from the last point as from the first; not of cubic alone
    } kind = Kind::natural;
    double first_slope = 0.0, last_slope = 0.0;  ///< clamped
  };

  /// The zero function.
  TimeFunction();
  static TimeFunction constant(double value);
  /// value_scale * e(t / time_scale), where e is muParser syntax in the variable `t`, with the
  /// constants `pi` and `e` and, beside muParser's own functions, ramp(t, t0, t1) (0, then linear,
  /// then 1) and smooth_step(t, t0, t1) (the same with a quintic, twice continuous). Throws
  /// InputError with the position of the fault in the text; also when e(0) is not a number.
  static TimeFunction expression(const std::string& text, double value_scale = 1.0,
                                 double time_scale = 1.0);
  /// Through the points (times[i], values[i]). Not-a-knot ends of two or three points make one
  /// line or parabola. Throws InputError unless there are two or more points, all finite and with
  /// times that increase; of a periodic table three or more, the last value as the first; and
  /// where an interpolation other than cubic is clamped or not-a-knot.
  static TimeFunction table(std::vector<double> times, std::vector<double> values,
                            Interpolation interpolation, const Ends& ends);
  static TimeFunction table(std::vector<double> times, std::vector<double> values,
                            Interpolation interpolation);  ///< with natural ends

  /// start + start_rate t + the integral from 0 to t of (t - s) law(s): what has `law` as its
  /// second derivative. Of laws that are smooth between finitely many points the error stays below
  /// 1e-12 of the integral of |law|. Before t = 0 it is defined likewise.
  static TimeFunction twice_integrated(const TimeFunction& law, double start, double start_rate);

  TimeFunction(const TimeFunction& other);
  TimeFunction& operator=(const TimeFunction& other);
  TimeFunction(TimeFunction&&) noexcept;
  TimeFunction& operator=(TimeFunction&&) noexcept;
  ~TimeFunction();

  /// Throw ComputationError if the value, or the requested derivative, is not finite.
  double value(double t) const;
  double first_derivative(double t) const;
  double second_derivative(double t) const;
  Values evaluate(double t) const;  ///< all three, cheaper than one by one

  class Form;  ///< one of the kinds; private to the sources

 private:
  explicit TimeFunction(std::unique_ptr<Form> form);
  std::unique_ptr<Form> form_;
};

}  // namespace solidyn::math
