#pragma once
#include <string>

#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// "\n  contact floor is open (gap 0.1 m) ..." of the contacts that hold nothing at this state, and
/// what to do; empty when there are none. Proved by StaticsErrors.OpenContactsAreNamed.
std::string describe_open_contacts(system::System& system, const system::State& state);

}  // namespace solidyn::analyses
