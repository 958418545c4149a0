#pragma once
#include "solidyn/bodies/frame_pair.h"

/// A force and a torque on frame B at its origin, and the opposite on A's carrier at the same point
/// of space, so that momenta balance. f = [force; torque], both in W.
namespace solidyn::forces {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix12x6 = Eigen::Matrix<double, 12, 6>;

/// w = map f, the wrench of the pair (forces/pair_force.h).
Matrix12x6 reaction_map(const bodies::FramePair& pair);

/// d(map f)/d(position) for constant f.
bodies::Matrix12 reaction_stiffness(const bodies::FramePair& pair, const Vector6& f);

}  // namespace solidyn::forces
