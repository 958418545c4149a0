#pragma once
#include "solidyn/system/system.h"

namespace solidyn::system {

/// Motions of the bodies that superelements connect, as one rigid body, so that a start need not
/// deform them. Columns are six per group: translation by `length`, and rotation by 1 rad about the
/// group's centre, along and about world axes; zero for groups that hold on to the ground.
Eigen::MatrixXd rigid_group_directions(const System& system, double length);

/// v := the nearest velocities that move every group as one rigid body; of groups on the ground:
/// none.
/// @return the largest change, in m/s or, for angular velocities, `length` times rad/s
double stop_deforming(const System& system, double length, Eigen::VectorXd& v);

/// q := q moved by the finite rigid motions that `motions` [6 per group] gives in these columns.
void move_rigid_groups(const System& system, double length, const Eigen::VectorXd& motions,
                       Eigen::VectorXd& q);

}  // namespace solidyn::system
