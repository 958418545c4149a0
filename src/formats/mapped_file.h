#pragma once
#include <string>
#include <string_view>

namespace solidyn::formats {

/// A file's bytes as memory that the system fills when it is looked at, so that what a reader skips
/// is never read. The file must not shrink meanwhile.
class MappedFile {
 public:
  /// @throws base::InputError when it is not there, cannot be read or is a folder
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace solidyn::formats
