#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The encodings of VTK's data arrays. Private to the reader of VTU.
namespace solidyn::formats {

/// How a file holds its arrays.
struct VtuCoding {
  bool is_swapped = false;
  int header_bytes = 4;  ///< of one number of a header
  bool is_compressed = false;
  /// What compressed arrays may still become; decoding counts it down.
  std::uint64_t n_bytes_left = 0;
};

/// The bytes of an array: a header, then data, plain or compressed. `text` begins with the header
/// and may go on after the array. @throws std::runtime_error with what is wrong
std::string decode_vtu_base64(std::string_view text, VtuCoding& coding);
std::string decode_vtu_raw(std::string_view bytes, VtuCoding& coding);

/// Numbers of a VTK type ("Float32", "UInt8", ...) from bytes, or from text.
/// @throws std::runtime_error with what is wrong
template <class T>
std::vector<T> convert_vtu_numbers(std::string_view bytes, const std::string& type,
                                   bool is_swapped);
template <class T>
std::vector<T> parse_vtu_numbers(std::string_view text);

}  // namespace solidyn::formats
