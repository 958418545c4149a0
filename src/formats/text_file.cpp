#include "formats/text_file.h"

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

[[noreturn]] void fail(const std::string& path, int error) {
  throw base::InputError(fmt::format("the file cannot be read: {}", std::strerror(error)),
                         "check its name and permissions", {path, 0, 0});
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : value_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (value_ < 0) fail(path, errno);
  }
  ~Descriptor() { ::close(value_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

 private:
  int value_;
};

std::shared_ptr<std::string> read_all(const Descriptor& file, const std::string& path) {
  auto text = std::make_shared<std::string>();
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::read(file.value(), buffer, sizeof buffer);
    if (n < 0) fail(path, errno);
    if (n == 0) return text;
    text->append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

FileBytes::FileBytes(const std::string& path) {
  const Descriptor file(path);
  struct stat status = {};
  if (::fstat(file.value(), &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (S_ISREG(status.st_mode) && size > 0) {
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value(), 0);
    if (start != MAP_FAILED) {
      ::madvise(start, size, MADV_SEQUENTIAL);
      holder_ = std::shared_ptr<const void>(
          start, [size](const void* at) { ::munmap(const_cast<void*>(at), size); });
      bytes_ = {static_cast<const char*>(start), size};
      return;
    }
  }
  const auto text = read_all(file, path);
  bytes_ = *text;
  holder_ = text;
}

}  // namespace solidyn::formats
