#pragma once
#include <string>
#include <vector>

#include "solidyn/system/system.h"

namespace solidyn::system {

/// Warns of what makes constraints and beams doubtful in the state of the last System::update(), of
/// each of them once. @param when begins the messages: "t = 0.1 s"
/// @param[in,out] told of each constraint, then of each body; empty before the first call
/// Proved by BeamTensionByLobatto.*.
void log_warnings(const System& system, const std::string& when, std::vector<bool>& told);

}  // namespace solidyn::system
