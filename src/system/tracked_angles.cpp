#include "solidyn/system/tracked_angles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace solidyn::system {
namespace {

using Eigen::VectorXd;

constexpr double kTurn = 2.0 * M_PI;
// Of half a turn, beyond which a turn one way is taken for one the other way.
constexpr double kSurely = 0.9;

}  // namespace

bodies::AngleIndex TrackedAngles::add(const bodies::FrameLink& link,
                                      const bodies::AngleOfDots& angle) {
  const auto found = std::find_if(tracked_.begin(), tracked_.end(), [&](const Tracked& t) {
    return !t.other && t.link.frame_A() == link.frame_A() && t.link.frame_B() == link.frame_B() &&
           t.angle == angle;
  });
  if (found != tracked_.end()) return bodies::AngleIndex(found - tracked_.begin());
  return tracked_.push_back({link, angle, std::nullopt, nullptr});
}

bodies::AngleIndex TrackedAngles::add(const bodies::FrameLink& link,
                                      std::shared_ptr<const bodies::TrackedCoordinate> coordinate) {
  return tracked_.push_back({link, bodies::RotationAngle(), std::nullopt, std::move(coordinate)});
}

void TrackedAngles::update(double t, const VectorXd& accepted, bodies::Kinematics& k) const {
  for (const bodies::AngleIndex i : tracked_.indices()) {
    const Tracked& tracked = tracked_[i];
    const double near = tracked.law ? tracked.law->value(t) : accepted[i.value()];
    bodies::FramePair pair = tracked.link.pair(k);
    pair.angle = near;
    k.angles[i] = tracked.other ? tracked.other->follow(pair)
                                : near + std::remainder(tracked.angle.wrapped(pair) - near, kTurn);
  }
}

void TrackedAngles::require_possible(double t, const bodies::Kinematics& k) const {
  for (const bodies::AngleIndex i : tracked_.indices())
    if (tracked_[i].other) tracked_[i].other->require_possible(k.angles[i], t);
}

VectorXd TrackedAngles::values(const bodies::Kinematics& k) const {
  return Eigen::Map<const VectorXd>(k.angles.data(), size());
}

// 1 or -1 where `other` turns with `driven` or against it; 0 where they are different motions.
double TrackedAngles::sense_of(const Tracked& driven, const Tracked& other,
                               const bodies::Kinematics& k) {
  constexpr double kParallel = 0.999;
  const bodies::AngleOfDots about_z = bodies::RotationAngle();
  if (other.law || other.other || !(other.angle == about_z) || !(driven.angle == about_z))
    return 0.0;
  const bodies::FrameLink &a = driven.link, &b = other.link;
  const bool is_same = a.body_A() == b.body_A() && a.body_B() == b.body_B();
  const bool is_reverse = a.body_A() == b.body_B() && a.body_B() == b.body_A();
  if (!is_same && !is_reverse) return 0.0;
  const double cosine = k.frames[a.frame_A()].R.col(2).dot(k.frames[b.frame_A()].R.col(2));
  if (std::abs(cosine) < kParallel) return 0.0;
  return (cosine > 0.0) == is_same ? 1.0 : -1.0;
}

VectorXd TrackedAngles::aligned_values(const bodies::Kinematics& k) const {
  VectorXd angles = values(k);
  for (const bodies::AngleIndex d : tracked_.indices()) {
    if (!tracked_[d].law) continue;
    for (const bodies::AngleIndex i : tracked_.indices()) {
      const double sense = sense_of(tracked_[d], tracked_[i], k);
      if (sense == 0.0) continue;
      const double near = sense * angles[d.value()];
      double& angle = angles[i.value()];
      angle = near + std::remainder(angle - near, kTurn);
    }
  }
  return angles;
}

double TrackedAngles::turn_of(bodies::AngleIndex index, const bodies::Kinematics& k,
                              const Layout& layout, const VectorXd& increment) const {
  const Tracked& tracked = tracked_[index];
  const bodies::FrameLink& of = tracked.link;
  bodies::FramePair pair = of.pair(k);
  if (tracked.other) pair.angle = k.angles[index];
  Eigen::RowVectorXd row(of.n_columns());
  of.set_row(k, tracked.other ? tracked.other->row(pair) : tracked.angle.value(pair).J, row);
  double turn = 0.0;
  Eigen::Index column = 0;
  for (const BodyIndex body : of.bodies()) {
    const int n = of.n_velocities(body);
    turn += row.segment(column, n).dot(increment.segment(layout.velocity_offset(body), n));
    column += n;
  }
  return turn;
}

double TrackedAngles::largest_turn(const bodies::Kinematics& k, const Layout& layout,
                                   const VectorXd& increment) const {
  double largest = 0.0;
  for (const bodies::AngleIndex i : tracked_.indices()) {
    if (tracked_[i].law) continue;
    const double per_unit = tracked_[i].other ? tracked_[i].other->turn_per_unit(k.angles[i]) : 1.0;
    largest = std::max(largest, std::abs(turn_of(i, k, layout, increment) * per_unit));
  }
  return largest;
}

std::string TrackedAngles::objection_to_angle(bodies::AngleIndex index, const bodies::Kinematics& k,
                                              double turn, double before) const {
  const Tracked& tracked = tracked_[index];
  const double counted = k.angles[index] - before;
  const bool is_counted =
      tracked.law ? std::abs(turn - counted) <= M_PI : std::abs(turn) <= kSurely * M_PI;
  if (is_counted) return {};
  const auto name = [&](bodies::FrameIndex frame) { return k.frame_definitions[frame].name; };
  return fmt::format("{} rotates by {:.3g} turns relative to {}, {}", name(tracked.link.frame_B()),
                     turn / kTurn, name(tracked.link.frame_A()),
                     tracked.law ? fmt::format("its drive by {:.3g}", counted / kTurn)
                                 : "too far to count full turns");
}

std::string TrackedAngles::rejection(const bodies::Kinematics& k, const Layout& layout,
                                     const VectorXd& increment, const VectorXd& before) const {
  for (const bodies::AngleIndex i : tracked_.indices()) {
    const double turn = turn_of(i, k, layout, increment);
    const auto& other = tracked_[i].other;
    std::string rejection = other ? other->rejection(before[i.value()], k.angles[i], turn)
                                  : objection_to_angle(i, k, turn, before[i.value()]);
    if (!rejection.empty()) return rejection;
  }
  return {};
}

}  // namespace solidyn::system
