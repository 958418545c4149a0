#pragma once
#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

/// The mass matrix of a tree from the inertias of each body with all that it carries, P-RECURSIVE
/// (5.5): M = H^T phi^T P phi H with hinges and modes as they are. [n_speeds x n_speeds], dense;
/// its cost grows with the number of speeds times the depth of the tree. Local.
/// @pre Tree::compute_motion(), no nodes of beams. Loses articulated inertias. Proved by
/// CompositeBodies.*
Eigen::MatrixXd composite_mass_matrix(Tree& tree);

/// The momentum of a tree about its centre of mass: h = A u, [linear; angular], W, of all speeds,
/// those of laws too, as in Orin, Goswami & Lee (2013), by the composite inertias above; modes as
/// bodies::Body::momentum() has them, with terms of second order. Forces change it: dh/dt is their
/// sum and their moment about the centre.
struct CentroidalMomentum {
  double mass = 0.0;                                 ///< kg
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of mass, m, W; without mass the origin
  Matrix6X A;                                        ///< [6 x n_speeds]
};
/// One sweep inwards, and a product of 6 x 6 for each speed. Local.
/// @pre Tree::compute_motion(); with nodes of beams System::update() of the same. Loses articulated
/// inertias. Proved by CentroidalMomentum.*
CentroidalMomentum centroidal_momentum(Tree& tree);

}  // namespace solidyn::recursive
