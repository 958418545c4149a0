#include "results/link_name.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cstring>

namespace solidyn::results {

std::string link_name(const std::string& name) {
  std::string link;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte >= 128 || std::isalnum(byte) || std::strchr("_-+().", c) != nullptr;
    link += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return link == "." ? "%2E" : link;  // HDF5's name of the group itself
}

std::string name_of_link(const std::string& link) {
  std::string name;
  for (std::size_t i = 0; i < link.size(); ++i) {
    unsigned byte = 0;
    const char* digits = link.data() + i + 1;
    if (link[i] == '%' && i + 2 < link.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      name += static_cast<char>(byte);
      i += 2;
    } else {
      name += link[i];  // of a file that we have not written
    }
  }
  return name;
}

}  // namespace solidyn::results
