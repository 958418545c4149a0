#pragma once
#include <memory>
#include <string>
#include <string_view>

/// A file's bytes for a reader, without a copy where the system can map it. Private to the readers.
namespace solidyn::formats {

/// Bytes that live as long as this object (or a copy of it: copies share what holds them).
class FileBytes {
 public:
  /// Maps the file; reads it where it cannot be mapped (a pipe). Throws InputError when it is
  /// missing, a folder or unreadable. The file must not shrink while it is read.
  explicit FileBytes(const std::string& path);
  std::string_view bytes() const { return bytes_; }

 private:
  std::shared_ptr<const void> holder_;  // shared by copies: the last one unmaps
  std::string_view bytes_;
};

}  // namespace solidyn::formats
