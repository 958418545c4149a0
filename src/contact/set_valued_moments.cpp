// Moments of rolling and drilling friction of set-valued contacts.
#include <fmt/format.h>

#include "contact/relative_motion.h"
#include "solidyn/contact/set_valued_contact.h"

namespace solidyn::contact {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;

SetValuedContact::Part SetValuedContact::part(int point) const {
  if (!is_moment(point)) return Part::slip;
  return law_.rolling > 0.0 && point < 2 * n_places() ? Part::rolling : Part::drilling;
}

const forces::SetValuedLaw& SetValuedContact::law_of(int point) const {
  const Part its = part(point);
  return its == Part::slip ? law_ : its == Part::rolling ? rolling_ : drilling_;
}

const char* SetValuedContact::suffix_of(int point) const {
  const Part its = part(point);
  return its == Part::slip ? "" : its == Part::rolling ? ", rolling" : ", drilling";
}

std::string SetValuedContact::name_of(int point) const {
  const std::string place =
      n_places() == 1 ? label_ : fmt::format("{}, point {}", label_, number(point) + 1);
  return place + suffix_of(point);
}

// N m, on B, W: what the force has in the directions of the moment. Where bodies have moved since
// it was found it may have others.
Vector3d SetValuedContact::rolling_moment(int place, const Vector3d& normal) const {
  if (!(law_.rolling > 0.0)) return Vector3d::Zero();
  const Vector3d force = kept(n_places() + place).force;
  return law_.arm * (force - normal * normal.dot(force));
}

Vector3d SetValuedContact::drilling_moment(int place, const Vector3d& normal) const {
  if (!(law_.drilling > 0.0)) return Vector3d::Zero();
  return law_.arm * normal * normal.dot(kept(n_points() - n_places() + place).force);
}

// Of M = F - n n.F, dM = -n F.dn where n.F = 0; of n n.F, dM = n.F dn where F is along n.
void SetValuedContact::add_derivatives_of_moments(const FramePair& f, int place,
                                                  Matrix12& by_position) const {
  if (law_.n_moments() == 0) return;
  const Vector3d n = at(f, place).normal;
  const Vector3d rolling = rolling_moment(place, n), drilling = drilling_moment(place, n);
  if (rolling.isZero(0.0) && drilling.isZero(0.0)) return;
  const ContactPoint& g = at(f, place, Known::derivatives);
  const Matrix3d turned = drilling.dot(n) * Matrix3d::Identity() - n * rolling.transpose();
  by_position += spin_jacobian(f).transpose() * (turned * g.d_normal);
  add_turning_of_moment(f, rolling + drilling, by_position);
}

Vector3d SetValuedContact::acceleration_of_spin(const FramePair& f, const ContactPoint& g,
                                                const Matrix3d& axes, Part part) const {
  const Vector12 twist = f.twist();
  const Vector3d spin = f.B.R * f.B.w - f.A.R * f.A.w, dn = g.d_normal * twist;
  const Vector3d rate = f.B.R * f.B.acceleration.tail<3>() - f.A.R * f.A.acceleration.tail<3>();
  Vector3d a = Vector3d::Zero();
  if (part == Part::drilling) {
    a[1] = g.normal.dot(rate) + spin.dot(dn);
  } else {
    const auto across = axes.rightCols<2>().transpose();
    a.tail<2>() = across * rate - g.normal.dot(spin) * (across * dn);
  }
  return law_.arm * a;
}

}  // namespace solidyn::contact
