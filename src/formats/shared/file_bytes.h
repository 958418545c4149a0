#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

/// A file's bytes for a reader, without a copy where the system can map it. Private to the readers.
namespace solidyn::formats {

/// Bytes that live as long as this object (or a copy of it: copies share what holds them).
class FileBytes {
 public:
  /// Maps the file; reads it where it cannot be mapped (a pipe); unpacks it when gzip wrote it,
  /// whatever its name. The file must not shrink while it is read.
  /// @throws base::InputError when it is missing, a folder or unreadable, or is compressed and
  ///   damaged or unpacks to more than most_unpacked_bytes()
  explicit FileBytes(const std::string& path);
  std::string_view bytes() const { return bytes_; }

 private:
  void hold(std::shared_ptr<const std::string> text);

  std::shared_ptr<const void> holder_;  // shared by copies: the last one unmaps
  std::string_view bytes_;
};

/// What compressed data may become, bytes: 250 times their size, and 16 MB. The numbers of a mesh
/// or a matrix shrink to a tenth or so; data that shrink to a thousandth, which zlib can make,
/// would only fill the memory.
std::uint64_t most_unpacked_bytes(std::uint64_t packed_bytes);

}  // namespace solidyn::formats
