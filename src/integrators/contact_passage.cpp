#include "integrators/contact_passage.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/error.h"

namespace solidyn::integrators {

using Eigen::Vector3d;
using Eigen::VectorXd;
using system::State;

namespace {

// A normal that has turned by more, as its cosine, may have passed to the other side.
constexpr double kTurned = 0.5;
// Of the search for the least gap on the way of a step; each takes a third off the interval.
constexpr int kSearches = 24;

// Along the increment of the step. The gap of convex shapes that do not turn is convex in it.
double least_gap_on_the_way(system::System& system, const ContactPoints& points,
                            const State& before, const State& s, const VectorXd& n, int point) {
  State work = s.clone();
  const auto gap = [&](double part) {
    system.advance(before.q, part * n, work.q);
    system.update(work);
    return points.gap(point);
  };
  double low = 0.0, high = 1.0, least = std::min(gap(low), gap(high));
  for (int i = 0; i < kSearches; ++i) {
    const double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
    const double gap_a = gap(a), gap_b = gap(b);
    least = std::min({least, gap_a, gap_b});
    (gap_a < gap_b ? high : low) = gap_a < gap_b ? b : a;
  }
  system.update(s);
  return least;
}

}  // namespace

std::vector<Vector3d> normals_of(const ContactPoints& points) {
  std::vector<Vector3d> normals;
  normals.reserve(points.size());
  for (int i = 0; i < points.size(); ++i)
    normals.push_back(!points.is_moment(i) && points.exists(i) ? points.normal(i)
                                                               : Vector3d(Vector3d::Zero()));
  return normals;
}

void require_no_passage(system::System& system, const ContactPoints& points, const State& before,
                        const State& s, const VectorXd& n, const std::vector<Vector3d>& normals,
                        const std::vector<Vector3d>& now) {
  for (int i = 0; i < points.size(); ++i) {
    if (now[i].dot(normals[i]) >= kTurned || now[i].isZero(0.0) || normals[i].isZero(0.0)) continue;
    if (points.is_closed(before, i)) continue;
    if (least_gap_on_the_way(system, points, before, s, n, i) >= 0.0) continue;
    throw base::ComputationError(fmt::format(
        "the step is too long: the bodies of {} pass through each other within it\n  try a smaller `step`, or `adaptive` with a smaller `maximum_step`",
        points.path(i)));
  }
}

}  // namespace solidyn::integrators
