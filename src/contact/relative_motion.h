#pragma once
#include "solidyn/contact/geometry.h"

/// How the material of two frames moves against each other at a point, and what forces there do.
namespace solidyn::contact {

/// Velocity of B's material at x less that of A's there = J twist. m/s, W
Matrix3x12 slip_jacobian(const bodies::FramePair& f, const Eigen::Vector3d& x);

/// Angular velocity of B less that of A = J twist. rad/s, W
Matrix3x12 spin_jacobian(const bodies::FramePair& f);

/// Adds the derivative of the wrench J^T M, J = spin_jacobian(), at constant M, a moment on B.
void add_turning_of_moment(const bodies::FramePair& f, const Eigen::Vector3d& M,
                           bodies::Matrix12& by_position);

/// The derivative of J twist by the frames' variations, at constant twists and with x moving by dx.
Matrix3x12 slip_derivative(const bodies::FramePair& f, const Eigen::Vector3d& x,
                           const Matrix3x12& dx);

/// Adds the derivative of the wrench J^T F at constant F, a force on B at the contact point.
void add_turning(const bodies::FramePair& f, const ContactPoint& g, const Eigen::Vector3d& F,
                 bodies::Matrix12& by_position);

}  // namespace solidyn::contact
