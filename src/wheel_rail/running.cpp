// What statics and steady running ask of a wheelset.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "wheel_rail/wheel_rail_parts.h"

namespace solidyn::wheel_rail {

using bodies::FramePair;
using Eigen::Vector3d;

// As stiff as wheels on rails: N/m, and N m/rad where r0 is an arm.
void WheelRailForce::add_brake(const Motion& m, Sums& sums, State& state) const {
  constexpr double kBrake = 1e9;
  const double turning = kBrake * options_.radius * options_.radius;
  const double ahead = m.at.s - s_start_, turned = std::remainder(m.angle - angle_start_, 2 * M_PI);
  sums.by_s -= kBrake * ahead;
  state.moment -= turning * turned * m.axle;
  state.energy += 0.5 * (kBrake * ahead * ahead + turning * turned * turned);
}

// At constant speed, the frame of the track as it is at s goes on turning as it does there.
forces::RunningMotion WheelRailForce::running_motion(const bodies::Kinematics& kinematics,
                                                     double speed) const {
  const bodies::FramePair f = pair(kinematics);
  const track::TrackPosition at = track::track_position(track_->alignment, f.B.p, s_);
  const double s_rate = speed / at.frame.p_s.norm();
  forces::RunningMotion motion;
  motion.w = s_rate * (at.frame.R * at.frame.w);
  motion.v = s_rate * at.frame.p_s - motion.w.cross(at.frame.p);
  motion.change = at.frame.w_s.norm();
  motion.p = f.B.p;
  motion.axle = f.B.R.col(1);
  motion.spin = options_.turns ? speed / options_.radius : 0.0;
  motion.s = at.s;
  constexpr double kNothing = 1e-9;  // m, and its slope: a spline swings a little before it begins
  for (const bool is_left : {true, false})
    for (const track::Deviation& d : {track_->irregularities.vertical(is_left, at.s),
                                      track_->irregularities.lateral(is_left, at.s)})
      motion.is_irregular |= std::abs(d.value) > kNothing || std::abs(d.first) > kNothing;
  return motion;
}

std::string WheelRailForce::unloaded_wheels(const bodies::Kinematics& kinematics) const {
  const State& now = state(pair(kinematics));
  std::string open;
  for (const Side side : {kLeft, kRight})
    if (now.wheels[side].patches.empty())
      open += fmt::format("{}{}", open.empty() ? "" : " and ", side == kLeft ? "left" : "right");
  return open;
}

// Slips are compared with the creepages by which derivatives are differences, 1e-6.
forces::LinearisationLimits WheelRailForce::linearisation_limits(
    const bodies::Kinematics& kinematics, const std::vector<double>& places) const {
  constexpr double kSlips = 1e-5, kSame = 1e-4, kReach = 0.1;  // of friction; m
  const FramePair f = pair(kinematics);
  if (is_at_rest(f)) return {};
  const State& now = state(f);
  forces::LinearisationLimits limits;
  for (const Side side : {kLeft, kRight}) {
    if (!options_.law->has_slope_at_rest && !now.wheels[side].patches.empty()) {
      const railway::Creepages& c = now.wheels[side].patches[0].creepages;
      limits.has_no_slope |= std::hypot(c.longitudinal, c.lateral) < kSlips;
    }
    const double friction = friction_at(side, now.s).start;
    const auto differs = [&](double s) {
      return std::abs(friction_at(side, s).start - friction) > kSame * friction;
    };
    limits.friction_changes |= differs(now.s - kReach) || differs(now.s + kReach) ||
                               std::any_of(places.begin(), places.end(), differs);
  }
  return limits;
}

std::array<std::string, kSides> WheelRailForce::doubts(const bodies::Kinematics& kinematics) const {
  constexpr double kCarries =
      0.05;  // of the wheel's normal forces: less makes no creep to speak of
  std::array<std::string, kSides> doubts;
  const FramePair f = pair(kinematics);
  if (is_at_rest(f)) return doubts;
  const State& now = state(f);
  for (const Side side : {kLeft, kRight}) {
    const std::vector<PatchResult>& patches = now.wheels[side].patches;
    double load = 0.0;
    for (const PatchResult& patch : patches) load += patch.normal_force;
    for (const PatchResult& p : patches) {
      if (p.normal_force < kCarries * load || railway::is_in_kalker_table(p.a / p.b)) continue;
      doubts[side] = fmt::format(
          "{}: at s = {:.6g} m the {} wheel touches its rail, {:.3g} mm {}wards from its tape circle, in a patch of {:.3g} mm along and {:.3g} mm across, a/b = {:.3g}, and Kalker's table of creep coefficients goes from 0.1 to 10: beyond they are his asymptotes that meet it\n  where this touch matters compare with  patch: piotrowski_kik,  whose axes are those of the whole zone of contact, and look at the profiles there (`solidyn conicity`)",
          name(), now.s, side == kLeft ? "left" : "right", 1e3 * std::abs(p.u),
          p.u < 0.0 ? "in" : "out", 1e3 * p.a, 1e3 * p.b, p.a / p.b);
      break;
    }
  }
  return doubts;
}

std::string WheelRailForce::warning_at_start(const bodies::Kinematics& kinematics, double) const {
  constexpr double kSlides = 0.05;  // longitudinal creepage of wheels that do not roll
  const std::string open = unloaded_wheels(kinematics);
  if (!open.empty()) return fmt::format("{} does not touch the {} rail at the start", name(), open);
  constexpr double kJumps = 1e-3;  // m, of which wheels jump
  const Motion m = motion(pair(kinematics));
  for (const Side side : {kLeft, kRight}) {
    const double overlap =
        options_.contact[side]->largest_overlap(find_contact(side, m, false).position);
    if (overlap > kJumps)
      return fmt::format(
          "{}: the {} wheel overlaps its rail by {:.3g} mm at the start; put the middle of the axle about {:.4g} m higher",
          name(), side == kLeft ? "left" : "right", 1e3 * overlap, overlap);
  }
  const State& now = state(pair(kinematics));
  double creepage = 0.0;
  for (const WheelResult& wheel : now.wheels)
    for (const PatchResult& patch : wheel.patches)
      if (std::abs(patch.creepages.longitudinal) > std::abs(creepage))
        creepage = patch.creepages.longitudinal;
  if (!(std::abs(creepage) > kSlides)) return {};
  return fmt::format(
      "{}: the wheels do not roll at the start: their longitudinal creepage is {:.3g}; give the wheelset the angular velocity {:.4g} rad/s about its axle (speed over radius), or choose  spin: rolling",
      name(), creepage, now.speed / options_.radius);
}

}  // namespace solidyn::wheel_rail
