#include "solidyn/forces/coordinate_force.h"

#include <fmt/format.h>

#include <cmath>

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

const Readings& CoordinateForce::readings_of_length() {
  static const Readings readings = {
      {"length", "m"}, {"extension", "m"}, {"rate", "m/s"}, {"force", "N"}};
  return readings;
}

const Readings& CoordinateForce::readings_of_angle() {
  static const Readings readings = {
      {"angle", "rad"}, {"extension", "rad"}, {"rate", "rad/s"}, {"torque", "N m"}};
  return readings;
}

Readings CoordinateForce::readings() const {
  return is_angle(coordinate_) ? readings_of_angle() : readings_of_length();
}

void CoordinateForce::read(const bodies::Kinematics& kinematics, double t, double* values) const {
  const FramePair f = pair(kinematics);
  const CoordinateValue c = value_of(coordinate_, f);
  const double rate = c.J.dot(f.twist());
  values[0] = c.value;
  values[1] = law_->extension(c.value);
  values[2] = rate;
  values[3] = law_->effort(c.value, rate, t).value;
}

std::string CoordinateForce::warning_at_start(const bodies::Kinematics& kinematics,
                                              double t) const {
  if (!law_->is_stop()) return {};
  const FramePair f = pair(kinematics);
  const CoordinateValue c = value_of(coordinate_, f);
  const double pushes = effort(c, f, t).value;
  if (pushes == 0.0) return {};
  const bool turns = is_angle(coordinate_);
  return fmt::format(
      "{} are exceeded at the start: the coordinate, which is 0 as modelled, is {:.4g} {}, and the stop acts with {:.3g} {}",
      name(), c.value, turns ? "rad" : "m", std::abs(pushes), turns ? "N m" : "N");
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
