#include "formats/shared/fortran_records.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"
#include "solidyn/base/lfs_pointer.h"

namespace solidyn::formats {
namespace {

constexpr std::size_t kLengthBytes = sizeof(std::int32_t);

}  // namespace

std::string_view FortranRecords::next() {
  const std::size_t start = at_;
  if (n_left() < kLengthBytes) fail(start, "the file ends before a record");
  const auto length = load<std::int32_t>(bytes_.data() + start, swapped_);
  if (length < 0) fail(start, fmt::format("a record has the length {}", length));
  const auto n_bytes = static_cast<std::size_t>(length);
  if (n_left() < n_bytes + 2 * kLengthBytes)
    fail(start, fmt::format("a record of {} bytes begins, but the file ends {} bytes later", length,
                            n_left() - kLengthBytes));
  const std::size_t end = start + kLengthBytes + n_bytes;
  const auto closing = load<std::int32_t>(bytes_.data() + end, swapped_);
  if (closing != length)
    fail(end, fmt::format("a record starts with the length {} and ends with {}", length, closing));
  at_ = end + kLengthBytes;
  return bytes_.substr(start + kLengthBytes, n_bytes);
}

void FortranRecords::fail(std::size_t offset, const std::string& what) const {
  throw base::InputError(
      fmt::format("{} (byte {})", what, std::min(offset, bytes_.size())),
      fmt::format(
          "the file is damaged, truncated, or not a file of type {}; transfer it as binary, or write it again",
          format_),
      {file_, 0, 0});
}

void refuse_placeholder(std::string_view bytes, const std::string& file) {
  if (bytes.empty()) throw base::InputError("the file is empty", "write it again", {file, 0, 0});
  base::refuse_lfs_pointer(bytes, file);
}

std::string printable(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.remove_suffix(1);
  std::string result(text);
  for (char& c : result)
    if (c < ' ' || c > '~') c = '?';
  return result;
}

}  // namespace solidyn::formats
