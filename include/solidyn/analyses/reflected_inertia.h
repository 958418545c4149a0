#pragma once
#include <Eigen/Dense>
#include <optional>
#include <vector>

#include "solidyn/analyses/formulation_choice.h"
#include "solidyn/system/frame_mobility.h"

namespace solidyn::analyses {

/// A quantity along three directions at right angles, in which a force or torque has nothing to do
/// with the acceleration along the others, the smallest first; infinity where nothing moves.
struct PrincipalInertia {
  Eigen::Vector3d values = Eigen::Vector3d::Zero();
  Eigen::Matrix3d directions = Eigen::Matrix3d::Identity();  ///< columns, right-handed
};

/// The inertia that a force feels at a place of a mechanism: what stands behind it there.
struct ReflectedInertia {
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  Matrix6 mobility = Matrix6::Zero();  ///< [acceleration; angular one] by [force; torque]
  int n_motions = 0;                   ///< in how many of six directions it moves by itself
  std::optional<Matrix6> inertia;      ///< the inverse, where it moves in all six
  /// Force over acceleration along each axis, kg, by a force along it alone; and torque over
  /// angular acceleration, kg m^2. Infinity where it cannot move so.
  Eigen::Vector3d masses = Eigen::Vector3d::Zero(), moments = Eigen::Vector3d::Zero();
  PrincipalInertia principal_masses, principal_moments;  ///< of forces alone, of torques alone
};

/// @param mobility  of one place, system::frame_mobility()
/// @param mass, length  sizes of the mechanism: what feels more than 10^10 times its mass, or that
/// times the length squared, is round-off of what does not move
ReflectedInertia reflected_inertia(const ReflectedInertia::Matrix6& mobility, double mass,
                                   double length);

/// system::frame_mobility() in the unknowns of a formulation, `recursive` or not; with beams in
/// those of the system in any case. Collective.
/// Leaves kinematics() at the state. Proved by ReflectedInertia.*
Eigen::MatrixXd mobility_of_places(system::System& system, const system::State& state,
                                   const std::vector<bodies::FrameIndex>& places,
                                   system::TwistAxes axes, Formulation formulation);

}  // namespace solidyn::analyses
