#pragma once
#include <Eigen/Dense>

#include "solidyn/solvers/friction/problem.h"

namespace solidyn::solvers::friction {

/// rho_i = 1 / trace W_ii: turns a velocity of a contact into a force of its size.
Eigen::VectorXd force_scales(const ContactOperator& W);

enum class SlipRule {
  coulomb,    ///< contacts slip along their planes
  associated  ///< contacts that slip lift by mu |u_T|: the convex relaxation
};

/// @param rho  force_scales() of the operator
ContactError contact_error(const Problem& problem, const Eigen::VectorXd& rho,
                           const Eigen::VectorXd& r, const Eigen::VectorXd& u,
                           SlipRule rule = SlipRule::coulomb);

}  // namespace solidyn::solvers::friction
