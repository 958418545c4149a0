#pragma once
#include "solidyn/analyses/dynamics.h"
#include "solidyn/model/build.h"

namespace solidyn::simulation {

/// A warning where a run with contacts made or lost more than a hundredth of its energy, or where
/// one without made more than half of it. Proved by tests/programs/contact.py and failure.py.
void warn_of_energy_balance(const model::BuiltModel& built, analyses::Dynamics& dynamics);

}  // namespace solidyn::simulation
