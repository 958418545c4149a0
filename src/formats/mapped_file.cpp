#include "formats/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "solidyn/base/error.h"

namespace solidyn::formats {
namespace {

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw base::InputError(fmt::format("the file cannot be read: {}", reason),
                         "is the path right, and the file readable?", {path, 0, 0});
}

/// Closes at the end of a scope: a mapping outlives its descriptor.
struct Descriptor {
  int number = -1;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) fail(path, std::strerror(errno));
  struct stat status {};
  if (::fstat(file.number, &status) != 0) fail(path, std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail(path, "it is no regular file");
  size_ = static_cast<std::size_t>(status.st_size);
  if (size_ == 0) return;  // an empty mapping does not exist
  void* memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.number, 0);
  if (memory == MAP_FAILED) fail(path, std::strerror(errno));
  data_ = static_cast<const char*>(memory);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace solidyn::formats
