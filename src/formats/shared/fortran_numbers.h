#pragma once
#include <cstdint>
#include <string_view>

namespace solidyn::formats {

/// A number in a field of fixed width as FORTRAN writes it: blanks around it, exponents with E, D
/// or their sign alone (`1.5-103`). False for anything else, for blanks alone, and for what a
/// double cannot hold, NaN and infinity among it.
bool parse_fortran_real(std::string_view field, double& value);

/// A whole number in a field of fixed width, with blanks around it.
bool parse_fortran_integer(std::string_view field, std::int64_t& value);

}  // namespace solidyn::formats
