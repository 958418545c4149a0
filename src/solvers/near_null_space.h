#pragma once
#include <Eigen/Dense>

#include "solidyn/base/petsc.h"

namespace solidyn::solvers {

/// Gives A the fields that multigrid has to represent, as near null space. Both are collective.

/// The rigid motions of nodes at x [3 x n_owned], m.
void attach_rigid_motions(::Mat A, const Eigen::Ref<const Eigen::Matrix3Xd>& x);

/// The space of the columns of `fields` [rows of this rank x n], which are independent. Their
/// basis does not prefer any of them.
void attach_near_null_space(::Mat A, const Eigen::Ref<const Eigen::MatrixXd>& fields);

}  // namespace solidyn::solvers
