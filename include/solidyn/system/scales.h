#pragma once
#include <Eigen/Core>

/// Sizes of a mechanism, by which to measure residuals and increments of different units. Proved by
/// Scales.*.
namespace solidyn::system {

class System;

/// A length of the mechanism: the largest distance of bodies and frames from their centroid, or
/// the largest radius of gyration of a body; at least 1e-6 m. @pre System::update()
double characteristic_length(const System& system);

/// Weights that turn an increment [n_v] into displacements relative to the characteristic length.
Eigen::VectorXd increment_weights(const System& system, double length);

/// The largest diagonal entry of the tangents of bodies and forces at the kinematics of
/// System::update(), as force per displacement (rotations times `length`), N/m; 0 without any. What
/// equations of statics are scaled by.
double largest_stiffness(System& system, double length);

/// Of all bodies, kg.
double total_mass(const System& system);

}  // namespace solidyn::system
