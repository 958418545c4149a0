#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "bracketed_root.h"
#include "solidyn/base/error.h"
#include "solidyn/railway/wheelset_geometry.h"

namespace solidyn::railway {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;

constexpr double kSampleStep = 2e-4;  // m, along the wheel's meridian
constexpr double kTableError = 3e-6;  // m, of RailHead::approximate_height()
constexpr double kOutside = -std::numeric_limits<double>::infinity();

// Between samples the overlap rises by no more than curvature step^2 / 8 over the cosine of the
// contact angle: that is a fillet of 2 mm at 75 degrees.
constexpr double kBetweenSamples = 1.2e-5;

constexpr double kLeastStep = 1e-12;  // m: smaller steps at joints of sections are roundoff

}  // namespace

// At a joint of sections slope and height may jump. A side that rises towards it ends in a summit
// if the other falls from there, or begins lower.
bool WheelOnRail::is_summit(const Overlap& side, double direction, const Overlap& other) {
  return direction * side.slope >= 0.0 &&
         (direction * other.slope < 0.0 || other.value < side.value - kLeastStep);
}

WheelOnRail::WheelOnRail(Profile wheel, double radius, double tape_circle, RailHead rail)
    : wheel_(std::move(wheel)), radius_(radius), tape_circle_(tape_circle), rail_(std::move(rail)) {
  for (std::size_t s = 0; s < wheel_.n_sections(); ++s) {
    const double from = wheel_.from(s), to = wheel_.to(s);
    const double length = (wheel_.at(s, to).p - wheel_.at(s, from).p).norm();
    const int n = std::max(1, static_cast<int>(std::ceil(1.2 * length / kSampleStep)));
    for (int i = 0; i <= n; ++i) {
      const double t = i == n ? to : from + (to - from) * i / n;
      const Vector2d p = wheel_.at(s, t).p;
      samples_.push_back({s, t, {tape_circle_ + p.x(), p.y() - radius_}});
    }
  }
}

// Of the rail over the wheel's lower meridian, the wheelset's centre at (y, 0).
std::optional<WheelOnRail::Overlap> WheelOnRail::overlap(std::size_t section, double parameter,
                                                         double y, const Matrix2d& R) const {
  const CurvePoint local = wheel_.at(section, parameter);
  Overlap result;
  result.wheel = {
      R * Vector2d(tape_circle_ + local.p.x(), local.p.y() - radius_) + Vector2d(y, 0.0),
      R * local.d, R * local.dd};
  if (!rail_.reaches(result.wheel.p.x())) return std::nullopt;
  result.rail = rail_.at(result.wheel.p.x());
  result.value = result.rail.p.y() - result.wheel.p.y();
  result.slope = result.rail.slope() * result.wheel.d.x() - result.wheel.d.y();
  return result;
}

WheelRailContact WheelOnRail::contact_of(const Overlap& at, std::size_t section,
                                         double parameter) const {
  const CurvePoint local = wheel_.at(section, parameter);
  WheelRailContact contact;
  contact.lift = at.value;
  contact.u = local.p.x();
  contact.radius = radius_ - local.p.y();
  contact.y = at.wheel.p.x();
  contact.z = at.rail.p.y();
  contact.angle = std::atan2(at.wheel.d.y(), at.wheel.d.x());
  contact.wheel_angle = std::atan2(local.d.y(), local.d.x());
  contact.wheel_curvature = local.curvature();
  contact.rail_curvature = -at.rail.curvature();
  return contact;
}

std::vector<double> WheelOnRail::approximate_overlaps(double y, const Matrix2d& R) const {
  std::vector<double> overlaps(samples_.size(), kOutside);
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const double y_i = y + R.row(0).dot(samples_[i].p);
    if (rail_.reaches(y_i))
      overlaps[i] = rail_.approximate_height(y_i) - R.row(1).dot(samples_[i].p);
  }
  return overlaps;
}

void WheelOnRail::add_summits(std::size_t i, double y, const Matrix2d& R, KnownOverlap& known,
                              std::vector<WheelRailContact>& found) const {
  const Sample& here = samples_[i];
  const std::optional<Overlap> at =
      known.sample == i ? known.overlap : overlap(here.section, here.parameter, y, R);
  if (!at) return;
  if (i > 0 && samples_[i - 1].section != here.section) {
    const Sample& before = samples_[i - 1];
    if (const auto end = overlap(before.section, before.parameter, y, R)) {
      if (is_summit(*end, 1.0, *at))
        found.push_back(contact_of(*end, before.section, before.parameter));
      if (is_summit(*at, -1.0, *end))
        found.push_back(contact_of(*at, here.section, here.parameter));
    }
  }
  if (i + 1 == samples_.size() || samples_[i + 1].section != here.section || !(at->slope > 0.0))
    return;
  const double next = samples_[i + 1].parameter;
  const std::optional<Overlap> after = overlap(here.section, next, y, R);
  known = {i + 1, after};
  if (!after || !(after->slope < 0.0)) return;
  const double t = bracketed_root([&](double x) { return overlap(here.section, x, y, R)->slope; },
                                  here.parameter, at->slope, next, after->slope, 1e-16);
  found.push_back(contact_of(*overlap(here.section, t, y, R), here.section, t));
}

std::vector<WheelRailContact> WheelOnRail::touching(double y, double roll, double depth) const {
  const Matrix2d R = Eigen::Rotation2Dd(roll).toRotationMatrix();
  const std::vector<double> rough = approximate_overlaps(y, R);
  const double lowest =
      *std::max_element(rough.begin(), rough.end()) - depth - kBetweenSamples - kTableError;
  std::vector<WheelRailContact> found;
  KnownOverlap known{samples_.size(), std::nullopt};
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const bool is_near = rough[i] >= lowest || (i + 1 < samples_.size() && rough[i + 1] >= lowest);
    if (is_near && rough[i] != kOutside) add_summits(i, y, R, known, found);
  }
  if (found.empty())
    throw base::ComputationError(fmt::format(
        "wheel and rail do not meet within their profiles where the wheelset is {:.3f} mm off the centre of the track and rolled by {:.3g} rad",
        1e3 * y, roll));
  double top = kOutside;
  for (const WheelRailContact& contact : found) top = std::max(top, contact.lift);
  // Both sides of a joint of sections without a step are one summit.
  const auto is_the_same = [](const WheelRailContact& a, const WheelRailContact& b) {
    return std::abs(a.u - b.u) < 1e-9 && std::abs(a.lift - b.lift) < kLeastStep;
  };
  found.erase(std::unique(found.begin(), found.end(), is_the_same), found.end());
  const auto is_lower = [&](const WheelRailContact& c) { return c.lift < top - depth; };
  found.erase(std::remove_if(found.begin(), found.end(), is_lower), found.end());
  return found;
}

WheelRailContact WheelOnRail::contact(double y, double roll) const {
  const std::vector<WheelRailContact> all = touching(y, roll, 0.0);
  return *std::max_element(all.begin(), all.end(),
                           [](const auto& a, const auto& b) { return a.lift < b.lift; });
}

}  // namespace solidyn::railway
