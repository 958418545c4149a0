#pragma once
#include <Eigen/Dense>

namespace solidyn::railway {

/// Axes of a contact patch: t_x along the track, t_y across it in the common tangent plane, to the
/// left, n from the rail into the wheel. They are the columns; the track's axes are x forward, y
/// left, z up.
/// @param angle of the tangent plane, positive as a flange leans   @param is_left  left wheel
Eigen::Matrix3d contact_axes(double angle, bool is_left);

/// Velocity of the wheel's particle relative to the rail's, over the speed: along and across (-),
/// and the relative angular velocity about the normal (1/m). Forces on the wheel oppose them.
struct Creepages {
  double longitudinal = 0.0, lateral = 0.0, spin = 0.0;
};

/// A moving frame at its origin, in the track's axes.
struct Motion {
  Eigen::Vector3d p = Eigen::Vector3d::Zero();  ///< m
  Eigen::Vector3d v = Eigen::Vector3d::Zero();  ///< m/s
  Eigen::Vector3d w = Eigen::Vector3d::Zero();  ///< rad/s
  Eigen::Vector3d velocity_at(const Eigen::Vector3d& c) const { return v + w.cross(c - p); }
};

/// At the point c; the normal part of the relative velocity is left out.
///   xi = t_x . dv / V,  eta = t_y . dv / V,  spin = n . dw / V
/// @param rail of its head, at rest or moving with the track   @param speed V > 0, m/s
/// @throws base::ComputationError for a speed that is not positive
Creepages creepages(const Motion& wheel, const Motion& rail, const Eigen::Vector3d& c,
                    const Eigen::Matrix3d& axes, double speed);

/// x at which a wheel whose axle is turned touches: there the normal meets the axle, since a wheel
/// is a surface of revolution. @param c  with any x   @param normal of the rail, not along the axle
/// @param axle its direction
double contact_along_track(const Eigen::Vector3d& centre, const Eigen::Vector3d& axle,
                           const Eigen::Vector3d& c, const Eigen::Vector3d& normal);

}  // namespace solidyn::railway
