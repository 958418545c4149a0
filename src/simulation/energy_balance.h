#pragma once
#include <string>
#include <vector>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/model/build.h"

namespace solidyn::simulation {

/// Why the results of a dynamics analysis are doubtful, a sentence each; empty when nothing says
/// so:
///   energies do not balance, of all or of an island: what appeared or vanished,
///   |E - E_0 - work|, comes to more than 3 % of EnergyAccount::exchanged, with contacts 1 %;   the
///   first step failed and was subdivided; impacts gave the bodies energy.
/// Not of kinematics, whose positions are exact whatever a sum over few of them gives.
/// Proved by tests/programs/doubtful.py.
std::vector<std::string> find_doubts(const model::BuiltModel& built, analyses::Dynamics& dynamics);

/// A warning where impacts and closed gaps have given the bodies more than round-off in a step,
/// 1e-6 of the largest energy; else empty.
std::string warn_of_gained_energy(const model::BuiltModel& built, const analyses::Monitor& monitor);

}  // namespace solidyn::simulation
