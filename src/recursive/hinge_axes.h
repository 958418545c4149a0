#pragma once
#include <Eigen/Sparse>

#include "solidyn/recursive/tree.h"
#include "solidyn/system/linearisation.h"

namespace solidyn::recursive {

/// From small motions x in other axes to what the tree takes: increments S x, speeds S x' + W x,
/// rates of speeds S x'' + A1 x' + A0 x. [n_speeds x n_speeds] Free rotations, and translations of
/// hinges that turn, have axes of the body, or of what carries it; all else is as it is.
struct HingeAxes {
  Eigen::SparseMatrix<double> S, W, A1, A0;
};

HingeAxes hinge_axes(Tree& tree, system::IncrementAxes axes, const Eigen::VectorXd& q,
                     const Eigen::VectorXd& u, const Eigen::VectorXd& du);

}  // namespace solidyn::recursive
