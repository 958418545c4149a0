#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "contact_points.h"
#include "solidyn/base/error.h"

namespace solidyn::railway {
namespace {

constexpr double kCellY = 2.5e-4, kCellRoll = 1e-3;  // m, rad, about
constexpr int kCellsOfYaw = 4;                       // of equal steps of its square
constexpr double kDeepest = 5e-4;                    // m, overlap that cells hold the points of
constexpr double kGrid = 5e-5;                       // m, of the rail's slopes

void check(const ContactRange& range) {
  std::vector<base::Diagnostic> wrong;
  for (const auto& [name, value] : {std::pair<const char*, double>{"lateral position", range.y},
                                    {"roll", range.roll},
                                    {"yaw", range.yaw}})
    if (!(value > 0.0 && value < 0.3))
      wrong.push_back({{},
                       fmt::format("the table of contacts reaches to a {} of {:g}", name, value),
                       "give its half width, in metres or radians: above 0 and below 0.3"});
  if (!wrong.empty()) throw base::InputError(wrong);
}

struct Interval {
  double low = HUGE_VAL, high = -HUGE_VAL;
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  void add(const Interval& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
  }
};

}  // namespace

/// Slopes of the head on a grid, and their ranges over 1, 2, 4 ... points from each.
struct TabulatedSearch::RailSlopes {
  double first;
  std::vector<std::vector<Interval>> ranges;

  explicit RailSlopes(const RailHead& rail) : first(rail.first() + 1e-9) {
    ranges.emplace_back();
    for (double y = first; rail.reaches(y); y += kGrid) {
      const double slope = rail.at(y).slope();
      ranges[0].push_back({slope, slope});
    }
    for (std::size_t width = 1; 2 * width <= ranges[0].size(); width *= 2) {
      const std::vector<Interval>& half = ranges.back();
      std::vector<Interval> whole(half.begin(), half.end() - static_cast<std::ptrdiff_t>(width));
      for (std::size_t i = 0; i < whole.size(); ++i) whole[i].add(half[i + width]);
      ranges.push_back(std::move(whole));
    }
  }
  /// Those from y to y, with a grid's width to both sides; empty beside the head.
  Interval between(double from, double to) const {
    const int n = static_cast<int>(ranges[0].size());
    const int a = std::clamp(static_cast<int>((from - first) / kGrid) - 1, 0, n);
    const int b = std::clamp(static_cast<int>((to - first) / kGrid) + 3, 0, n);
    if (b <= a) return {};
    std::size_t level = 0;
    while ((2 << level) <= b - a) ++level;
    Interval result = ranges[level][static_cast<std::size_t>(a)];
    result.add(ranges[level][static_cast<std::size_t>(b - (1 << level))]);
    return result;
  }
};

/// The samples of a wheel at both ends of a range of yaw, in the plane of the axle: along the axle
/// and below it, and the slope of the line. Where a wheel leans too much to touch it has none.
struct TabulatedSearch::YawedSamples {
  struct End {
    double U = 0.0, R = 0.0, leaning = NAN;
  };
  std::vector<std::array<End, 2>> ends;

  YawedSamples(const WheelOnRail& pair, double from, double to) {
    for (const auto& sample : pair.samples()) {
      std::array<End, 2> both;
      for (std::size_t k = 0; k < 2; ++k) {
        const double yaw = k == 0 ? from : to, across = std::cos(yaw);
        const double forward = yaw > 0.0 ? sample.tangent * std::tan(yaw) : 0.0,
                     lean = yaw > 0.0 ? std::sin(sample.angle) / across : 0.0;
        if (!(std::abs(forward) < 1.0 && std::abs(lean) < 1.0)) continue;
        both[k].U = across * sample.e + std::sin(yaw) * forward * sample.r;
        both[k].R = sample.r * std::sqrt(1.0 - forward * forward);
        both[k].leaning = yaw > 0.0 ? std::asin(lean) : sample.angle;
      }
      ends.push_back(both);
    }
  }
};

TabulatedSearch::TabulatedSearch(WheelOnRail pair, const ContactRange& range,
                                 const ContactOptions& options)
    : online_(std::move(pair), options), range_(range), options_(options) {
  check(range);
  n_y_ = static_cast<int>(std::ceil(2.0 * range.y / kCellY));
  n_roll_ = static_cast<int>(std::ceil(2.0 * range.roll / kCellRoll));
  n_yaw_ = kCellsOfYaw;
  half_y_ = range.y / n_y_;
  half_roll_ = range.roll / n_roll_;
  const RailSlopes rail(online_.pair().rail());
  std::vector<YawedSamples> yawed;
  for (int k = 0; k < n_yaw_; ++k)
    yawed.emplace_back(online_.pair(), range.yaw * std::sqrt(k / static_cast<double>(n_yaw_)),
                       range.yaw * std::sqrt((k + 1) / static_cast<double>(n_yaw_)));
  for (int i = 0; i < n_y_; ++i)
    for (int j = 0; j < n_roll_; ++j)
      for (int k = 0; k < n_yaw_; ++k)
        add_runs((2 * i + 1) * half_y_ - range.y, (2 * j + 1) * half_roll_ - range.roll,
                 yawed[static_cast<std::size_t>(k)], rail);
  starts_.push_back(static_cast<std::uint32_t>(runs_.size()));
}

// A summit lies between two samples only if the angles that the wheel has there and those that the
// rail has below meet somewhere in the cell, and if it may be within kDeepest of the highest.
void TabulatedSearch::add_runs(double y, double roll, const YawedSamples& yawed,
                               const RailSlopes& rail) {
  starts_.push_back(static_cast<std::uint32_t>(runs_.size()));
  const WheelOnRail& pair = online_.pair();
  const auto& samples = pair.samples();
  struct Bounds {
    Interval wheel, rail;                           ///< angles; slopes
    double overlap = -HUGE_VAL, change = HUGE_VAL;  ///< in the middle; from there on at most
  };
  std::vector<Bounds> bounds(samples.size());
  const double c = std::cos(roll), s = std::sin(roll);
  double surely = -HUGE_VAL;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    Bounds& b = bounds[i];
    Interval place, depth, overlap;
    for (const YawedSamples::End& end : yawed.ends[i]) {
      if (std::isnan(end.leaning)) continue;
      const double here = y + c * end.U + s * end.R, reach = half_y_ + 1.02 * end.R * half_roll_;
      place.add({here - reach, here + reach});
      depth.add(s * end.U - c * end.R);
      b.wheel.add({end.leaning + roll - half_roll_, end.leaning + roll + half_roll_});
      overlap.add(pair.rail().approximate_height(here) - (s * end.U - c * end.R));
    }
    if (!(place.high > place.low)) continue;
    b.rail = rail.between(place.low, place.high);
    if (b.rail.low > b.rail.high) continue;
    b.overlap = overlap.high;
    b.change = std::max(std::abs(b.rail.low), std::abs(b.rail.high)) * (place.high - place.low) +
               (depth.high - depth.low) +
               1.02 * std::abs(samples[i].e - pair.tape_circle()) * half_roll_ + 1e-5;
    surely = std::max(surely, b.overlap - b.change);
  }
  const auto may_be = [&](const Bounds& b) {
    return b.rail.low <= b.rail.high &&
           (std::isinf(b.overlap) || b.overlap + b.change >= surely - kDeepest);
  };
  bool is_open = false;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const Bounds &a = bounds[i], &b = bounds[i + 1];
    if (!(may_be(a) || may_be(b))) {
      is_open = false;
      continue;
    }
    Interval wheel = a.wheel, slopes = a.rail;
    wheel.add(b.wheel);
    slopes.add(b.rail);
    // A joint of sections may be a summit by a step.
    const bool meets = samples[i].section != samples[i + 1].section ||
                       (wheel.low <= std::atan(slopes.high) && wheel.high >= std::atan(slopes.low));
    if (!meets) {
      is_open = false;
      continue;
    }
    if (!is_open) runs_.push_back({static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i)});
    runs_.back().last = static_cast<std::uint16_t>(i + 1);
    is_open = true;
  }
}

double TabulatedSearch::samples_in_cell() const {
  double sum = 0.0;
  for (const SampleRun& run : runs_) sum += run.last - run.first + 1;
  return sum / static_cast<double>(n_cells());
}

void TabulatedSearch::find(const WheelPosition& at, std::vector<ContactPoint>& points) const {
  const double y = at.y + range_.y, roll = at.roll + range_.roll, yaw = at.yaw / range_.yaw;
  if (!(y >= 0.0 && y <= 2.0 * range_.y && roll >= 0.0 && roll <= 2.0 * range_.roll &&
        yaw * yaw <= 1.0))
    throw base::ComputationError(fmt::format(
        "a wheelset leaves its table of contacts, which reaches to {:g} mm, a roll of {:g} and a yaw of {:g} rad: it is {:.3f} mm off the centre of the track (outwards on this side), rolled by {:.3g} and yawed by {:.3g} rad; make the table wider if that is meant",
        1e3 * range_.y, range_.roll, range_.yaw, 1e3 * at.y, at.roll, at.yaw));
  const int i = std::min(static_cast<int>(0.5 * y / half_y_), n_y_ - 1),
            j = std::min(static_cast<int>(0.5 * roll / half_roll_), n_roll_ - 1),
            k = std::min(static_cast<int>(yaw * yaw * n_yaw_), n_yaw_ - 1);
  const auto cell = static_cast<std::size_t>((i * n_roll_ + j) * n_yaw_ + k);
  const std::size_t first = starts_[cell], n = starts_[cell + 1] - first;
  if (n == 0 ||
      !find_points(online_.pair(), options_, at, kDeepest, runs_.data() + first, n, points))
    online_.find(at, points);
}

}  // namespace solidyn::railway
