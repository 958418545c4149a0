#pragma once
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// Of a step of generalized-alpha, how an increment n of positions changes velocities and
/// accelerations at its end.
struct IncrementFactors {
  double velocity = 0.0, acceleration = 0.0;  ///< 1/s, 1/s^2
};

/// Whether some force depends on velocities, or a body may have damping: without, there is nothing
/// to look for. Takes a sweep over the forces. Local. @pre System::update()
bool may_dissipate(const system::System& system, double t);

/// What dampers take away within a part of the step, less the velocity at which they balance the
/// other forces. Kept, it would move the system by h v, against stiffnesses that never see it. With
/// S = M + c1 h D, f = M a + D v and W = S + c2 h^2 K, T = c1 h W^-1 D,
///   (I - S^-1 M)^3 v - T^2 c1 h W^-1 f
/// is of order h^3 where dampers are slow, and v - D^-1 f where they are faster than the step and
/// than springs. It satisfies the constraints. Local.
/// @param s  consistent, with accelerations; small: without nodal displacements
/// @param weights  of velocities, by which sizes are compared   [n_velocities]
/// @param regularization  of dependent constraints, or 0
/// @return [n_velocities]; empty when nothing decays so fast
/// @post System::update(s), and G is that of s. Proved by RelativeGeneralizedAlpha.* and
/// GeneralizedAlpha.*
Eigen::VectorXd unresolved_velocities(system::System& system, const system::State& s,
                                      const IncrementFactors& factors,
                                      const Eigen::VectorXd& weights, double regularization);

}  // namespace solidyn::integrators
