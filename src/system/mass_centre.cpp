#include "solidyn/system/mass_centre.h"

namespace solidyn::system {

using Eigen::Vector3d;

namespace {

// Sum of mass times place, which the potential energies in fields of 1 m/s^2 along each axis are.
Vector3d first_moment_of(const bodies::Body& body, const bodies::BodyState& state) {
  Vector3d moment;
  for (int axis = 0; axis < 3; ++axis)
    moment[axis] = -body.energy(state, Vector3d::Unit(axis)).potential;
  return moment;
}

}  // namespace

MassCentre find_mass_centre(const System& system, const std::vector<BodyIndex>& bodies) {
  MassCentre centre;
  Vector3d first_moment = Vector3d::Zero();
  bodies::Momentum momentum;
  const auto add = [&](BodyIndex i) {
    const bodies::BodyState& state = system.kinematics().bodies[i];
    const bodies::Momentum own = system.body(i).momentum(state);
    centre.mass += system.body(i).mass();
    first_moment += first_moment_of(system.body(i), state);
    momentum.linear += own.linear;
    momentum.angular += own.angular;
  };
  if (bodies.empty())
    for (const BodyIndex i : system.bodies()) add(i);
  for (const BodyIndex i : bodies) add(i);
  if (!(centre.mass > 0.0)) return centre;
  centre.p = first_moment / centre.mass;
  centre.v = momentum.linear / centre.mass;
  centre.angular_momentum = momentum.angular - centre.p.cross(momentum.linear);
  return centre;
}

}  // namespace solidyn::system
