#pragma once
#include <vector>

#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/system.h"
#include "solidyn/system/twist_axes.h"

namespace solidyn::system {

/// J of a frame: [velocity of its origin; angular velocity] of the velocities of its body, both
/// along the same axes. [6 x n velocities; 6 x 0 on the ground]  @pre System::update()
Eigen::MatrixXd twist_rows(const bodies::FrameMotion& frame, TwistAxes axes);

/// The inertia that forces on frames feel, inverted: J P M^-1 J^T of all frames together, what
/// forces and torques at them add to their accelerations while constraints and drives hold,
///   [M G^T; G 0] [a; lambda] = [J^T f; 0],   J a = mobility f.
/// Elastic coordinates are free, and forces of springs, dampers, contacts and friction do not
/// change. Rows that depend on others are left out, which changes no acceleration. Collective, the
/// same bits on all ranks. Proved by FrameMobility.*; doc/theory/recursive.md
/// @param state  satisfies the constraints; kinematics() are at it afterwards
/// @return [6 n x 6 n], 1/kg, 1/(kg m), 1/(kg m^2); rows and columns of frames on the ground are
/// zero
/// @pre no full-mesh bodies
/// @throws base::ComputationError where something without mass moves, which nothing then resists
Eigen::MatrixXd frame_mobility(System& system, State& state,
                               const std::vector<bodies::FrameIndex>& frames, TwistAxes axes,
                               solvers::LinearSolver& solver);

}  // namespace solidyn::system
