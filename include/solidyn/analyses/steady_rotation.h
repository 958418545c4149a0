#pragma once
#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// A line in the world about which everything turns.
struct RotationAxis {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();       ///< W, m
  Eigen::Vector3d direction = Eigen::Vector3d::UnitZ();  ///< W, unit
  /// The drive that keeps the speed, whose own speed is not asked; or kNoConstraint.
  bodies::ConstraintIndex constraint = bodies::kNoConstraint;
};

/// The steady state in which the whole mechanism turns about an axis with constant speed, bodies
/// deformed by the forces that this takes: Newton's method, from `start`, for
///   M a + h + G^T lambda = 0,  Phi = 0    with velocities and accelerations those of the rotation.
/// A motion that stays free, the rotation itself where no drive keeps it, is left as it is.
/// @param speed rad/s
/// @throws base::ComputationError when there is no steady state near `start`, or a drive or a
/// velocity-level constraint contradicts the rotation. Proved by tests/verification/linearisation.
system::State steady_rotation(system::System& system, const system::State& start,
                              const RotationAxis& axis, double speed);

}  // namespace solidyn::analyses
