// Where a wheelset is against its rails, and where its wheels touch them.
#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/error.h"
#include "wheel_rail/wheel_rail_parts.h"

namespace solidyn::wheel_rail {

using bodies::FramePair;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using railway::AxlePosition;

namespace {

// m/s: what statics moves with to measure work, or where it relaxes, is no running.
constexpr double kAtRest = 1e-4;

}  // namespace

bool WheelRailForce::is_at_rest(const FramePair& f) const {
  return f.B.v.norm() + options_.radius * f.B.w.norm() < kAtRest;
}

// With the rails moved by d and turned by D since t = 0, in the track's axes:
//   offset = D^T (R_T^T (p - p_T) - d),  axle = D^T R_T^T a
WheelRailForce::Motion WheelRailForce::motion(const FramePair& f) const {
  Motion m;
  m.at = track::track_position(track_->alignment, f.B.p, s_);
  const Matrix3d& R_T = m.at.frame.R;
  Matrix3d D = Matrix3d::Identity();
  Vector3d d = Vector3d::Zero(), d_rate = Vector3d::Zero(), w_D = Vector3d::Zero();
  if (rails_move_) {
    const Matrix3d R_0 = R_track_start_.transpose();
    D = R_0 * f.A.R * R_rails_;
    d = R_0 * (f.A.p - p_start_);
    d_rate = R_0 * f.A.v;
    w_D = R_rails_.transpose() * f.A.w;
  }
  m.R = R_T * D;
  m.offset = D.transpose() * (m.at.offset - d);
  const Vector3d axle_W = f.B.R.col(1), w_W = f.B.R * f.B.w;
  m.axle = m.R.transpose() * axle_W;

  const Vector3d v_T = R_T.transpose() * f.B.v;
  m.s_rate = v_T.x() / m.at.g.x();
  m.g = D.transpose() * m.at.g;
  m.w_track = D.transpose() * m.at.frame.w;
  m.offset_rate = D.transpose() * (v_T - m.at.g * m.s_rate - d_rate) - w_D.cross(m.offset);
  m.axle_turn = m.R.transpose() * w_W.cross(axle_W);
  m.axle_rate = m.axle_turn - m.s_rate * m.w_track.cross(m.axle) - w_D.cross(m.axle);

  const Vector3d v_rel = m.R.transpose() * f.B.v - D.transpose() * d_rate - w_D.cross(m.offset);
  m.speed = v_rel.x();
  m.is_at_rest = is_at_rest(f);
  m.angle = angle_about_axle(m.R, f.B.R);
  m.spin = options_.turns ? 0.0 : m.speed / options_.radius;
  m.v = v_rel;
  m.w = m.R.transpose() * w_W - w_D + m.spin * m.axle;
  // An iterate of a step may be slower, or go backwards; remember() looks at what it comes to.
  if (!m.is_at_rest && !runs_) refuse_standing(m.speed, m.at.s);
  m.creep_speed = std::max(m.speed, kLeastSpeed);
  return m;
}

void WheelRailForce::refuse_standing(double speed, double s) const {
  if (speed > kLeastSpeed) return;
  throw base::ComputationError(fmt::format(
      "{}: the wheelset moves along the track with {:.4g} m/s at s = {:.6g} m; creepages are velocities over that speed and need it to be forward, above {:g} m/s",
      name(), speed, s, kLeastSpeed));
}

namespace {

// Against a rail that is where the track's design and its deviation put it, and that its material
// moves.
AxlePosition rates_against(const track::Deviation& up, const track::Deviation& left,
                           const RailDeflection& moving, Side side, const Vector3d& offset_rate,
                           const Vector3d& axle_rate, double s_rate) {
  const double sign = side == kLeft ? 1.0 : -1.0;
  return {sign * (offset_rate.y() - left.first * s_rate - moving.left_rate),
          offset_rate.z() - up.first * s_rate - moving.up_rate, outwards(side, axle_rate)};
}

track::Deviation operator+(const track::Deviation& a, const track::Deviation& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}

}  // namespace

RailDeflection WheelRailForce::deflection(Side side, double s) const {
  return options_.rails ? under_.at(*options_.rails, side == kLeft, s) : RailDeflection();
}

WheelRailForce::Contact WheelRailForce::find_contact(Side side, const Motion& m,
                                                     bool by_rates) const {
  return find_contact(side, m, by_rates, deflection(side, m.at.s));
}

WheelRailForce::Contact WheelRailForce::find_contact(Side side, const Motion& m, bool by_rates,
                                                     const RailDeflection& deflection) const {
  const railway::RailOverlap& overlap = *options_.contact[side];
  const double sign = side == kLeft ? 1.0 : -1.0;
  Contact contact;
  contact.deflection = deflection;
  contact.up = track_->irregularities.vertical(side == kLeft, m.at.s) + deflection.up;
  contact.left = track_->irregularities.lateral(side == kLeft, m.at.s) + deflection.left;
  contact.position = {sign * (m.offset.y() - contact.left.value), m.offset.z() - contact.up.value,
                      outwards(side, m.axle)};
  contact.rates = rates_against(contact.up, contact.left, deflection, side, m.offset_rate,
                                m.axle_rate, m.s_rate);
  std::vector<railway::OverlapPatch> found;
  overlap.compute(contact.position, contact.rates, options_.damping, found, by_rates);
  for (const railway::OverlapPatch& part : found) {
    Patch patch;
    patch.share = part.share;
    patch.sums = part.sums;
    patch.shape = overlap.equivalent(part.sums, contact.position);
    patch.ellipse = overlap.ellipse(part, patch.shape, contact.position);
    patch.coefficients = railway::kalker_coefficients(patch.ellipse.along / patch.ellipse.across,
                                                      overlap.material().poissons_ratio);
    contact.patches.push_back(patch);
  }
  if (found.empty() && overlap.largest_overlap(contact.position) <= -0.2)
    throw base::ComputationError(fmt::format(
        "{}: the {} wheel has left its rail at s = {:.6g} m, where the wheelset is {:.4g} m beside and {:.4g} m above the track",
        name(), side == kLeft ? "left" : "right", m.at.s, m.offset.y(), m.offset.z()));
  return contact;
}

WheelRailForce::Contacts WheelRailForce::find_contacts(const Motion& m, bool by_rates) const {
  return {find_contact(kLeft, m, by_rates), find_contact(kRight, m, by_rates)};
}

// The same place with velocities little different, of which normal forces know by their damping.
void WheelRailForce::move_on(Side side, const Motion& m, Contact& contact) const {
  const AxlePosition rates = rates_against(contact.up, contact.left, contact.deflection, side,
                                           m.offset_rate, m.axle_rate, m.s_rate);
  Eigen::Matrix<double, 5, 1> change;
  change << rates.y - contact.rates.y, rates.z - contact.rates.z, rates.axle - contact.rates.axle;
  for (Patch& patch : contact.patches) {
    const Eigen::Matrix<double, 5, 1> by = patch.sums.by_rate * change;
    patch.sums.force_y += by[0];
    patch.sums.force_z += by[1];
    patch.sums.on_axle += by.tail<3>();
    const Eigen::Vector2d force(patch.sums.force_y, patch.sums.force_z);
    patch.shape.normal_force = force.norm();
    patch.shape.normal = force / patch.shape.normal_force;
  }
}

}  // namespace solidyn::wheel_rail
