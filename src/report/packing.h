#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace solidyn::report {

/// How an array lies in the page's data (doc/report.md, "The file"): element i becomes its
/// difference to element i - delta (delta > 0), zigzagged so that small differences of either sign
/// are small numbers; then all least significant bytes come first, and so on; then zlib. Little
/// endian.
/// @param width of an element in bytes: 1, 2 or 4
std::string pack(const void* elements, std::size_t n, int width, std::size_t delta);

/// The inverse; for tests and tools. @throws base::InputError when the bytes are damaged
std::vector<std::uint32_t> unpack(const std::string& packed, std::size_t n, int width,
                                  std::size_t delta);

}  // namespace solidyn::report
