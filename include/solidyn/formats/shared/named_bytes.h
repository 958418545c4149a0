#pragma once
#include <string>
#include <string_view>

namespace solidyn::formats {

/// A file in memory, which must outlive its use, with the name that messages carry.
struct NamedBytes {
  std::string_view bytes;
  std::string name;
};

}  // namespace solidyn::formats
