#pragma once
#include "solidyn/track/alignment.h"

namespace solidyn::track {

/// s of the track's cross section through a point: (p - p(s)) . x(s) = 0.
/// @param guess  from which it is found, m; away by less than the track's radii
/// @throws base::ComputationError off the ends of the track, or where there is none near the guess
double station_of(const Alignment& alignment, const Eigen::Vector3d& point, double guess);

/// The cross section nearest to a point, without a guess.
double find_station(const Alignment& alignment, const Eigen::Vector3d& point);

/// Position and direction of something relative to the track's frame at its own s, and how they
/// change as it moves: for what an axle or a car body tells about its place.
struct TrackPosition {
  double s = 0.0;                                    ///< m
  TrackFrame frame;                                  ///< there
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();  ///< in the track's axes, m; x is zero
  /// d(offset)/ds at a fixed point is -g; its x part is 1 but for curvature.
  Eigen::Vector3d g = Eigen::Vector3d::UnitX();
};
TrackPosition track_position(const Alignment& alignment, const Eigen::Vector3d& point,
                             double guess);

}  // namespace solidyn::track
