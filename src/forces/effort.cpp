#include "solidyn/forces/effort.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::forces {

Effort SpringDamper::effort(double x, double rate, double t) const {
  const double extension = x - o_.free;
  Effort e;
  e.stored = o_.stiffness * extension + o_.preload;
  e.by_x = o_.stiffness;
  e.by_rate = o_.damping;
  if (o_.by_extension) {
    e.stored += o_.by_extension->value(extension);
    e.by_x += o_.by_extension->slope(extension);
  }
  e.value = e.stored + o_.damping * rate - o_.actuator.value(t);
  if (o_.by_rate) {
    e.value += o_.by_rate->value(rate);
    e.by_rate += o_.by_rate->slope(rate);
  }
  if (o_.formula) add_formula(extension, rate, t, e);
  return e;
}

void SpringDamper::add_formula(double extension, double rate, double t, Effort& e) const {
  const Formula& f = *o_.formula;
  const double v_scale = f.x_scale / f.t_scale;
  const double values[] = {extension / f.x_scale, rate / v_scale, t / f.t_scale};
  const double value = f.value_scale * f.expression.value(values);
  const double by_x = f.expression.derivative(values, 0);
  const double by_v = f.expression.derivative(values, 1);
  const auto require = [&](double number, const char* what) {
    if (!std::isfinite(number))
      throw base::ComputationError(fmt::format("{}`{}` is {} at x = {:g}, v = {:g}, t = {:g}", what,
                                               f.expression.text(), number, values[0], values[1],
                                               values[2]));
  };
  require(value, "");
  require(by_x, "the derivative with respect to x of ");
  require(by_v, "the derivative with respect to v of ");
  e.value += value;
  e.by_x += f.value_scale / f.x_scale * by_x;
  e.by_rate += f.value_scale / v_scale * by_v;
}

double SpringDamper::energy(double x) const {
  const double extension = x - o_.free;
  const double linear = (0.5 * o_.stiffness * extension + o_.preload) * extension;
  return linear + (o_.by_extension ? o_.by_extension->integral(extension) : 0.0);
}

Effort Stops::effort(double x, double rate, double) const {
  Effort e;
  const auto push = [&](double depth, double sign) {
    if (depth <= 0.0) return;
    e.stored += sign * o_.stiffness * depth;
    const double factor = 1.0 + o_.damping * sign * rate;
    if (factor <= 0.0) return;
    e.value += sign * o_.stiffness * depth * factor;
    e.by_x += o_.stiffness * factor;
    e.by_rate += o_.stiffness * depth * o_.damping;
  };
  if (o_.upper) push(x - *o_.upper, 1.0);
  if (o_.lower) push(*o_.lower - x, -1.0);
  return e;
}

double Stops::energy(double x) const {
  const auto stored = [&](double depth) {
    return depth > 0.0 ? 0.5 * o_.stiffness * depth * depth : 0.0;
  };
  return (o_.upper ? stored(x - *o_.upper) : 0.0) + (o_.lower ? stored(*o_.lower - x) : 0.0);
}

double Stops::extension(double x) const {
  if (o_.upper && x > *o_.upper) return x - *o_.upper;
  return o_.lower && x < *o_.lower ? x - *o_.lower : 0.0;
}

}  // namespace solidyn::forces
