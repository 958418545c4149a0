#include "report/packing.h"

#include <zlib.h>

#include <cstring>

#include "solidyn/base/error.h"

namespace solidyn::report {
namespace {

constexpr int kLevel = 6;

std::uint32_t mask_of(int width) {
  return width == 4 ? 0xffffffffu : (std::uint32_t{1} << (8 * width)) - 1;
}

std::uint32_t element(const unsigned char* bytes, std::size_t i, int width) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes + i * width, width);
  return value;
}

// Of a difference in `width` bytes, with its sign in the highest bit.
std::uint32_t zigzag(std::uint32_t difference, int width, std::uint32_t mask) {
  const bool is_negative = (difference >> (8 * width - 1) & 1u) != 0;
  const std::uint32_t doubled = difference << 1 & mask;
  return is_negative ? ~doubled & mask : doubled;
}

std::uint32_t from_zigzag(std::uint32_t value, std::uint32_t mask) {
  return (value & 1u) != 0 ? ~(value >> 1) & mask : value >> 1;
}

}  // namespace

std::string pack(const void* elements, std::size_t n, int width, std::size_t delta) {
  const auto* bytes = static_cast<const unsigned char*>(elements);
  const std::uint32_t mask = mask_of(width);
  std::string planes(n * width, '\0');
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t value = element(bytes, i, width);
    if (delta > 0) {
      const std::uint32_t before = i >= delta ? element(bytes, i - delta, width) : 0;
      value = zigzag((value - before) & mask, width, mask);
    }
    for (int b = 0; b < width; ++b)
      planes[static_cast<std::size_t>(b) * n + i] = static_cast<char>(value >> (8 * b) & 0xffu);
  }
  uLongf size = compressBound(planes.size());
  std::string packed(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                             reinterpret_cast<const Bytef*>(planes.data()), planes.size(), kLevel);
  if (code != Z_OK) throw base::ComputationError("zlib cannot compress an array of the report");
  packed.resize(size);
  return packed;
}

std::vector<std::uint32_t> unpack(const std::string& packed, std::size_t n, int width,
                                  std::size_t delta) {
  std::string planes(n * width, '\0');
  uLongf size = planes.size();
  const int code = uncompress(reinterpret_cast<Bytef*>(planes.data()), &size,
                              reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (code != Z_OK || size != planes.size())
    throw base::InputError("a packed array is damaged", "write the report again");
  const std::uint32_t mask = mask_of(width);
  std::vector<std::uint32_t> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (int b = 0; b < width; ++b)
      values[i] |= static_cast<std::uint32_t>(
                       static_cast<unsigned char>(planes[static_cast<std::size_t>(b) * n + i]))
                   << (8 * b);
    if (delta > 0)
      values[i] = (from_zigzag(values[i], mask) + (i >= delta ? values[i - delta] : 0)) & mask;
  }
  return values;
}

}  // namespace solidyn::report
