#pragma once
#include <string>

namespace solidyn::base {

/// Bytes as text of RFC 4648, with padding. Proved by Packing.Base64IsThatOfTheStandard
std::string base64(const std::string& bytes);

}  // namespace solidyn::base
