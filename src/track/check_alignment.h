#pragma once
#include "solidyn/track/alignment.h"

namespace solidyn::track {

/// @throws base::InputError with all complaints about it
void check(const AlignmentDescription& description);
std::vector<std::string> warnings_about(const AlignmentDescription& description);

}  // namespace solidyn::track
