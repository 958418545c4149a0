#pragma once
#include <optional>
#include <string>

#include "solidyn/imported/units.h"

namespace solidyn::drivers {

/// What is in a file of modes or matrices of another program, in a screenful; empty for a name of
/// another kind of file. Local. @throws base::InputError: what the reader complains of
std::optional<std::string> describe_results(const std::string& file, const imported::Units& units);

/// The endings of their names: ".fil, .frd, ...".
std::string known_results_names();

}  // namespace solidyn::drivers
