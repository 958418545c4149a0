#pragma once
#include "solidyn/system/system.h"

namespace solidyn::system {

/// Motions of the bodies of one group, which superelements connect, as one rigid body, so that a
/// start need not deform them: translation by `length`, and rotation by 1 rad about the group's
/// centre, along and about world axes; zero for a group that holds on to the ground.
/// [6 per body x 6], rows are the bodies' rigid velocities in the group's order
Eigen::MatrixXd rigid_group_directions(const System& system, const RigidGroup& group,
                                       double length);

/// v := the nearest velocities that move every group as one rigid body; of groups on the ground:
/// none.
/// @return the largest change, in m/s or, for angular velocities, `length` times rad/s
double stop_deforming(const System& system, double length, Eigen::VectorXd& v);

/// v += those motions of all groups, `motions` [6 per group] of them.
void add_rigid_group_velocities(const System& system, double length, const Eigen::VectorXd& motions,
                                Eigen::VectorXd& v);

/// q := q moved by the finite rigid motions that `motions` [6 per group] stands for.
void move_rigid_groups(const System& system, double length, const Eigen::VectorXd& motions,
                       Eigen::VectorXd& q);

}  // namespace solidyn::system
