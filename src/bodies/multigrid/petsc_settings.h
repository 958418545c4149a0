#pragma once
#include <Eigen/Dense>
#include <string>

#include "solidyn/base/petsc.h"

namespace solidyn::bodies {

/// Whether the options database has "-<prefix><option without its hyphen>".
bool has_option(const std::string& prefix, const char* option);

/// Collective. Gives A, as near null space, the rigid motions of nodes at x [3 x n_owned].
void attach_rigid_motions(Mat A, const Eigen::Ref<const Eigen::Matrix3Xd>& x);

}  // namespace solidyn::bodies
