#include "solidyn/railway/wheel_on_rail.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::railway {
namespace {

constexpr double kSampleStep = 2e-4;  // m, along the wheel's meridian
constexpr double kOutside = -std::numeric_limits<double>::infinity();
constexpr double kLeastStep = 1e-12;  // m: smaller steps at joints of sections are roundoff

// Between samples the overlap rises by no more than curvature step^2 / 8 over the cosine of the
// contact angle: that is a fillet of 2 mm at 75 degrees, and 3e-6 m of RailHead::height_error().
static_assert(WheelOnRail::kSampleError >= 1.2e-5 + 3e-6);

// Whole blocks of samples are skipped where the samples beside them are lower than what is looked
// for by more than the overlap of the same fillet rises within a block.
constexpr int kBlock = 8;
constexpr double kBlockRise = 6.5e-4;  // m
static_assert(kBlockRise >= kBlock * kBlock * 9.7e-6);

}  // namespace

/// The position of the wheelset, with sines and cosines.
struct WheelOnRail::Turn {
  double y, c, s;        ///< of the roll
  double along, across;  ///< the axle's part along the track, and the rest
  explicit Turn(const WheelPosition& at)
      : y(at.y),
        c(std::cos(at.roll)),
        s(std::sin(at.roll)),
        along(-std::sin(at.yaw)),
        across(std::cos(at.yaw)) {}
};

/// Rail over wheel at a point of the wheel's line, the wheelset's centre at z = 0.
struct WheelOnRail::Overlap {
  double value = 0.0;                     ///< m
  double mismatch = 0.0, by_place = 0.0;  ///< slope over the line's rate, and its derivative
  double rate = 0.0;                      ///< length of the projected line by the parameter
  double slope() const { return rate * mismatch; }
  CurvePoint wheel, rail;
  double angle = 0.0;
};

/// Of the sample that was evaluated last, as the end of an interval and the start of the next.
struct WheelOnRail::Known {
  std::size_t sample = std::numeric_limits<std::size_t>::max();
  std::optional<Overlap> overlap;
};

WheelOnRail::WheelOnRail(Profile wheel, double radius, double tape_circle, RailHead rail)
    : wheel_(std::move(wheel)), radius_(radius), tape_circle_(tape_circle), rail_(std::move(rail)) {
  for (std::size_t s = 0; s < wheel_.n_sections(); ++s) {
    const double from = wheel_.from(s), to = wheel_.to(s);
    const double length = (wheel_.at(s, to).p - wheel_.at(s, from).p).norm();
    const int n = std::max(1, static_cast<int>(std::ceil(1.2 * length / kSampleStep)));
    for (int i = 0; i <= n; ++i) {
      const double t = i == n ? to : from + (to - from) * i / n;
      const CurvePoint here = wheel_.at(s, t);
      const double tangent = here.d.x() > 0.0 ? here.slope() : HUGE_VAL;
      samples_.push_back({s, t, tape_circle_ + here.p.x(), radius_ - here.p.y(), tangent,
                          std::atan2(here.d.y(), here.d.x()), rail_.height_error(tangent), here});
    }
  }
  if (samples_.size() > std::numeric_limits<std::uint16_t>::max())
    throw base::InputError(fmt::format("the wheel profile {} is too long", wheel_.name()),
                           "check the unit of length of the file");
}

// With the axle's part a along the track and b across it, the normal is across the track where the
// radius points forward by -tan(d) a/b of itself, d the meridian's angle. Seen along the track the
// point lies b e + r tan(d) a^2/b along the axle and r sqrt(1 - (tan(d) a/b)^2) below it, and the
// line leans by asin(sin(d)/b).
std::optional<WheelOnRail::Overlap> WheelOnRail::overlap(std::size_t section, double parameter,
                                                         const Turn& turn) const {
  return overlap(wheel_.at(section, parameter), turn);
}

std::optional<WheelOnRail::Overlap> WheelOnRail::overlap(const CurvePoint& wheel,
                                                         const Turn& turn) const {
  Overlap o;
  o.wheel = wheel;
  const double n = o.wheel.d.norm(), c = o.wheel.d.x() / n, s = o.wheel.d.y() / n;
  const double turning = o.wheel.curvature() * n;
  double U = tape_circle_ + o.wheel.p.x(), R = radius_ - o.wheel.p.y(), c_l = c, s_l = s,
         line_turning = turning;
  o.rate = n;
  if (turn.along != 0.0) {
    const double tangent = s / c, forward = tangent * turn.along / turn.across,
                 share = turn.along * turn.along / turn.across;
    if (!(c > 0.0 && std::abs(forward) < 0.9)) return std::nullopt;
    s_l = s / turn.across;
    c_l = std::sqrt(1.0 - s_l * s_l);
    line_turning = turning * c / (turn.across * c_l);
    o.rate = (turn.across * n * c + share * (R * turning / (c * c) - n * s * tangent)) / c_l;
    U = turn.across * U + share * R * tangent;
    R *= std::sqrt(1.0 - forward * forward);
  }
  const double y = turn.y + turn.c * U + turn.s * R;
  if (!rail_.reaches(y)) return std::nullopt;
  o.rail = rail_.at(y);
  const double cos = c_l * turn.c - s_l * turn.s, sin = s_l * turn.c + c_l * turn.s;
  const double m = o.rail.slope(), square = 1.0 + m * m;
  o.value = o.rail.p.y() - (turn.s * U - turn.c * R);
  o.mismatch = m * cos - sin;
  o.by_place = o.rail.curvature() * square * std::sqrt(square) * o.rate * cos * cos -
               (m * sin + cos) * line_turning;
  o.angle = std::atan2(sin, cos);
  return o;
}

// As overlap(), the square root by two terms where their error is below 1e-7 of r.
void WheelOnRail::approximate_overlaps(int first, int last, const Turn& turn,
                                       double* overlaps) const {
  const double share = turn.along / turn.across, c = turn.c, s = turn.s;
  for (int i = first; i <= last; ++i, ++overlaps) {
    const Sample& sample = samples_[static_cast<std::size_t>(i)];
    double U = sample.e, R = sample.r;
    if (turn.along != 0.0) {
      const double forward = sample.tangent * share, square = forward * forward;
      U = turn.across * U + turn.along * forward * R;
      R *= square < 0.01 ? 1.0 - square * (0.5 + 0.125 * square) : std::sqrt(1.0 - square);
    }
    // Where the wheel cannot touch there the root is not a number, and neither is the overlap.
    const double value = rail_.approximate_height(turn.y + c * U + s * R) - (s * U - c * R);
    *overlaps = value == value ? value : kOutside;
  }
}

// Of all samples; left out are those between two of which neither is within kBlockRise of `lift`.
void WheelOnRail::approximate_high_overlaps(double lift, const Turn& turn, double* overlaps) const {
  const int end = static_cast<int>(samples_.size()) - 1;
  if (lift == kOutside) return approximate_overlaps(0, end, turn, overlaps);
  const auto is_high = [&](int i) { return overlaps[i] > lift - kBlockRise; };
  const auto is_outside = [&](int i) { return overlaps[i] == kOutside; };
  approximate_overlaps(0, 0, turn, overlaps);
  for (int from = 0, to = 0; from < end; from = to) {
    to = std::min(from + kBlock, end);
    approximate_overlaps(to, to, turn, overlaps + to);
    const bool has_joint = samples_[static_cast<std::size_t>(from)].section !=
                           samples_[static_cast<std::size_t>(to)].section;
    if (is_high(from) || is_high(to) || has_joint || is_outside(from) != is_outside(to))
      approximate_overlaps(from + 1, to - 1, turn, overlaps + from + 1);
  }
}

WheelRailContact WheelOnRail::contact_of(const WheelPlace& place, const Turn& turn) const {
  const Overlap at = *overlap(place.section, place.parameter, turn);
  WheelRailContact contact;
  contact.lift = at.value;
  contact.u = at.wheel.p.x();
  contact.radius = radius_ - at.wheel.p.y();
  contact.y = at.rail.p.x();
  contact.z = at.rail.p.y();
  contact.angle = at.angle;
  contact.wheel_angle = std::atan2(at.wheel.d.y(), at.wheel.d.x());
  contact.wheel_curvature = at.wheel.curvature();
  contact.rail_curvature = -at.rail.curvature();
  return contact;
}

// Newton's steps within a bracket, which is halved where they leave it or are slow: the slope is
// only piecewise smooth.
double WheelOnRail::extremum(std::size_t section, const Turn& turn, double a, double b,
                             double start, bool is_summit) const {
  constexpr double kLastStep = 1e-9;  // m: after such a step of Newton's the next is roundoff
  const double roundoff = 1e-15 * (std::abs(a) + std::abs(b));
  double t = start, last = b - a;
  for (int i = 0; i < 100 && b - a > roundoff; ++i) {
    const std::optional<Overlap> here = overlap(section, t, turn);
    if (!here || here->mismatch == 0.0) break;
    ((here->slope() > 0.0) == is_summit ? a : b) = t;
    double next = t - here->mismatch / here->by_place;
    const bool is_newton = next > a && next < b && (i == 0 || std::abs(next - t) < 0.5 * last);
    if (!is_newton) next = 0.5 * (a + b);
    last = std::abs(next - t);
    t = next;
    if (is_newton && last * here->rate < kLastStep) break;
  }
  return t;
}

namespace {

// At a joint of sections slope and height may jump. A side that rises towards it ends in a summit
// if the other falls from there, or begins lower.
template <class Overlap>
bool is_corner(const Overlap& side, double direction, const Overlap& other) {
  return direction * side.slope() >= 0.0 &&
         (direction * other.slope() < 0.0 || other.value < side.value - kLeastStep);
}

}  // namespace

void WheelOnRail::add_summits(std::size_t i, const Turn& turn, Known& known,
                              std::vector<WheelPlace>& found) const {
  const Sample& here = samples_[i];
  const std::optional<Overlap> at = known.sample == i ? known.overlap : overlap(here.point, turn);
  if (!at) return;
  if (i > 0 && samples_[i - 1].section != here.section) {
    const Sample& before = samples_[i - 1];
    if (const auto end = overlap(before.point, turn)) {
      if (is_corner(*end, 1.0, *at))
        found.push_back({before.section, before.parameter, end->value, i - 1, true});
      if (is_corner(*at, -1.0, *end))
        found.push_back({here.section, here.parameter, at->value, i, true});
    }
  }
  if (i + 1 == samples_.size() || samples_[i + 1].section != here.section || !(at->slope() > 0.0))
    return;
  const double next = samples_[i + 1].parameter;
  const std::optional<Overlap> after = overlap(samples_[i + 1].point, turn);
  known = {i + 1, after};
  if (!after || after->slope() > 0.0) return;
  const double start =
      here.parameter + (next - here.parameter) * at->mismatch / (at->mismatch - after->mismatch);
  const double t = extremum(here.section, turn, here.parameter, next, start, true);
  found.push_back({here.section, t, overlap(here.section, t, turn)->value, i, false});
}

double WheelOnRail::find_summits(const WheelPosition& position, const Lowest& lowest,
                                 const SampleRun* runs, std::size_t n_runs,
                                 std::vector<WheelPlace>& found) const {
  const Turn turn(position);
  const SampleRun all{0, static_cast<std::uint16_t>(samples_.size() - 1)};
  if (n_runs == 0) {
    runs = &all;
    n_runs = 1;
  }
  std::size_t length = 0;
  for (std::size_t k = 0; k < n_runs; ++k) length += runs[k].last - runs[k].first + 3u;
  std::vector<double> rough(length, kOutside);  // of all runs, with a neighbour on both sides
  const int end = static_cast<int>(samples_.size()) - 1;
  double* of_run = rough.data();
  for (std::size_t k = 0; k < n_runs; ++k, of_run += runs[k - 1].last - runs[k - 1].first + 3) {
    const int first = std::max(0, runs[k].first - 1), last = std::min(end, runs[k].last + 1);
    double* from = of_run + (first - runs[k].first + 1);
    if (runs == &all)
      approximate_high_overlaps(lowest.lift, turn, from);
    else
      approximate_overlaps(first, last, turn, from);
  }
  const double top = *std::max_element(rough.begin(), rough.end());
  const double least = std::max(lowest.lift, top - lowest.below_top) - kSampleError;
  Known known;
  std::size_t at = 1, next_interval = 0;  // the first interval that was not looked at
  for (std::size_t k = 0; k < n_runs; ++k, at += 2)
    for (std::size_t i = runs[k].first; i <= runs[k].last; ++i, ++at) {
      const double here = rough[at];
      const double error = 2.0 * samples_[i].height_error;
      // Beside a summit at least one sample is no lower than its neighbours.
      if (here == kOutside || here < least || here < rough[at - 1] - error ||
          here < rough[at + 1] - error)
        continue;
      for (std::size_t interval = std::max(next_interval, i > 0 ? i - 1 : 0); interval <= i;
           ++interval)
        add_summits(interval, turn, known, found);
      next_interval = i + 1;
      if (i + 1 < samples_.size() && samples_[i + 1].section != samples_[i].section) {
        add_summits(i + 1, turn, known, found);
        next_interval = i + 2;
      }
    }
  // Both sides of a joint of sections without a step are one summit.
  const auto is_the_same = [&](const WheelPlace& a, const WheelPlace& b) {
    return b.sample - a.sample <= 1 && std::abs(a.lift - b.lift) < kLeastStep &&
           (wheel_.at(a.section, a.parameter).p - wheel_.at(b.section, b.parameter).p).norm() <
               1e-9;
  };
  found.erase(std::unique(found.begin(), found.end(), is_the_same), found.end());
  return top;
}

// Between neighbouring summits the overlap falls to one valley and rises from there: of a sample it
// matters on which side it is.
WheelPlace WheelOnRail::valley_between(const WheelPosition& position, const WheelPlace& a,
                                       const WheelPlace& b) const {
  const Turn turn(position);
  WheelPlace lowest = a.lift < b.lift ? a : b;
  const auto consider = [&](const WheelPlace& place) {
    if (place.lift < lowest.lift) lowest = place;
  };
  std::size_t i = a.sample, after = b.is_joint ? b.sample : b.sample + 1;
  while (after - i > 1) {
    const std::size_t middle = (i + after) / 2;
    const std::optional<Overlap> here = overlap(samples_[middle].point, turn);
    if (!here)
      return {samples_[middle].section, samples_[middle].parameter, kOutside, middle, true};
    (here->slope() < 0.0 ? i : after) = middle;
  }
  // In the interval behind sample i, and at a joint of sections at both of its sides.
  const Sample& sample = samples_[i];
  const bool is_last = i == b.sample;
  const double from = i == a.sample ? a.parameter : sample.parameter;
  const auto start = overlap(sample.section, from, turn);
  if (!start) return lowest;
  consider({sample.section, from, start->value, i, true});
  if (!is_last && samples_[i + 1].section != sample.section) {
    const Sample& next = samples_[i + 1];
    if (const auto end = overlap(next.point, turn))
      consider({next.section, next.parameter, end->value, i + 1, true});
    return lowest;
  }
  const double to = is_last ? b.parameter : samples_[i + 1].parameter;
  if (!(to > from)) return lowest;
  const double t = extremum(sample.section, turn, from, to, 0.5 * (from + to), false);
  if (const auto there = overlap(sample.section, t, turn))
    consider({sample.section, t, there->value, i, false});
  return lowest;
}

std::vector<WheelRailContact> WheelOnRail::touching(double y, double roll, double depth) const {
  const WheelPosition position{y, 0.0, roll, 0.0};
  std::vector<WheelPlace> summits;
  find_summits(position, {kOutside, depth + kSampleError}, nullptr, 0, summits);
  if (summits.empty())
    throw base::ComputationError(fmt::format(
        "wheel and rail do not meet within their profiles where the wheelset is {:.3f} mm off the centre of the track and rolled by {:.3g} rad",
        1e3 * y, roll));
  double top = kOutside;
  for (const WheelPlace& place : summits) top = std::max(top, place.lift);
  std::vector<WheelRailContact> found;
  for (const WheelPlace& place : summits)
    if (place.lift >= top - depth) found.push_back(contact_of(place, Turn(position)));
  return found;
}

WheelRailContact WheelOnRail::contact(double y, double roll) const {
  const std::vector<WheelRailContact> all = touching(y, roll, 0.0);
  return *std::max_element(all.begin(), all.end(),
                           [](const auto& a, const auto& b) { return a.lift < b.lift; });
}

}  // namespace solidyn::railway
