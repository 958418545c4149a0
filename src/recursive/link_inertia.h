#pragma once
#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

/// Inertia of the body of a link alone: P, and of its modes M, P_rf and P_ff, in world axes at its
/// origin, at the motion of Tree::compute_motion().
void set_own_inertia(Tree& tree, Link& k);

/// Adds the inertia of a link, as far as its hinge and modes do not take it up, to its parent's:
/// phi^T P phi, and what the parent's modes feel of it by X.
void pass_inertia(Tree& tree, const Link& k);

}  // namespace solidyn::recursive
