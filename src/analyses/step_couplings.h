#pragma once
#include "solidyn/recursive/mechanism.h"

namespace solidyn::analyses {

/// Whether a force between bodies that do not hang on each other is so stiff beside their inertia
/// over the square of the step that its direction turns by more in a step than an iteration matrix
/// stands: each step begins with a new one. By displacements; with what it damps over the step. Not
/// of bodies that hinges move to each other without turning them.
/// @param t, step  s   @pre the system is updated at t
bool has_stiff_couplings(const recursive::Mechanism& mechanism, double t, double step);

/// What a force between bodies that do not hang on each other adds to an iteration matrix in
/// relative coordinates: unknowns that border the tree, one for each product of its tangent
/// (recursive::take_products), and the entries of the tangent that are looked through for them.
/// Of a group the sum over its parts. A force that has no tangent at the start, as of a contact
/// that is open, counts as a spring that pulls: three products.
struct Border {
  double unknowns = 0.0, entries = 0.0;
};
/// @param t, step  s   @pre the system is updated at t
Border border_of(const recursive::Mechanism& mechanism, const forces::Force& force, double t,
                 double step);

}  // namespace solidyn::analyses
