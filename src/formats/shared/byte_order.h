#pragma once
#include <algorithm>
#include <cstring>

namespace solidyn::formats {

/// The value at `at`, whose bytes stand the other way round when `is_swapped`. Private to the
/// readers.
template <class T>
T load(const char* at, bool is_swapped) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, at, sizeof(T));
  if (is_swapped) std::reverse(bytes, bytes + sizeof(T));
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

}  // namespace solidyn::formats
