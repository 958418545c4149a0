#pragma once
#include <cstdint>
#include <cstring>

namespace solidyn::formats {

/// Of numbers of eight bytes at places from `first` on. Those of parts of an array add up to that
/// of the whole, so that each rank takes its own rows. A .smesh file has it as the attribute
/// `checksum` of each array.
template <class T>
std::uint64_t mesh_checksum(const T* values, std::int64_t n, std::int64_t first) {
  static_assert(sizeof(T) == 8);
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, values + i, sizeof word);
    word += static_cast<std::uint64_t>(first + i + 1) * 0x9E3779B97F4A7C15u;  // splitmix64
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    sum += word ^ (word >> 31);
  }
  return sum;
}

}  // namespace solidyn::formats
