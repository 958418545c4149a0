#include "carried_tangent.h"

#include "solidyn/math/rotation.h"
#include "solidyn/system/assembled_tangent.h"

namespace solidyn::analyses {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using system::System;

CarriedTangent carried_tangent(System& system, const system::State& state, const Vector3d& w_W,
                               const std::function<bool(bodies::BodyIndex)>& is_carried) {
  system::AssembledTangent tangent(system);
  const auto derivative = [&](const bodies::TangentCoefficients& coefficients) {
    return MatrixXd(tangent.at(state, coefficients).sparse());
  };
  const int n_v = system.layout().n_velocities();
  CarriedTangent t{derivative({0.0, 0.0, 1.0}), derivative({0.0, 1.0, 0.0}),
                   derivative({1.0, 0.0, 0.0})};
  const Matrix3d W = math::skew(w_W);
  for (const bodies::BodyIndex b : system.bodies()) {
    if (!is_carried(b)) continue;
    const int at = system.layout().velocity_offset(b);
    const Matrix3d w_B = math::skew(Vector3d(system.kinematics().bodies[b].R_WB.transpose() * w_W));
    t.J.block(0, at, n_v, 3) += t.D.block(0, at, n_v, 3) * W + t.M.block(0, at, n_v, 3) * W * W;
    t.J.block(0, at + 3, n_v, 3) += t.D.block(0, at + 3, n_v, 3) * w_B;
  }
  return t;
}

}  // namespace solidyn::analyses
