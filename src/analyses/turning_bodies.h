#pragma once
#include <Eigen/Dense>
#include <set>

#include "solidyn/forces/runs_on_track.h"
#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// Velocities of `bodies` that turn about an axle with 1 rad/s. [n_v]
/// @param axle unit, W   @param point of it, W, m   @pre System::update()
Eigen::VectorXd turn_about(const system::System& system, const std::set<bodies::BodyIndex>& bodies,
                           const Eigen::Vector3d& axle, const Eigen::Vector3d& point);

/// A wheelset and what joints make turn about its axle with it, as a part that is fixed to it; the
/// wheelset alone where that would be another wheelset, too.
/// @pre System::update() and compute_residual() of the state
std::set<bodies::BodyIndex> bodies_that_turn(const system::System& system,
                                             const forces::Wheelsets& wheelsets,
                                             std::size_t wheelset);

/// @param turning bodies_that_turn() with the wheelset
/// @throws base::ComputationError where a gear drives it or is driven by it, which steady running
/// does not have
void refuse_gear(const system::System& system, const std::set<bodies::BodyIndex>& turning,
                 const forces::RunsOnTrack& wheelset);

}  // namespace solidyn::analyses
