#include "solidyn/railway/rail_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "bracketed_root.h"
#include "solidyn/base/error.h"

namespace solidyn::railway {
namespace {

using base::InputError;
using Eigen::Vector2d;

constexpr double kStep = 1e-4;             // m, between samples
constexpr double kErrorWhereSteep = 3e-6;  // m, of heights between places
constexpr double kRoundoff = 1e-12;        // m, at joints of sections
constexpr double kLastStep = 1e-9;         // m: after such a step of Newton's the next is roundoff
constexpr double kChord = 5e-5;            // m
// Chords have errors of their own up to these slopes, the last of which is tan(75 degrees).
constexpr std::array<double, 4> kSlopes = {0.12, 0.4, 1.2, 3.7};

/// Calls visit(section, parameter) along the whole curve, at both ends of each section too.
template <class Visit>
void walk(const Profile& profile, const Visit& visit) {
  for (std::size_t s = 0; s < profile.n_sections(); ++s) {
    const double from = profile.from(s), range = profile.to(s) - from;
    const double length = (profile.at(s, profile.to(s)).p - profile.at(s, from).p).norm();
    const int n = std::max(1, static_cast<int>(std::ceil(1.2 * length / kStep)));
    for (int i = 0; i <= n; ++i) visit(s, i == n ? profile.to(s) : from + range * i / n);
  }
}

// The summit between samples: where the slope changes its sign within a section.
Vector2d top_of(const Profile& profile) {
  Vector2d top(0.0, -std::numeric_limits<double>::infinity());
  std::size_t section = std::numeric_limits<std::size_t>::max();
  double parameter = 0.0, rise = 0.0;
  walk(profile, [&](std::size_t s, double t) {
    const CurvePoint here = profile.at(s, t);
    if (here.p.y() > top.y()) top = here.p;
    if (s == section && rise > 0.0 && here.d.y() < 0.0) {
      const auto slope = [&](double x) { return profile.at(s, x).d.y(); };
      const Vector2d p =
          profile.at(s, bracketed_root(slope, parameter, rise, t, here.d.y(), 1e-14)).p;
      if (p.y() > top.y()) top = p;
    }
    section = s;
    parameter = t;
    rise = here.d.y();
  });
  return top;
}

// The innermost point of the head within the gauge's depth below its top at z = 0.
double gauge_point(const Profile& profile, double depth) {
  double innermost = std::numeric_limits<double>::infinity();
  double lowest = std::numeric_limits<double>::infinity();
  std::size_t section = std::numeric_limits<std::size_t>::max();
  double parameter = 0.0, height = 0.0;
  walk(profile, [&](std::size_t s, double t) {
    const CurvePoint here = profile.at(s, t);
    const double above = here.p.y() + depth;
    if (s == section && (above >= 0.0) != (height >= 0.0)) {
      const auto f = [&](double x) { return profile.at(s, x).p.y() + depth; };
      innermost = std::min(
          innermost, profile.at(s, bracketed_root(f, parameter, height, t, above, 1e-14)).p.x());
    }
    if (above >= 0.0) innermost = std::min(innermost, here.p.x());
    if (here.p.x() < 0.0) lowest = std::min(lowest, here.p.y());
    section = s;
    parameter = t;
    height = above;
  });
  if (lowest > -depth)
    throw InputError(
        fmt::format(
            "the rail profile {} ends {:.3g} mm below its top on the gauge side, and the gauge is measured {:g} mm below",
            profile.name(), -1e3 * lowest, 1e3 * depth),
        "use a profile of the whole head, or measure the gauge nearer to the top");
  if (!std::isfinite(innermost))
    throw InputError(
        fmt::format(
            "the gauge is measured {:g} mm below the top of the rail profile {}, nearer than "
            "its points are",
            1e3 * depth, profile.name()),
        "measure it where the flange meets the rail, for example 0.014 m below");
  return innermost;
}

double checked_inclination(const RailPlacement& placement) {
  constexpr double kSteepest = 0.5;
  if (!(std::abs(placement.inclination) <= kSteepest))
    throw InputError(fmt::format("the inclination of the rails is {:g}", placement.inclination),
                     fmt::format("give its tangent, {:g} at most: 0.025 for 1:40", kSteepest));
  return placement.inclination;
}

}  // namespace

RailHead::RailHead(const Profile& rail, const RailPlacement& placement)
    : profile_(rail.moved(std::atan(checked_inclination(placement)), Vector2d::Zero())) {
  Vector2d shift(0.0, -top_of(profile_).y());
  profile_ = profile_.moved(0.0, shift);
  const Vector2d sideways(0.5 * placement.gauge - gauge_point(profile_, placement.gauge_depth),
                          0.0);
  profile_ = profile_.moved(0.0, sideways);
  origin_ = shift + sideways;
  if (!(placement.gauge > 0.2))
    throw InputError(fmt::format("the gauge is {:g} m", placement.gauge),
                     "give the gauge in metres, for example 1.435");
  find_places();
}

RailHead::RailHead(const Profile& rail, double y)
    : profile_(rail.moved(0.0, {y, 0.0})), origin_(y, 0.0) {
  find_places();
}

void RailHead::find_places() {
  std::vector<Place> all;
  std::size_t top = 0;
  double highest = -std::numeric_limits<double>::infinity();
  std::vector<bool> goes_out;
  walk(profile_, [&](std::size_t s, double t) {
    const CurvePoint here = profile_.at(s, t);
    if (here.p.y() > highest) {
      highest = here.p.y();
      top = all.size();
    }
    all.push_back({here.p.x(), here.p.y(), s, t});
    goes_out.push_back(here.d.x() > 1e-9 * here.d.norm());
  });
  std::size_t first = top, last = top;
  while (first > 0 && goes_out[first - 1] && all[first - 1].y <= all[first].y + kRoundoff) --first;
  while (last + 1 < all.size() && goes_out[last + 1] && all[last + 1].y >= all[last].y - kRoundoff)
    ++last;
  places_.assign(all.begin() + static_cast<std::ptrdiff_t>(first),
                 all.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  const auto n = static_cast<std::size_t>(std::ceil((this->last() - this->first()) / kStep));
  cells_per_metre_ = static_cast<double>(n) / (this->last() - this->first());
  std::size_t place = 0;
  for (std::size_t i = 0; i <= n; ++i) {
    const double y = this->first() + static_cast<double>(i) / cells_per_metre_;
    while (place + 2 < places_.size() && places_[place + 1].y <= y) ++place;
    in_cells_.push_back(place);
  }
  find_chords();
}

std::size_t RailHead::place_before(double y) const {
  const double cell = std::max(0.0, (y - first()) * cells_per_metre_);
  std::size_t place = in_cells_[std::min(static_cast<std::size_t>(cell), in_cells_.size() - 1)];
  while (place + 2 < places_.size() && places_[place + 1].y <= y) ++place;
  return place;
}

CurvePoint RailHead::at(double y) const {
  const std::size_t place = place_before(y);
  const Place &low = places_[place], &high = places_[place + 1];
  if (low.section != high.section) return profile_.at(high.section, high.parameter);
  double a = low.parameter, b = high.parameter;
  double t = a + (b - a) * (high.y > low.y ? (y - low.y) / (high.y - low.y) : 0.5);
  for (int i = 0; i < 50; ++i) {  // Newton's steps, kept in the bracket
    const CurvePoint here = profile_.at(low.section, t);
    const double miss = here.p.x() - y;
    (miss > 0.0 ? b : a) = t;
    const double step = t - miss / here.d.x();
    const double next_t = step > a && step < b ? step : 0.5 * (a + b);
    if (std::abs(next_t - t) < 1e-16) break;
    t = next_t;
    if (t == step && std::abs(miss) < kLastStep) break;
  }
  return profile_.at(low.section, t);
}

void RailHead::find_chords() {
  first_ = first();
  n_chords_ = std::ceil((last() - first()) / kChord);
  chords_per_metre_ = n_chords_ / (last() - first());
  const auto at_end = [&](int i) {
    return std::clamp(first_ + i / chords_per_metre_, first() + kRoundoff, last() - kRoundoff);
  };
  for (int i = 0; i < static_cast<int>(n_chords_); ++i) {
    const double a = at_end(i), b = at_end(i + 1);
    const double z_a = at(a).p.y(), slope = (at(b).p.y() - z_a) / (b - a);
    const bool has_step = place_before(a) + 1 < place_before(b) &&
                          std::abs(slope) > 10.0 * std::abs(at(0.5 * (a + b)).slope());
    const bool is_steep =
        has_step || std::max(std::abs(at(a).slope()), std::abs(at(b).slope())) > kSlopes.back();
    chords_.push_back({z_a - slope * a, slope, is_steep});
    if (is_steep) continue;
    // A parabola's deviation is largest in the middle.
    const double middle = 0.5 * (a + b),
                 error = std::abs(at(middle).p.y() - z_a - slope * (middle - a));
    for (std::size_t k = 0; k < kSlopes.size(); ++k)
      if (std::abs(slope) < kSlopes[k]) errors_[k] = std::max(errors_[k], 2.0 * error + 1e-12);
  }
}

// Slopes of wheel and rail are the same where they touch, but for the error itself.
double RailHead::height_error(double slope) const {
  for (std::size_t i = 0; i < kSlopes.size(); ++i)
    if (std::abs(slope) < 0.9 * kSlopes[i]) return errors_[i];
  return kErrorWhereSteep;
}

double RailHead::height_between_places(double y) const {
  const std::size_t place = place_before(y);
  const Place &low = places_[place], &high = places_[place + 1];
  const double range = high.y - low.y;
  return range > 0.0 ? low.z + (y - low.y) / range * (high.z - low.z) : high.z;
}

}  // namespace solidyn::railway
