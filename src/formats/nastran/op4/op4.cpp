#include "solidyn/formats/nastran/op4/op4.h"

#include <algorithm>

#include "formats/nastran/op4/ascii.h"
#include "formats/nastran/op4/binary.h"
#include "formats/shared/file_bytes.h"
#include "formats/shared/fortran_records.h"
#include "solidyn/base/error.h"

namespace solidyn::formats {
namespace {

// Lengths of a matrix' head, which begins the file: six words.
constexpr std::int32_t kHeadBytes = 24, kHeadBytesInt64 = 48;

bool is_text(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, 32);
  return std::all_of(head.begin(), head.end(),
                     [](char c) { return c == '\n' || c == '\r' || (c >= ' ' && c <= '~'); });
}

}  // namespace

std::vector<imported::Matrix> read_op4(const std::string& path) {
  const FileBytes file(path);
  return parse_op4(file.bytes(), path);
}

std::vector<imported::Matrix> parse_op4(std::string_view bytes, const std::string& file) {
  refuse_placeholder(bytes, file);
  for (const bool is_swapped : {false, true}) {
    const std::int32_t length = bytes.size() < 4 ? 0 : load<std::int32_t>(bytes.data(), is_swapped);
    if (length != kHeadBytes && length != kHeadBytesInt64) continue;
    FortranRecords records(bytes, file, "OP4", is_swapped);
    return read_op4_binary(records, length == kHeadBytesInt64);
  }
  if (is_text(bytes)) return read_op4_ascii(bytes, file);
  throw base::InputError(
      "this is not an OP4 file: it starts neither with a record of 24 or 48 bytes nor with text",
      "give a file written by Nastran OUTPUT4", {file, 0, 0});
}

}  // namespace solidyn::formats
