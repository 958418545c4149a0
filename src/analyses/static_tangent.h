#pragma once
#include <string>

#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// Systems of more unknowns are not looked at as dense matrices.
constexpr int kLargestDenseTangent = 1000;

/// The tangent [K, G^T; G, 0] of a system at rest, full-mesh bodies condensed, with rotations and
/// elastic coordinates scaled to lengths (N/m), and multipliers so that G is of the size of K.
/// [n_unknowns x n_unknowns]
struct StaticTangent {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd scale;  ///< [n_unknowns] unknowns are scale times those of `matrix`
  double length = 0.0;    ///< of the mechanism, m
};
/// Collective. @throws base::ComputationError where no tangent can be had
StaticTangent compute_static_tangent(system::System& system, const system::State& state);

/// "body `rod` can move freely along (1, 0, 0)" of the body that moves most in a motion of the
/// system, with `does` instead of "can move freely"; empty when none moves that is known.
/// @param motion [n_v] velocities
std::string describe_motion(const system::System& system, const system::State& state,
                            const Eigen::VectorXd& motion, const std::string& does);

}  // namespace solidyn::analyses
