#pragma once
#include <string>

#include "solidyn/base/petsc.h"

namespace solidyn::bodies {

/// Whether the options database has "-<prefix><option without its hyphen>".
bool has_option(const std::string& prefix, const char* option);

/// The options of the database that begin with "-<prefix>", each after a space, with their values.
std::string options_given(const std::string& prefix);

}  // namespace solidyn::bodies
