#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contact_points.h"
#include "solidyn/base/error.h"

namespace solidyn::railway {
namespace {

constexpr double kCellY = 1.25e-4, kCellRoll = 4e-4;  // m, rad, about
constexpr int kCellsOfYaw = 4;                        // of equal steps of its square
constexpr double kDeepest = 5e-4;                     // m, overlap that cells hold the points of
constexpr double kGrid = 5e-5;                        // m, of the rail's angles

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
};

}  // namespace

/// Angles of the head on a grid.
struct TabulatedSearch::RailAngles {
  double first;
  std::vector<double> angles;

  explicit RailAngles(const RailHead& rail) : first(rail.first() + 1e-9) {
    for (double y = first; rail.reaches(y); y += kGrid)
      angles.push_back(std::atan(rail.at(y).slope()));
  }
  /// Those from y to y, with a grid's width to both sides.
  Interval between(double from, double to) const {
    const int n = static_cast<int>(angles.size());
    const int a = std::clamp(static_cast<int>((from - first) / kGrid) - 1, 0, n);
    const int b = std::clamp(static_cast<int>((to - first) / kGrid) + 3, 0, n);
    Interval result;
    for (int i = a; i < b; ++i) result.add(angles[static_cast<std::size_t>(i)]);
    return result;
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
  const RailAngles rail(online_.pair().rail());
  for (int i = 0; i < n_y_; ++i)
    for (int j = 0; j < n_roll_; ++j)
      for (int k = 0; k < n_yaw_; ++k)
        add_runs({(2 * i + 1) * half_y_ - range.y, (2 * j + 1) * half_roll_ - range.roll,
                  range.yaw * std::sqrt(k / static_cast<double>(n_yaw_)),
                  range.yaw * std::sqrt((k + 1) / static_cast<double>(n_yaw_))},
                 rail);
  starts_.push_back(static_cast<std::uint32_t>(runs_.size()));
}

// A summit lies between two samples only if the angles that the wheel has there and those that the
// rail has below meet somewhere in the cell, and if it may be within kDeepest of the highest.
void TabulatedSearch::add_runs(const Cell& cell, const RailAngles& rail) {
  starts_.push_back(static_cast<std::uint32_t>(runs_.size()));
  const WheelOnRail& pair = online_.pair();
  const auto& samples = pair.samples();
  struct Bounds {
    Interval wheel, rail;
    double overlap = -HUGE_VAL, change = HUGE_VAL;  ///< in the middle; from there on at most
  };
  std::vector<Bounds> bounds(samples.size());
  const double c = std::cos(cell.roll), s = std::sin(cell.roll);
  double surely = -HUGE_VAL;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto& sample = samples[i];
    Bounds& b = bounds[i];
    Interval y, depth;
    double overlap = -HUGE_VAL;
    for (const double yaw : {cell.yaw_from, cell.yaw_to}) {
      const double across = std::cos(yaw), forward = sample.tangent * std::tan(yaw),
                   lean = std::sin(sample.angle) / across;
      // The wheel cannot touch where it leans more.
      if (yaw > 0.0 && !(std::abs(forward) < 1.0 && std::abs(lean) < 1.0)) continue;
      const double U = across * sample.e + (yaw > 0.0 ? std::sin(yaw) * forward * sample.r : 0.0);
      const double R = sample.r * (yaw > 0.0 ? std::sqrt(1.0 - forward * forward) : 1.0);
      const double here = cell.y + c * U + s * R, reach = half_y_ + 1.02 * R * half_roll_;
      y.add(here - reach);
      y.add(here + reach);
      depth.add(s * U - c * R);
      const double leaning = (yaw > 0.0 ? std::asin(lean) : sample.angle) + cell.roll;
      b.wheel.add(leaning - half_roll_);
      b.wheel.add(leaning + half_roll_);
      overlap = std::max(overlap, pair.rail().approximate_height(here) - (s * U - c * R));
    }
    if (!(y.high > y.low)) continue;
    b.rail = rail.between(y.low, y.high);
    if (b.rail.low > b.rail.high) continue;
    const double steepest = std::max(std::abs(b.rail.low), std::abs(b.rail.high));
    b.overlap = overlap;
    b.change = std::tan(std::min(steepest, 1.55)) * (y.high - y.low) + (depth.high - depth.low) +
               1.02 * std::abs(sample.e - pair.tape_circle()) * half_roll_ + 1e-5;
    surely = std::max(surely, b.overlap - b.change);
  }
  const auto may_be = [&](const Bounds& b) {
    return b.rail.low <= b.rail.high &&
           (std::isinf(b.overlap) || b.overlap + b.change >= surely - kDeepest);
  };
  bool is_open = false;
  for (std::size_t i = 0; i + 1 < samples.size(); ++i) {
    const Bounds &a = bounds[i], &b = bounds[i + 1];
    // A joint of sections may be a summit by a step.
    const bool meets = samples[i].section != samples[i + 1].section ||
                       (std::min(a.wheel.low, b.wheel.low) <= std::max(a.rail.high, b.rail.high) &&
                        std::max(a.wheel.high, b.wheel.high) >= std::min(a.rail.low, b.rail.low));
    if (!meets || !(may_be(a) || may_be(b))) {
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
