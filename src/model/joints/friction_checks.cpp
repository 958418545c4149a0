#include "model/joints/friction_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace solidyn::model {
namespace {

// Of the static coefficient.
constexpr double kReached = 0.9;
// Slip speeds are tried this far below and above the two of the law, in these ratios.
constexpr double kBeyond = 10.0, kRatio = 1.02;

double largest_coefficient(const contact::Friction& f) {
  double largest = f.dynamic_coefficient;
  const double first = std::min(f.transition_speed, f.stribeck_speed) / kBeyond,
               last = std::max(f.transition_speed, f.stribeck_speed) * kBeyond;
  for (double v = first; v < last; v *= kRatio) largest = std::max(largest, f.factor(v * v) * v);
  return largest;
}

}  // namespace

void warn_of_unreached_static(const TableView& view, const contact::Friction& friction) {
  if (friction.dynamic_coefficient >= friction.static_coefficient) return;
  const double largest = largest_coefficient(friction);
  if (largest >= kReached * friction.static_coefficient) return;
  view.report().warning(
      view.where("stribeck_speed"),
      fmt::format(
          "{} is {:g}, but the effective coefficient never exceeds {:.3g}: the coefficient falls over `stribeck_speed` before friction has built up over `transition_speed`",
          view.path("static"), friction.static_coefficient, largest),
      "give a `transition_speed` of a tenth of `stribeck_speed` or less");
}

}  // namespace solidyn::model
