#include "formats/vtu/data.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "formats/shared/ascii.h"
#include "formats/shared/byte_order.h"

namespace solidyn::formats {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Values of base64 digits; -1 for other characters.
const std::array<int, 256>& base64_values() {
  static const std::array<int, 256> values = [] {
    std::array<int, 256> made{};
    made.fill(-1);
    const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t i = 0; i < digits.size(); ++i)
      made[static_cast<unsigned char>(digits[i])] = static_cast<int>(i);
    return made;
  }();
  return values;
}

/// Bytes of raw data.
class RawStream {
 public:
  explicit RawStream(std::string_view bytes) : rest_(bytes) {}
  std::string take(std::uint64_t n) {
    if (n > rest_.size()) throw std::runtime_error("its data end prematurely");
    std::string taken(rest_.substr(0, static_cast<std::size_t>(n)));
    rest_.remove_prefix(static_cast<std::size_t>(n));
    return taken;
  }

 private:
  std::string_view rest_;
};

/// Bytes of base64 text. Header and data may be encoded one by one: padding ends a part, not the
/// data.
class Base64Stream {
 public:
  explicit Base64Stream(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  std::string take(std::uint64_t n) {
    if (n > static_cast<std::uint64_t>(end_ - at_) + 3)
      throw std::runtime_error("its data end prematurely");
    std::string taken;
    taken.reserve(static_cast<std::size_t>(n));
    while (taken.size() < n) {
      if (n_ready_ == 0) decode_group();
      taken += ready_[3 - n_ready_--];
    }
    return taken;
  }
  /// The rest of a part is padding's.
  void end_part() { n_ready_ = 0; }

 private:
  /// Four digits make three bytes; they are put at the end of ready_.
  void decode_group() {
    std::uint32_t bits = 0;
    int n_digits = 0, n_padding = 0;
    while (n_digits + n_padding < 4) {
      while (at_ != end_ && is_space(*at_)) ++at_;
      if (at_ == end_) throw std::runtime_error("its data end prematurely");
      const char c = *at_++;
      const int value = base64_values()[static_cast<unsigned char>(c)];
      if (c == '=' && n_digits >= 2) {
        bits <<= 6U;
        ++n_padding;
      } else if (value >= 0 && n_padding == 0) {
        bits = bits << 6U | static_cast<std::uint32_t>(value);
        ++n_digits;
      } else {
        throw std::runtime_error("its data are not base64");
      }
    }
    n_ready_ = 3 - n_padding;
    // With padding the last bytes fall away: shift so that the good ones come last.
    bits >>= 8U * static_cast<unsigned>(n_padding);
    for (int i = 2; i >= 0; --i, bits >>= 8U) ready_[i] = static_cast<char>(bits & 0xffU);
  }

  const char* at_;
  const char* end_;
  std::array<char, 3> ready_{};
  int n_ready_ = 0;
};

std::uint64_t header_number(const std::string& bytes, bool is_swapped) {
  return bytes.size() == 8 ? load<std::uint64_t>(bytes.data(), is_swapped)
                           : load<std::uint32_t>(bytes.data(), is_swapped);
}

std::string inflate_block(const std::string& packed, std::uint64_t size) {
  std::string data(static_cast<std::size_t>(size), '\0');
  uLongf n = data.size();
  const int status = uncompress(reinterpret_cast<Bytef*>(data.data()), &n,
                                reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  if (status != Z_OK || n != size) throw std::runtime_error("a compressed block is damaged");
  return data;
}

/// Before anything is unpacked: a few bytes may announce many.
void take_room(std::uint64_t n_blocks, std::uint64_t block_size, VtuCoding& coding) {
  if (block_size > 0 && n_blocks > coding.n_bytes_left / block_size)
    throw std::runtime_error(fmt::format(
        "its {} compressed blocks declare {:.3g} bytes, which is implausible for the file size",
        n_blocks, static_cast<double>(n_blocks) * static_cast<double>(block_size)));
  coding.n_bytes_left -= n_blocks * block_size;
}

template <class Stream, class EndPart>
std::string decode(Stream& stream, VtuCoding& coding, const EndPart& end_part) {
  const auto number = [&] {
    return header_number(stream.take(static_cast<std::uint64_t>(coding.header_bytes)),
                         coding.is_swapped);
  };
  const std::uint64_t first = number();
  if (!coding.is_compressed) return stream.take(first);
  const std::uint64_t n_blocks = first, block_size = number(), last_size = number();
  take_room(n_blocks, std::max(block_size, last_size), coding);
  std::vector<std::uint64_t> packed_sizes;
  for (std::uint64_t i = 0; i < n_blocks; ++i) packed_sizes.push_back(number());  // ends with them
  end_part();
  std::string data;
  for (std::uint64_t i = 0; i < n_blocks; ++i) {
    const bool is_partial = i + 1 == n_blocks && last_size > 0;
    data += inflate_block(stream.take(packed_sizes[i]), is_partial ? last_size : block_size);
  }
  return data;
}

template <class T, class Stored>
std::vector<T> convert(std::string_view bytes, bool is_swapped) {
  if (bytes.size() % sizeof(Stored) != 0)
    throw std::runtime_error("its length is not a whole number of values");
  std::vector<T> numbers;
  numbers.reserve(bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(Stored)) {
    const auto value = load<Stored>(bytes.data() + i, is_swapped);
    if constexpr (std::is_integral_v<T> && !std::is_integral_v<Stored>)
      throw std::runtime_error("it contains real numbers instead of integers");
    else
      numbers.push_back(static_cast<T>(value));
  }
  return numbers;
}

}  // namespace

std::string decode_vtu_base64(std::string_view text, VtuCoding& coding) {
  Base64Stream stream(text);
  return decode(stream, coding, [&stream] { stream.end_part(); });
}

std::string decode_vtu_raw(std::string_view bytes, VtuCoding& coding) {
  RawStream stream(bytes);
  return decode(stream, coding, [] {});
}

template <class T>
std::vector<T> convert_vtu_numbers(std::string_view bytes, const std::string& type,
                                   bool is_swapped) {
  if (type == "Float64") return convert<T, double>(bytes, is_swapped);
  if (type == "Float32") return convert<T, float>(bytes, is_swapped);
  if (type == "Int64") return convert<T, std::int64_t>(bytes, is_swapped);
  if (type == "UInt64") return convert<T, std::uint64_t>(bytes, is_swapped);
  if (type == "Int32") return convert<T, std::int32_t>(bytes, is_swapped);
  if (type == "UInt32") return convert<T, std::uint32_t>(bytes, is_swapped);
  if (type == "Int16") return convert<T, std::int16_t>(bytes, is_swapped);
  if (type == "UInt16") return convert<T, std::uint16_t>(bytes, is_swapped);
  if (type == "Int8") return convert<T, std::int8_t>(bytes, is_swapped);
  if (type == "UInt8") return convert<T, std::uint8_t>(bytes, is_swapped);
  throw std::runtime_error(fmt::format("its type `{}` is unknown", type.substr(0, 40)));
}

template <class T>
std::vector<T> parse_vtu_numbers(std::string_view text) {
  std::vector<T> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  for (;;) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) return numbers;
    T value{};
    const auto [last, error] = std::from_chars(after_plus(at, end), end, value);
    if (error != std::errc() || (last != end && !is_space(*last))) {
      std::string token;
      for (const char* c = at; c != end && !is_space(*c) && token.size() < 30; ++c)
        token += *c >= ' ' && *c <= '~' ? *c : '?';
      throw std::runtime_error(fmt::format("`{}` is not a valid number there", token));
    }
    numbers.push_back(value);
    at = last;
  }
}

template std::vector<double> convert_vtu_numbers(std::string_view, const std::string&, bool);
template std::vector<std::int64_t> convert_vtu_numbers(std::string_view, const std::string&, bool);
template std::vector<double> parse_vtu_numbers(std::string_view);
template std::vector<std::int64_t> parse_vtu_numbers(std::string_view);

}  // namespace solidyn::formats
