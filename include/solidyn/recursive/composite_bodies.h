#pragma once
#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

/// The mass matrix of a tree from the inertias of each body with all that it carries, P-RECURSIVE
/// (5.5): M = H^T phi^T P phi H with hinges and modes as they are. [n_speeds x n_speeds], dense;
/// its cost grows with the number of speeds times the depth of the tree. Local.
/// @pre Tree::compute_motion(). Loses articulated inertias. Proved by CompositeBodies.*
Eigen::MatrixXd composite_mass_matrix(Tree& tree);

}  // namespace solidyn::recursive
