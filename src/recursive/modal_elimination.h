#pragma once
#include "solidyn/recursive/tree.h"

/// The modes of one body in the sweeps of ArticulatedBodies: D_f = [1; E]^T P [1; E] = L L^T,
/// N = [0 1] P [1; E], both of the body and all that it carries.
namespace solidyn::recursive {

/// P_R = P_rr - N D_f^-1 N^T into Link::P; L and N L^-T into Modes.
/// @param least  of the largest modal inertia: less is none   @return whether D_f is regular
bool eliminate_modes(Link& k, Modes& m, double least);

/// L^-1 x, in place, of columns of modal forces. [n x any]   @pre eliminate_modes()
void divide_by_modal_factor(const Modes& m, Eigen::MatrixXd& x);

/// Inwards: what modes pass on of the forces on them and on the link, Link::z; and their share,
/// Modes::ddq = -L^-1 (z_f + E^T z). @pre eliminate_modes()
void eliminate_modal_forces(Link& k, Modes& m);

/// Outwards: Modes::ddq = L^-T (ddq - L^-1 N^T a), and Link::a with them.
void find_modal_accelerations(Link& k, Modes& m);

}  // namespace solidyn::recursive
