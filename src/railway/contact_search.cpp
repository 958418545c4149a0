#include "solidyn/railway/contact_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact_points.h"
#include "patch_curvature.h"
#include "solidyn/base/error.h"

namespace solidyn::railway {
namespace {

struct Variables {
  PositionDual y, z, roll, yaw;
  explicit Variables(const WheelPosition& at)
      : y(PositionDual::variable(at.y, kY)),
        z(PositionDual::variable(at.z, kZ)),
        roll(PositionDual::variable(at.roll, kRoll)),
        yaw(PositionDual::variable(at.yaw, kYaw)) {}
};

/// A point of the wheel's line, from the wheelset's centre, and how the line leans.
struct LinePoint {
  PositionDual x, y, z, angle;
};

// WheelOnRail::overlap() has the formulas. The line's own angle is asin(sin(d) / cos(yaw)).
LinePoint line_point(const Variables& at, const PositionDual& e, const PositionDual& r,
                     const PositionDual& meridian) {
  const PositionDual along = -sin(at.yaw), across = cos(at.yaw), s = sin(meridian);
  const PositionDual tangent = s / cos(meridian), forward = tangent * along / across;
  const PositionDual U = across * e + along * forward * r, R = r * sqrt(1.0 - forward * forward);
  const PositionDual leaning =
      at.yaw.value == 0.0 ? meridian : atan(s / sqrt(across * across - s * s));
  const PositionDual c_roll = cos(at.roll), s_roll = sin(at.roll);
  return {along * e - across * forward * r, c_roll * U + s_roll * R, s_roll * U - c_roll * R,
          leaning + at.roll};
}

/// A point of the wheel that moves along its meridian so that it remains an extremum.
struct MovingPoint {
  LinePoint line;
  PositionDual rail_z, overlap, radius, meridian, wheel_curvature, rail_curvature;
};

// With the miss m = atan(slope of the rail) - angle of the line, which is to remain zero, the
// parameter moves by dt = -m_q / m_t dq.
MovingPoint moving_point(const WheelOnRail& pair, const Variables& at, const WheelPlace& place) {
  const CurvePoint wheel = pair.wheel().at(place.section, place.parameter);
  const double rate = wheel.d.norm(), meridian = std::atan2(wheel.d.y(), wheel.d.x());
  const auto line = [&](const PositionDual& t) {
    return line_point(at, pair.tape_circle() + wheel.p.x() + wheel.d.x() * t,
                      pair.radius() - wheel.p.y() - wheel.d.y() * t,
                      meridian + wheel.curvature() * rate * t);
  };
  PositionDual t(0.0);
  const LinePoint fixed = line(t);
  const CurvePoint rail = pair.rail().at(at.y.value + fixed.y.value);
  const double turning = rail.curvature() * rail.d.norm() / rail.d.x();  // of the rail, over y
  if (!place.is_joint) {
    // In place of the unused derivative by z, that by t.
    const LinePoint by_t = line(PositionDual::variable(0.0, kZ));
    const double miss_t = turning * by_t.y.by[kZ] - by_t.angle.by[kZ];
    t.by = -(turning * (at.y.by + fixed.y.by) - fixed.angle.by) / miss_t;
  }
  MovingPoint p;
  p.line = line(t);
  p.line.y = at.y + p.line.y;
  const PositionDual along_rail = (p.line.y - rail.p.x()) / rail.d.x();
  p.rail_z = PositionDual(rail.p.y()) + rail.d.y() * along_rail;
  p.overlap = p.rail_z - p.line.z - at.z;
  p.radius = pair.radius() - wheel.p.y() - wheel.d.y() * t;
  p.meridian = meridian + wheel.curvature() * rate * t;
  p.wheel_curvature = wheel.curvature() + wheel.curvature_slope() * t;
  p.rail_curvature = -(PositionDual(rail.curvature()) + rail.curvature_slope() * along_rail);
  return p;
}

std::string place_of(const WheelPosition& at) {
  return fmt::format(
      "where the wheelset is {:.3f} mm off the centre of the track (outwards on this side), {:.3f} mm high, rolled by {:.3g} and yawed by {:.3g} rad",
      1e3 * at.y, 1e3 * at.z, at.roll, at.yaw);
}

// Saddles matter where the overlap is connected.
std::vector<PositionDual> saddles_between(const WheelOnRail& pair, const WheelPosition& at,
                                          const std::vector<WheelPlace>& summits) {
  std::vector<PositionDual> saddles;
  for (std::size_t i = 0; i + 1 < summits.size(); ++i) {
    const WheelPlace valley = pair.valley_between(at, summits[i], summits[i + 1]);
    const auto there = valley.lift > at.z
                           ? fixed_overlap(pair, at, valley.section, valley.parameter)
                           : std::nullopt;
    saddles.push_back(there ? there->overlap : PositionDual(-1.0));
  }
  return saddles;
}

}  // namespace

std::optional<FixedOverlap> fixed_overlap(const WheelOnRail& pair, const WheelPosition& at,
                                          std::size_t section, double parameter) {
  const CurvePoint wheel = pair.wheel().at(section, parameter);
  const double leaning = at.yaw == 0.0 ? 0.0 : wheel.slope() * std::tan(at.yaw);
  if (!(wheel.d.x() > 0.0 && std::abs(leaning) < 0.9)) return std::nullopt;
  const Variables variables(at);
  const LinePoint line =
      line_point(variables, pair.tape_circle() + wheel.p.x(), pair.radius() - wheel.p.y(),
                 std::atan2(wheel.d.y(), wheel.d.x()));
  const double y = at.y + line.y.value;
  if (!pair.rail().reaches(y)) return std::nullopt;
  const CurvePoint rail = pair.rail().at(y);
  const PositionDual rail_z = PositionDual(rail.p.y()) + rail.slope() * (variables.y + line.y - y);
  return FixedOverlap{rail_z - line.z - variables.z, y, rail.slope() - std::tan(line.angle.value)};
}

bool find_points(const WheelOnRail& pair, const ContactOptions& options, const WheelPosition& at,
                 double deepest, const SampleRun* runs, std::size_t n_runs,
                 std::vector<ContactPoint>& points) {
  points.clear();
  std::vector<WheelPlace> summits;
  const double top = pair.find_summits(at, {at.z, HUGE_VAL}, runs, n_runs, summits);
  summits.erase(std::remove_if(summits.begin(), summits.end(),
                               [&](const WheelPlace& place) { return !(place.lift > at.z); }),
                summits.end());
  if (top - at.z > deepest) return false;
  if (summits.empty()) {
    const bool touches = top > at.z + WheelOnRail::kSampleError;
    if (n_runs > 0) return !touches && !std::isinf(top);
    if (std::isinf(top))
      throw base::ComputationError("the wheel is beside its rail " + place_of(at));
    if (touches)
      throw base::ComputationError("the wheel touches its rail with the end of a profile " +
                                   place_of(at));
    return true;
  }
  const Variables variables(at);
  std::vector<MovingPoint> moving;
  std::vector<PositionDual> overlaps;
  for (const WheelPlace& place : summits) {
    moving.push_back(moving_point(pair, variables, place));
    overlaps.push_back(moving.back().overlap);
  }
  if (summits.size() > 1) overlaps = divide_overlap(overlaps, saddles_between(pair, at, summits));
  for (std::size_t i = 0; i < summits.size(); ++i) {
    if (!(overlaps[i].value > 0.0)) continue;
    const MovingPoint& p = moving[i];
    ContactPoint point;
    point.approach = overlaps[i] * cos(p.line.angle);
    point.x = p.line.x;
    point.y = p.line.y;
    point.z = p.rail_z;
    point.angle = p.line.angle;
    point.radius = p.radius;
    point.u = pair.wheel().at(summits[i].section, summits[i].parameter).p.x();
    point.A = cos(p.meridian) / (2.0 * p.radius);
    point.B = options.curvature == PatchCurvature::local
                  ? 0.5 * (p.wheel_curvature + p.rail_curvature)
                  : curvature_of_overlap(pair, at, summits[i], overlaps[i], p.line.angle);
    point.is_bounded = !(point.B.value > options.least_curvature);
    if (point.is_bounded) point.B = PositionDual(options.least_curvature);
    points.push_back(point);
  }
  return true;
}

OnlineSearch::OnlineSearch(WheelOnRail pair, const ContactOptions& options)
    : pair_(std::move(pair)), options_(options) {
  if (!(options.least_curvature > 0.0))
    throw base::InputError(fmt::format("the least relative curvature of wheel and rail is {:g} 1/m",
                                       options.least_curvature),
                           "give a positive one, for example 0.05");
}

void OnlineSearch::find(const WheelPosition& at, std::vector<ContactPoint>& points) const {
  find_points(pair_, options_, at, HUGE_VAL, nullptr, 0, points);
}

}  // namespace solidyn::railway
