#include "solidyn/wheel_rail/wheel_rail_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/railway/creepage.h"
#include "wheel_rail/differences.h"

namespace solidyn::wheel_rail {

using bodies::FrameMotion;
using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using railway::AxlePosition;

namespace {

constexpr double kLeastSpeed = 1e-3;  // m/s, below which creepages mean nothing

// Across the track left is that of the mirror image.
Vector3d mirrored(Side side, const Vector3d& axial_or_point) {
  return side == kLeft ? axial_or_point
                       : Vector3d(axial_or_point.x(), -axial_or_point.y(), axial_or_point.z());
}
// The axle from its middle outwards, in axes whose y points outwards.
Vector3d outwards(Side side, const Vector3d& axle) {
  return side == kLeft ? axle : Vector3d(-axle.x(), axle.y(), -axle.z());
}

}  // namespace

// The wheelset against its rails, in the rails' axes.
struct WheelRailForce::Motion {
  track::TrackPosition at;
  Matrix3d R;                         // the rails' axes in the world
  Vector3d offset, axle;              // of the wheelset's middle; its direction
  Vector3d offset_rate, axle_rate;    // as the wheelset moves on along the track
  double s_rate = 0.0;
  Vector3d v, w;                      // against the rails' material; with the wheels' spin
  double spin = 0.0;                  // what of w the frame does not have, rad/s
  double speed = 0.0;                 // along the track
  bool is_at_rest = false;
  Vector3d g, w_track;                // as in TrackPosition; of the track's frame by s
};

// Generalised forces of the normal contact.
struct WheelRailForce::Sums {
  double by_s = 0.0, by_y = 0.0, by_z = 0.0;
  Vector3d by_axle = Vector3d::Zero();
};

WheelRailForce::WheelRailForce(std::string name, const bodies::FrameLink& link,
                               std::shared_ptr<const RailTrack> track, WheelRailOptions options,
                               const FrameMotion& rails_at_start, double s)
    : PairForce(std::move(name), link),
      track_(std::move(track)),
      options_(std::move(options)),
      p_start_(rails_at_start.p),
      R_start_(rails_at_start.R),
      rails_move_(link.body_A() != bodies::kGround),
      s_(s) {}

// With the rails moved by d and turned by D since t = 0, in the track's axes:
//   offset = D^T (R_T^T (p - p_T) - d),  axle = D^T R_T^T a
WheelRailForce::Motion WheelRailForce::motion(const FramePair& f) const {
  Motion m;
  m.at = track::track_position(track_->alignment, f.B.p, s_);
  const Matrix3d& R_T = m.at.frame.R;
  Matrix3d D = Matrix3d::Identity();
  Vector3d d = Vector3d::Zero(), d_rate = Vector3d::Zero(), w_D = Vector3d::Zero();
  if (rails_move_) {
    const Matrix3d R_0 = R_start_.transpose();
    D = R_0 * f.A.R;
    d = R_0 * (f.A.p - p_start_);
    d_rate = R_0 * f.A.v;
    w_D = f.A.w;
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
  m.axle_rate = m.R.transpose() * w_W.cross(axle_W) - m.s_rate * m.w_track.cross(m.axle) -
                w_D.cross(m.axle);

  const Vector3d v_rel = m.R.transpose() * f.B.v - D.transpose() * d_rate - w_D.cross(m.offset);
  m.speed = v_rel.x();
  m.is_at_rest = f.B.v.isZero(0.0) && f.B.w.isZero(0.0);
  m.spin = options_.turns ? 0.0 : m.speed / options_.radius;
  m.v = v_rel;
  m.w = m.R.transpose() * w_W - w_D + m.spin * m.axle;
  return m;
}

void WheelRailForce::add_creep(Side side, const railway::OverlapPatch& patch,
                               const AxlePosition& position, const Motion& m, State& state) const {
  const railway::RailOverlap& contact = *options_.contact[side];
  const railway::EquivalentPatch e = contact.equivalent(patch.sums, position);
  PatchResult result;
  result.normal_force = e.normal_force * patch.share;
  result.c = mirrored(side, e.c);
  result.radius = e.radius;
  result.u = e.c.dot(position.axle);
  result.angle = std::atan2(-e.normal.x(), e.normal.y());
  const railway::EllipticContact ellipse = elliptic_contact(e.geometry, contact.material());
  result.a = ellipse.half_axis_along(e.normal_force);
  result.b = ellipse.half_axis_across(e.normal_force);
  WheelResult& wheel = state.wheels[side];
  if (!m.is_at_rest) {
    const Matrix3d axes = railway::contact_axes(result.angle, side == kLeft);
    const Vector3d slip = axes.transpose() * (m.v + m.w.cross(result.c)) / m.speed;
    result.creepages = {slip.x(), slip.y(), axes.col(2).dot(m.w) / m.speed};
    railway::CreepParameters parameters = options_.creep;
    parameters.coefficients =
        railway::kalker_coefficients(result.a / result.b, contact.material().poissons_ratio);
    const double friction = options_.friction[side].at(m.speed * std::hypot(slip.x(), slip.y()));
    const Vector3d force = options_.law->value(
        {result.creepages, e.normal_force, friction, result.a, result.b}, parameters);
    result.force = patch.share * force;
    const Vector3d on_wheel = axes.leftCols<2>() * result.force.head<2>();
    state.force += on_wheel;
    state.moment += result.c.cross(on_wheel) + result.force.z() * axes.col(2);
    const double power =
        m.speed * result.force.dot(Vector3d(slip.x(), slip.y(), result.creepages.spin));
    state.power += power;
    wheel.T_gamma +=
        std::abs(result.force.x() * slip.x()) + std::abs(result.force.y() * slip.y());
    wheel.Q += on_wheel.z();
    wheel.Y -= side == kLeft ? on_wheel.y() : -on_wheel.y();
  }
  wheel.patches.push_back(result);
}

void WheelRailForce::add_wheel(Side side, const Motion& m, Sums& sums, State& state) const {
  const double sign = side == kLeft ? 1.0 : -1.0;
  const track::Deviation up = track_->irregularities.vertical(side == kLeft, m.at.s),
                         left = track_->irregularities.lateral(side == kLeft, m.at.s);
  const AxlePosition position{sign * (m.offset.y() - left.value), m.offset.z() - up.value,
                              outwards(side, m.axle)};
  const AxlePosition rates{sign * (m.offset_rate.y() - left.first * m.s_rate),
                           m.offset_rate.z() - up.first * m.s_rate, outwards(side, m.axle_rate)};
  std::vector<railway::OverlapPatch> patches;
  options_.contact[side]->compute(position, rates, options_.damping, patches);
  for (const railway::OverlapPatch& patch : patches) {
    const railway::OverlapSums& p = patch.sums;
    const double by_y = sign * patch.share * p.force_y, by_z = patch.share * p.force_z;
    sums.by_y += by_y;
    sums.by_z += by_z;
    sums.by_s -= by_y * left.first + by_z * up.first;
    sums.by_axle += patch.share * outwards(side, p.on_axle);
    state.energy += patch.share * p.energy;
    state.power += patch.share * p.damping_power;
    state.wheels[side].Q += by_z;
    state.wheels[side].Y -= sign * by_y;
    add_creep(side, patch, position, m, state);
  }
  std::vector<PatchResult>& results = state.wheels[side].patches;
  std::stable_sort(results.begin(), results.end(), [](const PatchResult& a, const PatchResult& b) {
    return a.normal_force > b.normal_force;
  });
  if (patches.empty() && options_.contact[side]->largest_overlap(position) <= -0.2)
    throw base::ComputationError(fmt::format(
        "{}: the {} wheel has left its rail at s = {:.6g} m, where the wheelset is {:.4g} m beside and {:.4g} m above the track",
        name(), side == kLeft ? "left" : "right", m.at.s, m.offset.y(), m.offset.z()));
}

// At a fixed point the offset changes by -g ds, the axle by -w x a ds; ds = dx / g_x.
WheelRailForce::State WheelRailForce::state(const FramePair& f) const {
  const Motion m = motion(f);
  if (!m.is_at_rest && !(m.speed > kLeastSpeed))
    throw base::ComputationError(fmt::format(
        "{}: the wheelset moves along the track with {:.4g} m/s at s = {:.6g} m; creepages are velocities over that speed and need it to be forward, above {:g} m/s",
        name(), m.speed, m.at.s, kLeastSpeed));
  State state;
  state.s = m.at.s;
  state.speed = m.speed;
  state.R = m.R;
  state.offset = m.offset;
  state.axle = m.axle;
  state.force.setZero();
  state.moment.setZero();
  Sums sums;
  for (const Side side : {kLeft, kRight}) add_wheel(side, m, sums, state);
  const double along = (sums.by_s - sums.by_y * m.g.y() - sums.by_z * m.g.z() -
                        sums.by_axle.dot(m.w_track.cross(m.axle))) /
                       m.g.x();
  state.force += Vector3d(along, sums.by_y, sums.by_z);
  state.moment += m.axle.cross(sums.by_axle);
  // What turns wheels whose frame does not is not in the system.
  state.power -= m.spin * state.moment.dot(m.axle);
  return state;
}

Vector12 WheelRailForce::wrench_of(const FramePair& f, const State& s) const {
  Vector12 w;
  w.segment<3>(6) = s.R * s.force;
  w.tail<3>() = f.B.R.transpose() * (s.R * s.moment);
  if (rails_move_) {
    w.head<3>() = -(f.A.R * s.force);
    w.segment<3>(3) = -(s.moment + s.offset.cross(s.force));
  } else {
    w.head<3>() = -w.segment<3>(6);
    w.segment<3>(3) = -f.A.R.transpose() *
                      (s.R * s.moment + (f.B.p - f.A.p).cross(w.segment<3>(6)));
  }
  return w;
}

Vector12 WheelRailForce::wrench(const FramePair& f, double) const {
  return wrench_of(f, state(f));
}

// Overlaps change over 1e-4 m, creep forces over creepages of 1e-3.
void WheelRailForce::add_derivatives(const FramePair& f, double t, Matrix12& by_position,
                                     Matrix12& by_twist) const {
  const bool is_at_rest = f.B.v.isZero(0.0) && f.B.w.isZero(0.0);
  const DifferenceSteps steps{1e-7, is_at_rest ? 0.0 : 1e-6 * f.B.v.norm()};
  add_differences(f, steps, rails_move_, [&](const FramePair& pair) { return wrench(pair, t); },
                  by_position, by_twist);
}

double WheelRailForce::energy(const FramePair& f, double) const { return state(f).energy; }
double WheelRailForce::power(const FramePair& f, double) const { return state(f).power; }

void WheelRailForce::recall(const Eigen::Ref<const Eigen::VectorXd>& memory) {
  if (memory[0] != 0.0) s_ = memory[1];
}

void WheelRailForce::remember(const bodies::Kinematics& kinematics, double,
                              Eigen::Ref<Eigen::VectorXd> memory) const {
  memory[0] = 1.0;
  memory[1] = track::station_of(track_->alignment, pair(kinematics).B.p, s_);
}

std::string WheelRailForce::warning_at_start(const bodies::Kinematics& kinematics, double) const {
  const State now = state(pair(kinematics));
  std::string open;
  for (const Side side : {kLeft, kRight})
    if (now.wheels[side].patches.empty())
      open += fmt::format("{}{}", open.empty() ? "" : " and ", side == kLeft ? "left" : "right");
  if (open.empty()) return {};
  return fmt::format("does not touch the {} rail at the start", open);
}

}  // namespace solidyn::wheel_rail
