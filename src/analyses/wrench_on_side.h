#pragma once
#include "solidyn/analyses/joint_sensors.h"

namespace solidyn::analyses {

using Vector6 = Eigen::Matrix<double, 6, 1>;

/// The half of a pair's wrench (bodies::FramePair) that acts on one of the frames, in the axes
/// asked for: [force; torque].
Vector6 wrench_on_side(const bodies::Vector12& both, const bodies::FramePair& f, JointSide side,
                       ReactionAxes axes);

}  // namespace solidyn::analyses
