#include "solidyn/forces/coordinate_force.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"

namespace solidyn::forces {

using bodies::CoordinateValue;

Effort CoordinateForce::effort(const CoordinateValue& c, const FramePair& f, double t) const {
  try {
    return law_->effort(c.value, c.J.dot(f.twist()), t);
  } catch (const base::ComputationError& e) {
    throw base::ComputationError(fmt::format("force {}: {}", name(), e.what()));
  }
}

Vector12 CoordinateForce::wrench(const FramePair& f, double t) const {
  const CoordinateValue c = value_of(coordinate_, f);
  return -effort(c, f, t).value * c.J.transpose();
}

CoordinateForce::Reading CoordinateForce::reading(const FramePair& f, double t) const {
  const CoordinateValue c = value_of(coordinate_, f);
  const double rate = c.J.dot(f.twist());
  return {c.value, law_->extension(c.value), rate, law_->effort(c.value, rate, t).value};
}

void CoordinateForce::add_derivatives(const FramePair& f, double t, Matrix12& by_position,
                                      Matrix12& by_twist) const {
  const CoordinateValue c = value_of(coordinate_, f);
  Matrix12 H = Matrix12::Zero();
  add_stiffness_of(coordinate_, f, 1.0, H);
  const Vector12 twist = f.twist();
  const Effort e = effort(c, f, t);
  by_position -= c.J.transpose() * (e.by_x * c.J + e.by_rate * twist.transpose() * H) + e.value * H;
  by_twist -= e.by_rate * c.J.transpose() * c.J;
}

double CoordinateForce::energy(const FramePair& f, double) const {
  return law_->energy(value_of(coordinate_, f).value);
}

double CoordinateForce::power(const FramePair& f, double t) const {
  const CoordinateValue c = value_of(coordinate_, f);
  const Effort e = effort(c, f, t);
  return (e.stored - e.value) * c.J.dot(f.twist());
}

}  // namespace solidyn::forces
