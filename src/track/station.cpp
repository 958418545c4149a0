#include "solidyn/track/station.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "solidyn/base/error.h"

namespace solidyn::track {

using Eigen::Vector3d;

// Of f(s) = (p - p(s)) . x(s): f' = -p_s . x + (p - p(s)) . (R (w x e_x)).
TrackPosition track_position(const Alignment& alignment, const Vector3d& point, double guess) {
  constexpr int kMostSteps = 50;
  TrackPosition at;
  at.s = guess;
  for (int i = 0; i < kMostSteps; ++i) {
    at.frame = alignment.at(at.s);
    at.offset = at.frame.R.transpose() * (point - at.frame.p);
    at.g = at.frame.R.transpose() * at.frame.p_s + at.frame.w.cross(at.offset);
    if (!(at.g.x() > 0.1)) break;
    const double step = at.offset.x() / at.g.x();
    // Roundoff of the step is that of coordinates.
    if (std::abs(step) < 1e-13 * (1.0 + point.norm())) {
      at.offset.x() = 0.0;
      return at;
    }
    at.s += step;
  }
  throw base::ComputationError(fmt::format(
      "no cross section of the track goes through ({:.4g}, {:.4g}, {:.4g}) m near s = {:.4g} m",
      point.x(), point.y(), point.z(), guess));
}

double station_of(const Alignment& alignment, const Vector3d& point, double guess) {
  return track_position(alignment, point, guess).s;
}

double find_station(const Alignment& alignment, const Vector3d& point) {
  constexpr double kStep = 2.0;  // m
  const int n = std::max(1, static_cast<int>(std::ceil(alignment.length() / kStep)));
  double nearest = 0.0, distance = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= n; ++i) {
    const double s = i == n ? alignment.length() : i * kStep;
    const double d = (point - alignment.at(s).p).squaredNorm();
    if (d < distance) {
      distance = d;
      nearest = s;
    }
  }
  return station_of(alignment, point, nearest);
}

}  // namespace solidyn::track
