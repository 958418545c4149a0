#pragma once
#include "solidyn/solvers/friction/problem.h"

namespace solidyn::solvers::friction {

/// Forces with which what is closed at r stays closed, and stands still where it sticks: a step of
/// Newton's method in which friction that slips stays as it is, and no contact changes its state.
/// Its equations are linear and semidefinite, so that products solve them where factors would fill.
/// At rest they are all that is left of the problem.
/// @param tolerance  of the velocities of what stands still, over |q|: a start that is nearly there
/// costs no more than the digits that it lacks
/// Proved by StandingStill.* in tests/unit/friction.
Eigen::VectorXd stand_still(const Problem& problem, const ContactBlocks& W,
                            const Eigen::VectorXd& r, double tolerance);

}  // namespace solidyn::solvers::friction
