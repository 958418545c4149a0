#pragma once
#include <vector>

#include "integrators/contact_points.h"

namespace solidyn::integrators {

/// Takes energy from the velocities of bodies that fixed ones hold up, through joints, through
/// these points or through other such bodies: all of their velocities become smaller by one factor,
/// so that joints without drives and the laws of closed contacts without moving surfaces hold as
/// before, and the ground takes the momentum.
/// @param of      points that are closed     @param energy  J, to be taken
/// @return J, that these velocities do not have
/// @pre and after: System::update(s); no full-mesh bodies   Local.
double take_from_held_up_bodies(system::System& system, const ContactPoints& points,
                                const std::vector<int>& of, double energy, system::State& s);

}  // namespace solidyn::integrators
