#pragma once
#include <string>

namespace solidyn::forces {

/// A shared library is mapped into memory as its headers say: behind the end of a file that was cut
/// off, the first access ends the process. Files that are no ELF pass: dlopen() says what they are.
/// @throws base::InputError when the file is shorter than its headers say
void require_whole_library(const std::string& path);

}  // namespace solidyn::forces
