#pragma once
#include <string>

#include "solidyn/system/system.h"

/// What is said of steps that fail, in both formulations.
namespace solidyn::integrators {

/// What forces or tracked angles say against a step that was found; empty: nothing.
/// @param increment  that has led from `before` to the system's kinematics, at the time t
std::string rejection_of_step(const system::System& system, const system::State& before,
                              const Eigen::VectorXd& increment, double t);

/// Why no motion leads from `before` to the time t: constraints that contradict each other, by
/// name; empty where none do. Leaves the system's kinematics at `before`.
std::string contradiction_in_step(system::System& system, const system::State& before, double t);

/// Lines about a singular position on that way, with the constraints that depend on each other
/// there; empty where there is none. Likewise.
std::string singularity_in_step(system::System& system, const system::State& before, double t);

/// These, or a line about what to do anywhere else. Likewise.
std::string remedy_of_step(system::System& system, const system::State& before, double t);

}  // namespace solidyn::integrators
