#pragma once
#include <string>

#include "solidyn/base/petsc.h"

namespace solidyn::bodies {

/// Whether the options database has "-<prefix><option without its hyphen>".
bool has_option(const std::string& prefix, const char* option);

}  // namespace solidyn::bodies
