#pragma once
#include <vector>

#include "integrators/contact_points.h"

namespace solidyn::integrators {

/// Of the system's kinematics(); zero of points that are not there.
std::vector<Eigen::Vector3d> normals_of(const ContactPoints& points);

/// @param normals, now  those at the start of the step and at `s`
/// @param n  [n_v] the step's increment
/// @throws base::ComputationError where bodies pass through each other within the step, so that
/// their gap is open at both ends. @pre System::update(s), which it leaves so
void require_no_passage(system::System& system, const ContactPoints& points,
                        const system::State& before, const system::State& s,
                        const Eigen::VectorXd& n, const std::vector<Eigen::Vector3d>& normals,
                        const std::vector<Eigen::Vector3d>& now);

}  // namespace solidyn::integrators
