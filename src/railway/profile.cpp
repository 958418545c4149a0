#include "solidyn/railway/profile.h"

#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::railway {
namespace {

using Eigen::Vector2d;

CurvePoint point_of(const Arc& arc, double length) {
  const double angle = arc.start + arc.turn * length / arc.radius;
  const Vector2d outward(std::cos(angle), std::sin(angle)), along(-outward.y(), outward.x());
  return {arc.centre + arc.radius * outward, arc.turn * along, -outward / arc.radius,
          -arc.turn / (arc.radius * arc.radius) * along};
}

CurvePoint point_of(const Polynomial& polynomial, double y) {
  double value = 0.0, first = 0.0, half_second = 0.0, sixth_third = 0.0;
  for (auto c = polynomial.coefficients.rbegin(); c != polynomial.coefficients.rend(); ++c) {
    sixth_third = sixth_third * y + half_second;
    half_second = half_second * y + first;
    first = first * y + value;
    value = value * y + *c;
  }
  return {{y, value}, {1.0, first}, {0.0, 2.0 * half_second}, {0.0, 6.0 * sixth_third}};
}

CurvePoint point_of(const Cubic& cubic, double t) {
  const auto& c = cubic.c;
  return {c.col(0) + t * (c.col(1) + t * (c.col(2) + t * c.col(3))),
          c.col(1) + t * (2.0 * c.col(2) + t * 3.0 * c.col(3)), 2.0 * c.col(2) + 6.0 * t * c.col(3),
          6.0 * c.col(3)};
}

}  // namespace

CurvePoint Section::at(double parameter) const {
  if (const auto* arc = std::get_if<Arc>(&shape)) return point_of(*arc, parameter - from);
  if (const auto* cubic = std::get_if<Cubic>(&shape)) return point_of(*cubic, parameter - from);
  return point_of(std::get<Polynomial>(shape), parameter);
}

// Counterclockwise and to larger y is the lower half of the circle, clockwise the upper one.
Section arc_over(double y_from, double y_to, const Vector2d& centre, double radius, double turn) {
  const auto angle = [&](double y) { return -turn * std::acos((y - centre.x()) / radius); };
  const double start = angle(y_from), end = angle(y_to);
  return {0.0, radius * std::abs(end - start), Arc{centre, radius, start, turn}};
}

Profile::Profile(ProfileKind kind, std::string name, std::vector<Section> sections, double metres)
    : kind_(kind),
      name_(std::move(name)),
      sections_(std::move(sections)),
      map_(metres * Eigen::Matrix2d::Identity()) {
  if (sections_.empty()) throw base::InputError("the profile " + name_ + " has no sections");
}

CurvePoint Profile::at(std::size_t section, double parameter) const {
  const CurvePoint local = sections_[section].at(parameter);
  return {map_ * local.p + shift_, map_ * local.d, map_ * local.dd, map_ * local.ddd};
}

Profile Profile::moved(double angle, const Vector2d& shift) const {
  Profile result = *this;
  const Eigen::Matrix2d R = Eigen::Rotation2Dd(angle).toRotationMatrix();
  result.map_ = R * map_;
  result.shift_ = R * shift_ + shift;
  return result;
}

}  // namespace solidyn::railway
