#pragma once
#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

/// Link::a at these second rates of hinges and modes [n_speeds], from its parent's, and at its
/// motion of Tree::compute_motion().
void accelerate(Tree& tree, Link& k, const Eigen::VectorXd& du);

/// Accelerations of a body with modes in its own axes, as its unknowns: Modes::a.
/// @pre accelerate()
const Eigen::VectorXd& own_acceleration(Tree& tree, const Link& k, const Eigen::VectorXd& du);

/// phi^T f of a link: a force at its origin, at the parent's.
Vector6d shifted(const Link& k, const Vector6d& f);

/// Inwards: from the forces of each body alone, Link::f and Modes::ddq, what each hinge exerts
/// (Link::f), and what that is along speeds of hinges and modes: T [n_speeds]. Loses Modes::ddq.
void project_forces(Tree& tree, Eigen::VectorXd& T);
/// Of it one link, all that it carries having passed its force on.
void project_force(Tree& tree, const Link& k, Eigen::VectorXd& T);
/// And what its hinge exerts as a force on its parent. @pre it has one
void pass_hinge_force(Tree& tree, const Link& k);

}  // namespace solidyn::recursive
