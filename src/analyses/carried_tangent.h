#pragma once
#include <functional>

#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// Derivatives of the residual where bodies move as one, with the velocity v + w x p of what they
/// are carried by, and the acceleration that belongs to it.
struct CarriedTangent {
  Eigen::MatrixXd J;  ///< by positions, with which velocities and accelerations go, and multipliers
  Eigen::MatrixXd D;  ///< by velocities alone
  Eigen::MatrixXd M;  ///< by accelerations alone; all [n_v + n_lambda, square]
};

/// @param w_W rad/s   @param is_carried  of a body; the rates of the others do not go with
/// positions
/// @pre System::update(state)
CarriedTangent carried_tangent(system::System& system, const system::State& state,
                               const Eigen::Vector3d& w_W,
                               const std::function<bool(bodies::BodyIndex)>& is_carried);

}  // namespace solidyn::analyses
