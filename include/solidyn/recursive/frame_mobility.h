#pragma once
#include <vector>

#include "solidyn/recursive/tree.h"
#include "solidyn/system/frame_mobility.h"

namespace solidyn::recursive {

/// system::frame_mobility() by the sweeps: the same matrix in O(n + d^2 f^2 + closures), of f
/// frames at depth d. Rows of frames go inwards with those of closures; each hinge and each mode
/// that moves them adds what it gives, and closures take off what they hold. Khatib's (1987)
/// inverse of the operational-space inertia, of several places at once, with modes. Local. Proved
/// by FrameMobility.*; doc/theory/recursive.md
/// @pre System::update(state) of a state that satisfies the constraints; Tree::compute_motion() of
/// its coordinates. Loses articulated inertias.
/// @throws base::ComputationError naming a hinge about which nothing has inertia
Eigen::MatrixXd frame_mobility(Tree& tree, double t, const std::vector<bodies::FrameIndex>& frames,
                               system::TwistAxes axes);

}  // namespace solidyn::recursive
