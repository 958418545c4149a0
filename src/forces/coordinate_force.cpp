#include "solidyn/forces/coordinate_force.h"

namespace solidyn::forces {

using bodies::CoordinateValue;

Vector12 CoordinateForce::wrench(const FramePair& f, double t) const {
  const CoordinateValue c = value_of(coordinate_, f);
  return -law_->effort(c.value, c.J.dot(f.twist()), t).value * c.J.transpose();
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
  const Effort e = law_->effort(c.value, c.J.dot(twist), t);
  by_position -= c.J.transpose() * (e.by_x * c.J + e.by_rate * twist.transpose() * H) + e.value * H;
  by_twist -= e.by_rate * c.J.transpose() * c.J;
}

double CoordinateForce::energy(const FramePair& f, double) const {
  return law_->energy(value_of(coordinate_, f).value);
}

double CoordinateForce::power(const FramePair& f, double t) const {
  const CoordinateValue c = value_of(coordinate_, f);
  const double rate = c.J.dot(f.twist());
  const Effort e = law_->effort(c.value, rate, t);
  return (e.stored - e.value) * rate;
}

}  // namespace solidyn::forces
