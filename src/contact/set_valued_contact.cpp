#include "solidyn/contact/set_valued_contact.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "contact/relative_motion.h"
#include "solidyn/base/error.h"

namespace solidyn::contact {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using forces::SetValuedPoint;

namespace {

// Those of a fixed frame, turned the shortest way from its normal: continuous but for the opposite
// normal, which is one that nobody chooses. Forces and what they do are kept in these axes from one
// iteration to the next, also where normals are e_z but for round-off, about which
// Eigen's unitOrthogonal() may have any direction.
Matrix3d axes_of(const Vector3d& normal) {
  static const Vector3d from = Vector3d(0.31, 0.59, 0.75).normalized();
  static const Vector3d across = from.cross(Vector3d::UnitX()).normalized();
  const double cosine = from.dot(normal);
  const Vector3d tangent =
      (across - normal.dot(across) / std::max(1.0 + cosine, 1e-14) * (from + normal)).normalized();
  Matrix3d axes;
  axes << normal, tangent, normal.cross(tangent);
  return axes;
}

// Of a sum of three products.
constexpr double kRoundOff = 4.0 * std::numeric_limits<double>::epsilon();

// Crowned capsules have normals that are a little shorter than one.
void make_normal_unit(bool has_derivatives, ContactPoint& g) {
  const double size = g.normal.norm();
  if (std::abs(size - 1.0) <= kRoundOff) return;
  g.normal /= size;
  if (has_derivatives)
    g.d_normal = ((g.d_normal - g.normal * (g.normal.transpose() * g.d_normal)) / size).eval();
}

// With another one of the three directions in the place of the normal, in which a moment has none,
// so that the normal is one of friction.
Matrix3d with_normal_across(const Matrix3d& axes) {
  Matrix3d turned;
  turned << axes.col(2), axes.col(0), axes.col(1);
  return turned;
}

// |moment| <= length r_N, as forces at the arm.
forces::SetValuedLaw law_of_moment(const forces::SetValuedLaw& law, double length) {
  forces::SetValuedLaw moment;
  moment.kind = forces::SetValuedLaw::Kind::moment;
  moment.impact_law = law.impact_law;
  moment.slow_speed = law.slow_speed;
  if (length > 0.0) moment.static_coefficient = moment.dynamic_coefficient = length / law.arm;
  return moment;
}

// What is most of a point is left as it is.
void take_place(const ContactPoint& from, ContactPoint& g) {
  g.gap = from.gap;
  g.exists = from.exists;
  g.normal = from.normal;
  g.point = from.point;
}

// What differs in any bit, without branches: it is asked for each point many times in a step.
template <class Matrix>
std::uint64_t difference(const Matrix& a, const double* b) {
  std::uint64_t bits_a[Matrix::SizeAtCompileTime], bits_b[Matrix::SizeAtCompileTime];
  std::memcpy(bits_a, a.data(), sizeof(bits_a));
  std::memcpy(bits_b, b, sizeof(bits_b));
  std::uint64_t different = 0;
  for (int i = 0; i < Matrix::SizeAtCompileTime; ++i) different |= bits_a[i] ^ bits_b[i];
  return different;
}

}  // namespace

SetValuedContact::SetValuedContact(std::string name, std::string label,
                                   const bodies::FrameLink& link,
                                   std::unique_ptr<PairGeometry> geometry,
                                   const forces::SetValuedLaw& law,
                                   const Vector3d& surface_velocity)
    : PairContact(std::move(name), link),
      label_(std::move(label)),
      geometry_(std::move(geometry)),
      law_(law),
      rolling_(law_of_moment(law, law.rolling)),
      drilling_(law_of_moment(law, law.drilling)),
      surface_velocity_(surface_velocity),
      n_places_(geometry_->n_points()),
      memory_(Eigen::VectorXd::Zero(n_memory())),
      points_(n_places_),
      known_(n_places_, Known::nothing),
      axes_(n_places_) {
  SOLIDYN_ASSERT(law.n_moments() == 0 || law.arm > 0.0);
  poses_.setConstant(std::nan(""));
}

bool SetValuedContact::has_poses(const FramePair& f) const {
  const double* kept = poses_.data();
  return (difference(f.A.R, kept) | difference(f.A.p, kept + 9) | difference(f.B.R, kept + 12) |
          difference(f.B.p, kept + 21)) == 0;
}

const ContactPoint& SetValuedContact::at(const FramePair& f, int point, Known what) const {
  if (!has_poses(f)) {
    poses_ << f.A.R, f.A.p, f.B.R, f.B.p;
    std::fill(known_.begin(), known_.end(), Known::nothing);
  }
  ContactPoint& g = points_[point];
  if (known_[point] < what) {
    const bool has_derivatives = what == Known::derivatives;
    if (has_derivatives)
      g = geometry_->at(f, point);
    else
      take_place(geometry_->without_derivatives(f, point), g);
    make_normal_unit(has_derivatives, g);
    known_[point] = what;
    axes_[point](0, 0) = std::nan("");
  }
  return g;
}

const Matrix3d& SetValuedContact::axes_here(int point) const {
  const int place = number(point);
  Matrix3d& axes = axes_[place];
  if (std::isnan(axes(0, 0))) axes = axes_of(points_[place].normal);
  return axes;
}

void SetValuedContact::recall(const Eigen::Ref<const Eigen::VectorXd>& memory) {
  memory_ = memory;
  has_forces_ = false;
  for (int i = 0; i < n_points() && !has_forces_; ++i)
    has_forces_ = SetValuedPoint::has_force(memory_.data() + i * SetValuedPoint::kSize);
}

SetValuedPoint SetValuedContact::kept(int point) const {
  return SetValuedPoint::read(memory_.data() + point * SetValuedPoint::kSize);
}

Vector12 SetValuedContact::wrench(const FramePair& f, double) const {
  Vector12 w = Vector12::Zero();
  if (!has_forces_) return w;
  for (int i = 0; i < n_places(); ++i) {
    const Vector3d force = kept(i).force;
    if (!force.isZero(0.0)) w += slip_jacobian(f, at(f, i).point).transpose() * force;
    if (law_.n_moments() == 0) continue;
    const Vector3d n = at(f, i).normal;
    w += spin_jacobian(f).transpose() * (rolling_moment(i, n) + drilling_moment(i, n));
  }
  return w;
}

void SetValuedContact::add_derivatives(const FramePair& f, double, Matrix12& by_position,
                                       Matrix12&) const {
  if (!has_forces_) return;
  for (int i = 0; i < n_places(); ++i) {
    const Vector3d force = kept(i).force;
    if (!force.isZero(0.0)) {
      const ContactPoint& g = at(f, i, Known::derivatives);
      by_position += force.dot(g.normal) * slip_jacobian(f, g.point).transpose() * g.d_normal;
      add_turning(f, g, force, by_position);
    }
    add_derivatives_of_moments(f, i, by_position);
  }
}

bool SetValuedContact::exists(const bodies::Kinematics& k, int point) const {
  return at_place(pair(k), point).exists;
}

double SetValuedContact::gap(const bodies::Kinematics& k, int point) const {
  return at_place(pair(k), point).gap;
}

Matrix3d SetValuedContact::axes(const bodies::Kinematics& k, int point) const {
  at_place(pair(k), point);
  const Matrix3d& axes = axes_here(point);
  return part(point) == Part::drilling ? with_normal_across(axes) : axes;
}

Vector3d SetValuedContact::normal(const bodies::Kinematics& k, int point) const {
  if (is_moment(point)) return axes(k, point).col(0);
  return at(pair(k), point).normal;
}

Vector3d SetValuedContact::velocity(const bodies::Kinematics& k, int point) const {
  const FramePair f = pair(k);
  const ContactPoint& g = at_place(f, point);
  const Matrix3d& axes = axes_here(point);
  if (!is_moment(point)) return axes.transpose() * slip(f, g);
  const Vector3d spin = law_.arm * (axes.transpose() * (f.B.R * f.B.w - f.A.R * f.A.w));
  if (part(point) == Part::drilling) return {0.0, spin[0], 0.0};
  return {0.0, spin[1], spin[2]};
}

// slip_jacobian() twist less the surface's own velocity.
Vector3d SetValuedContact::slip(const FramePair& f, const ContactPoint& g) const {
  const Vector3d of_A = f.A.v + (f.A.R * f.A.w).cross(g.point - f.A.p);
  const Vector3d of_B = f.B.v + (f.B.R * f.B.w).cross(g.point - f.B.p);
  if (!moves()) return of_B - of_A;
  return of_B - of_A - surface_velocity(f, g);
}

// Across the normal: a surface that moves by itself moves within itself.
Vector3d SetValuedContact::surface_velocity(const FramePair& f, const ContactPoint& g) const {
  const Vector3d s = f.A.R * surface_velocity_;
  return s - g.normal * g.normal.dot(s);
}

// With v = J twist and s the velocity that the surface has beside it, of which the normal component
// takes no part: dv/dt = J d(twist)/dt + (dJ/dt) twist, ds/dt = R_A (w_A x s_A); of the normal
// component also v . dn/dt. Axes across the normal turn with it as little as they can. So it is of
// spins, whose rate is that of the angular velocities.
Vector3d SetValuedContact::acceleration(const bodies::Kinematics& k, int point) const {
  const FramePair f = pair(k);
  const ContactPoint& g = at_place(f, point, Known::derivatives);
  if (is_moment(point)) return acceleration_of_spin(f, g, axes_here(point), part(point));
  const Vector12 twist = f.twist();
  // Variations per time: positions by v, orientations by w in the frame's axes.
  Vector12 acceleration;
  acceleration << f.A.acceleration, f.B.acceleration;
  const auto J = slip_jacobian(f, g.point);
  const Vector3d v = J * twist, s = f.A.R * surface_velocity_;
  const Vector3d dv = J * acceleration + slip_derivative(f, g.point, g.d_point) * twist;
  const Vector3d ds = f.A.R * f.A.w.cross(surface_velocity_);
  const Vector3d dn = g.d_normal * twist;
  const Matrix3d& axes = axes_here(point);
  const auto across = axes.rightCols<2>().transpose();
  Vector3d a;
  a[0] = g.normal.dot(dv) + v.dot(dn);
  a.tail<2>() = across * (dv - ds) - g.normal.dot(v - s) * (across * dn);
  return a;
}

void SetValuedContact::directions(const bodies::Kinematics& k, int point,
                                  Eigen::Ref<Eigen::MatrixXd> W) const {
  const FramePair f = pair(k);
  const ContactPoint& g = at_place(f, point);
  const Matrix3d& axes = axes_here(point);
  if (!is_moment(point)) {
    link().set_rows(k, axes.transpose() * slip_jacobian(f, g.point), W);
    return;
  }
  const Matrix3x12 rows = law_.arm * (axes.transpose() * spin_jacobian(f));
  const bool is_drilling = part(point) == Part::drilling;
  link().set_row(k, rows.row(is_drilling ? 0 : 1), W.col(1).transpose());
  if (!is_drilling) link().set_row(k, rows.row(2), W.col(2).transpose());
}

ContactState SetValuedContact::state(const FramePair& f) const {
  std::vector<ContactState> points;
  for (int i = 0; i < n_places(); ++i) {
    const ContactPoint& g = at(f, i);
    const SetValuedPoint point = kept(i);
    const Vector3d v = slip(f, g);
    const double normal = point.force.dot(g.normal);
    const bool is_closed = point.phase == SetValuedPoint::Phase::closed;
    points.push_back({g.gap, normal, point.force - normal * g.normal, point.force,
                      is_closed ? (v - g.normal * g.normal.dot(v)).norm() : 0.0, is_closed,
                      point.sticks, point.impulse.dot(g.normal),
                      rolling_moment(i, g.normal) + drilling_moment(i, g.normal), g.point});
  }
  return combined(points);
}

}  // namespace solidyn::contact
