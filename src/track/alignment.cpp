#include "solidyn/track/alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::track {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Knot = RoundedLine::Knot;

// m: beyond its ends the track goes on as it is there, for iterations and differences.
constexpr double kContinued = 0.05;
constexpr double kStationStep = 5.0;  // m, between tabulated places of the plan

// Gauss-Legendre points and weights on (0, 1), order 16: between stations to roundoff.
constexpr std::array<std::array<double, 2>, 8> kGauss = {
    {{0.019855071751231884, 0.050614268145188130},
     {0.10166676129318664, 0.11119051722668724},
     {0.23723379504183550, 0.15685332293894364},
     {0.40828267875217510, 0.18134189168918099},
     {0.59171732124782490, 0.18134189168918099},
     {0.76276620495816450, 0.15685332293894364},
     {0.89833323870681336, 0.11119051722668724},
     {0.98014492824876812, 0.050614268145188130}}};

/// Knots of something that segments say at both ends; level without segments.
template <class Segment, class Ends>
RoundedLine line_of(const std::vector<Segment>& segments, double blend, const Ends& ends) {
  std::vector<Knot> knots;
  double s = 0.0;
  for (const Segment& segment : segments) {
    const auto [from, to] = ends(segment);
    if (knots.empty()) knots.push_back({s, from, from});
    knots.back().after = from;
    s += segment.length;
    knots.push_back({s, to, to});
  }
  if (knots.empty()) knots.push_back({});
  return RoundedLine(std::move(knots), blend);
}

// Rolled about the low rail, the centre rises by half the cant, whichever rail is the higher one:
// with a knot more where the cant changes its sign.
RoundedLine rise_of(const AlignmentDescription& d) {
  std::vector<PlanSegment> parts;
  for (const PlanSegment& segment : d.plan) {
    if (segment.cant_from * segment.cant_to >= 0.0) {
      parts.push_back(segment);
      continue;
    }
    PlanSegment first = segment, second = segment;
    first.length = segment.length * segment.cant_from / (segment.cant_from - segment.cant_to);
    second.length = segment.length - first.length;
    first.cant_to = second.cant_from = 0.0;
    parts.push_back(first);
    parts.push_back(second);
  }
  const double share = d.cant_axis == CantAxis::low_rail ? 0.5 : 0.0;
  return line_of(parts, d.blend, [share](const PlanSegment& p) {
    return std::pair(share * std::abs(p.cant_from), share * std::abs(p.cant_to));
  });
}

AlignmentDescription checked(AlignmentDescription description) {
  std::vector<base::Diagnostic> faults;
  for (AlignmentNote& fault : faults_of(description))
    faults.push_back({{}, std::move(fault.what), std::move(fault.remedy)});
  if (!faults.empty()) throw base::InputError(faults);
  return description;
}

}  // namespace

Alignment::Alignment(AlignmentDescription description)
    : description_(checked(std::move(description))),
      curvature_(line_of(
          description_.plan, description_.blend,
          [](const PlanSegment& p) { return std::pair(p.curvature_from, p.curvature_to); })),
      gradient_(line_of(
          description_.gradients, description_.blend,
          [](const GradientSegment& g) { return std::pair(g.gradient_from, g.gradient_to); })),
      cant_(line_of(description_.plan, description_.blend,
                    [](const PlanSegment& p) { return std::pair(p.cant_from, p.cant_to); })),
      rise_(rise_of(description_)) {
  for (const PlanSegment& segment : description_.plan) length_ += segment.length;
  tabulate_plan();
}

// Stations at the ends of what is rounded, too, so that Gauss' points see a smooth heading.
void Alignment::tabulate_plan() {
  stations_ = {0.0};
  double s = 0.0;
  const auto add = [this](double station) {
    if (station > stations_.back() + 1e-9 && station < length_) stations_.push_back(station);
  };
  for (const PlanSegment& segment : description_.plan) {
    const double end = s + segment.length, half = 0.5 * description_.blend;
    add(s + half);
    for (double next = s + half + kStationStep; next < end - half; next += kStationStep) add(next);
    add(end - half);
    add(end);
    s = end;
  }
  places_.assign(1, Vector2d::Zero());
  for (std::size_t i = 1; i < stations_.size(); ++i) places_.push_back(plan_at(stations_[i]));
}

// From the station before.
Vector2d Alignment::plan_at(double s) const {
  const auto last = stations_.begin() + static_cast<std::ptrdiff_t>(places_.size());
  const auto next = std::lower_bound(stations_.begin() + 1, last, s);
  const auto i = static_cast<std::size_t>(next - stations_.begin()) - 1;
  const double from = stations_[i], range = s - from;
  Vector2d place = places_[i];
  for (const auto& [point, weight] : kGauss) {
    const double heading = curvature_.at(from + range * point).integral;
    place += range * weight * Vector2d(std::cos(heading), std::sin(heading));
  }
  return place;
}

TrackFrame Alignment::at(double s) const {
  if (!(s >= -kContinued && s <= length_ + kContinued))
    throw base::ComputationError(fmt::format(
        "s = {:.6g} m is off the track, which goes from 0 to {:.6g} m: make its `plan` longer", s,
        length_));
  const RoundedLine::Values k = curvature_.at(s), g = gradient_.at(s), c = cant_.at(s),
                            up = rise_.at(s);
  TrackFrame frame;
  frame.heading = k.integral;
  frame.curvature = k.value;
  frame.gradient = g.value;
  const Vector2d plan = plan_at(s), along(std::cos(frame.heading), std::sin(frame.heading));
  frame.p << plan, g.integral + up.value;
  frame.p_s << along, g.value + up.first;
  frame.p_ss << -k.value * along.y(), k.value * along.x(), g.first + up.second;

  // R = R_z(heading) R_y(-slope) R_x(roll); roll = -asin(cant / base)
  const double slope = std::atan(g.value), q = 1.0 / (1.0 + g.value * g.value);
  const double slope_s = g.first * q, slope_ss = g.second * q - 2.0 * g.value * slope_s * slope_s;
  const double sine = c.value / description_.cant_base, cosine = std::sqrt(1.0 - sine * sine);
  const double sine_s = c.first / description_.cant_base, roll_s = -sine_s / cosine;
  const double roll_ss = -c.second / (description_.cant_base * cosine) -
                         sine * sine_s * sine_s / (cosine * cosine * cosine);
  frame.roll = -std::asin(sine);
  frame.R = (Eigen::AngleAxisd(frame.heading, Vector3d::UnitZ()) *
             Eigen::AngleAxisd(-slope, Vector3d::UnitY()) *
             Eigen::AngleAxisd(frame.roll, Vector3d::UnitX()))
                .toRotationMatrix();
  // What heading and slope turn, in axes before the roll, and its derivative; then the roll.
  const double sb = std::sin(slope), cb = std::cos(slope);
  const Vector3d u(k.value * sb, -slope_s, k.value * cb);
  const Vector3d u_s(k.first * sb + k.value * cb * slope_s, -slope_ss,
                     k.first * cb - k.value * sb * slope_s);
  const Eigen::Matrix3d X = Eigen::AngleAxisd(-frame.roll, Vector3d::UnitX()).toRotationMatrix();
  frame.w = X * u + roll_s * Vector3d::UnitX();
  frame.w_s = X * u_s + Vector3d(roll_ss, roll_s * frame.w.z(), -roll_s * frame.w.y());
  return frame;
}

}  // namespace solidyn::track
