#pragma once
#include "solidyn/model/build.h"

namespace solidyn::model {

/// @pre the loader has seen that there is such a body
const BuiltBody& built_body(const BuiltModel& built, const std::string& name);

/// The body with the masses that its frames carry; empty without a name.
std::vector<bodies::BodyIndex> bodies_of(const BuiltModel& built, const std::string& name);

}  // namespace solidyn::model
