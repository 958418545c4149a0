#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/track/alignment.h"

namespace solidyn::track {
namespace {

constexpr double kLeastRadius = 20.0;  // m
constexpr double kSteepest = 0.5;      // rise over s; rack railways have 0.48
constexpr double kLongestTrack = 1e7;  // m; its plan is tabulated
constexpr double kSameLength = 1e-6;   // m

using Notes = std::vector<AlignmentNote>;

void check_length(double length, double blend, const char* of, const std::string& which,
                  Notes& notes) {
  if (!(length > 0.0 && std::isfinite(length)))
    notes.push_back(
        {of, fmt::format("{} has the length {:g} m", which, length), "give a length above 0"});
  else if (blend > length)
    notes.push_back({of,
                     fmt::format("{} is {:g} m long, shorter than the blend of {:g} m at its ends",
                                 which, length, blend),
                     "make the segment longer, or the blend shorter"});
}

void check_gradient(const GradientSegment& segment, std::size_t number, double blend,
                    Notes& notes) {
  const std::string which = fmt::format("segment {} of the gradients", number);
  check_length(segment.length, blend, "gradients", which, notes);
  for (double gradient : {segment.gradient_from, segment.gradient_to})
    if (!(std::abs(gradient) <= kSteepest)) {
      notes.push_back(
          {"gradients", fmt::format("{} has the gradient {:g}", which, gradient),
           fmt::format("give the rise over the length, {:g} at most: 0.025 for 25 per mille",
                       kSteepest)});
      break;
    }
}

template <class Segment>
double length_of(const std::vector<Segment>& segments) {
  double length = 0.0;
  for (const Segment& segment : segments) length += segment.length;
  return length;
}

void check_segment(const PlanSegment& segment, std::size_t number, const AlignmentDescription& d,
                   Notes& notes) {
  const std::string which = fmt::format("segment {} of the plan", number);
  check_length(segment.length, d.blend, "plan", which, notes);
  for (double curvature : {segment.curvature_from, segment.curvature_to})
    if (!(std::abs(curvature) * kLeastRadius <= 1.0)) {
      notes.push_back({"plan", fmt::format("{} has a radius of {:.4g} m", which, 1.0 / curvature),
                       fmt::format("give radii of {:g} m or more, in metres", kLeastRadius)});
      break;
    }
  for (double cant : {segment.cant_from, segment.cant_to})
    if (!(std::abs(cant) < d.cant_base)) {
      notes.push_back(
          {"plan",
           fmt::format("{} has a cant of {:g} m over a base of {:g} m", which, cant, d.cant_base),
           "give the cant in metres, smaller than its base"});
      break;
    }
}

}  // namespace

std::vector<AlignmentNote> faults_of(const AlignmentDescription& d) {
  Notes notes;
  if (d.plan.empty())
    notes.push_back({"plan", "the track has no segments",
                     "give one or more, for example a straight of 1000 m"});
  if (!(d.cant_base > 0.0))
    notes.push_back({"cant_base", fmt::format("the base of the cant is {:g} m", d.cant_base),
                     "give the distance between the tops of the rails, for example 1.5"});
  if (!(d.blend >= 0.0))
    notes.push_back({"blend", fmt::format("the blend is {:g} m", d.blend), "give 0 or more"});
  bool has_cant = false;
  for (std::size_t i = 0; i < d.plan.size(); ++i) {
    check_segment(d.plan[i], i + 1, d, notes);
    has_cant = has_cant || d.plan[i].cant_from != 0.0 || d.plan[i].cant_to != 0.0;
  }
  for (std::size_t i = 0; i < d.gradients.size(); ++i)
    check_gradient(d.gradients[i], i + 1, d.blend, notes);
  if (const double length = length_of(d.plan); std::isfinite(length) && length > kLongestTrack)
    notes.push_back(
        {"plan", fmt::format("the track is {:g} m long", length), "give lengths in metres"});
  if (has_cant && !d.cant_axis)
    notes.push_back({"cant_axis", "the track has cant, and not said is about what it rolls",
                     "choose the centre or the low rail"});
  return notes;
}

std::vector<AlignmentNote> warnings_about(const AlignmentDescription& d) {
  Notes warnings;
  const auto note = [&](const char* of, const char* what, double s, double from, double to) {
    if (from != to)
      warnings.push_back(
          {of,
           fmt::format("{} jumps at s = {:g} m from {:g} to {:g}; a vehicle gets a jolt there",
                       what, s, from, to),
           "join the segments by one in which it changes: `curvature_to`, `cant_to` or `gradient_to`"});
  };
  double s = 0.0;
  for (std::size_t i = 1; i < d.plan.size(); ++i) {
    s += d.plan[i - 1].length;
    note("plan", "the curvature (1/m), without a transition curve,", s, d.plan[i - 1].curvature_to,
         d.plan[i].curvature_from);
    note("plan", "the cant (m)", s, d.plan[i - 1].cant_to, d.plan[i].cant_from);
  }
  s = 0.0;
  for (std::size_t i = 1; i < d.gradients.size(); ++i) {
    s += d.gradients[i - 1].length;
    note("gradients", "the gradient", s, d.gradients[i - 1].gradient_to,
         d.gradients[i].gradient_from);
  }
  const double plan = length_of(d.plan), gradients = length_of(d.gradients);
  if (!d.gradients.empty() && std::abs(gradients - plan) > kSameLength)
    warnings.push_back(
        {"gradients",
         fmt::format(
             "the gradients go to s = {:g} m, and the plan to {:g} m: {}", gradients, plan,
             gradients < plan ? "the last gradient goes on from there" : "the rest has no effect"),
         "make them as long as the plan"});
  return warnings;
}

}  // namespace solidyn::track
