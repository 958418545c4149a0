#pragma once
#include <string>

#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// Whether an equilibrium is one that a mechanism left alone stays in.
struct Stability {
  enum class Kind {
    unknown,  ///< too many unknowns for a dense matrix, or an indefinite body with rigid regions
    stable,
    neutral,  ///< something moves without resistance
    unstable
  };
  Kind kind = Kind::unknown;
  /// The least stiffness against a motion that the constraints allow, rotations counted as lengths
  /// of arcs at the mechanism's length, N/m.
  double stiffness = 0.0;
  /// [n_v] the motion that meets it, of size 1 (Equilibrium::size); empty where full-mesh bodies
  /// are held by supports alone.
  Eigen::VectorXd motion;
  std::string description;  ///< which body moves how, unless stable or unknown
};

/// Collective. The eigenvalue of least real part of the constrained tangent Z^T K Z, Z an
/// orthonormal basis of the motions with G v = 0. Negative: the motion grows by itself
/// (divergence). Flutter, of follower loads, is not looked for.
/// @pre `state` is an equilibrium. Proved by mpi.program_relaxation.
Stability examine_stability(system::System& system, const system::State& state);

}  // namespace solidyn::analyses
