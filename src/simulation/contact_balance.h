#pragma once
#include "solidyn/analyses/dynamics.h"
#include "solidyn/model/build.h"

namespace solidyn::simulation {

/// A warning where a run with contacts made or lost more than kNoticed of its energy.
/// Proved by tests/programs/contact.py.
void warn_of_contact_balance(const model::BuiltModel& built, const analyses::Monitor& monitor);

}  // namespace solidyn::simulation
