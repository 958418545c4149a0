#include "formats/shared/file_bytes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "solidyn/base/error.h"
#include "solidyn/base/lfs_pointer.h"

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

std::string read_all(const Descriptor& file, const std::string& path) {
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t n = ::read(file.value(), buffer, sizeof buffer);
    if (n < 0) fail(path, errno);
    if (n == 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

bool is_gzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

/// Inflates the members of a gzip file one after the other.
class Gunzip {
 public:
  Gunzip(std::string_view packed, const std::string& path) : packed_(packed), path_(path) {
    constexpr int kGzip = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzip) != Z_OK) throw std::bad_alloc();
  }
  ~Gunzip() { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  std::string unpack() {
    std::string text;
    for (int status = Z_OK; status != Z_STREAM_END || !packed_.empty();) {
      if (status == Z_STREAM_END) inflateReset(&stream_);
      status = inflate_next(text);
      if (status != Z_OK && status != Z_STREAM_END) refuse_damage();
    }
    return text;
  }

 private:
  [[noreturn]] void refuse_damage() const {
    throw base::InputError("the compressed file is damaged or truncated",
                           "compress it again, or decompress it with gunzip", {path_, 0, 0});
  }

  int inflate_next(std::string& text) {
    constexpr std::size_t kPiece = std::size_t{1} << 30U;  // zlib counts in 32 bits
    const std::size_t n_in = std::min(packed_.size(), kPiece);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
    stream_.avail_in = static_cast<uInt>(n_in);
    stream_.next_out = buffer_;
    stream_.avail_out = sizeof buffer_;
    const int status = inflate(&stream_, Z_NO_FLUSH);
    packed_.remove_prefix(n_in - stream_.avail_in);
    text.append(reinterpret_cast<const char*>(buffer_), sizeof buffer_ - stream_.avail_out);
    if (text.size() > most_)
      throw base::InputError(
          fmt::format(
              "the compressed file expands to more than {} bytes, which is implausible for its size",
              most_),
          "decompress it with gunzip", {path_, 0, 0});
    return status;
  }

  std::string_view packed_;
  const std::string& path_;
  const std::uint64_t most_ = most_unpacked_bytes(packed_.size());
  z_stream stream_ = {};
  Bytef buffer_[1 << 16];
};

}  // namespace

std::uint64_t most_unpacked_bytes(std::uint64_t packed_bytes) {
  constexpr std::uint64_t kAlways = 16'000'000, kRatio = 250;
  return kAlways + kRatio * packed_bytes;
}

void FileBytes::hold(std::shared_ptr<const std::string> text) {
  bytes_ = *text;
  holder_ = std::move(text);
}

FileBytes::FileBytes(const std::string& path) {
  const Descriptor file(path);
  struct stat status = {};
  if (::fstat(file.value(), &status) != 0) fail(path, errno);
  if (S_ISDIR(status.st_mode)) fail(path, EISDIR);
  const auto size = static_cast<std::size_t>(status.st_size);
  void* start = S_ISREG(status.st_mode) && size > 0
                    ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.value(), 0)
                    : MAP_FAILED;
  if (start != MAP_FAILED) {
    ::madvise(start, size, MADV_SEQUENTIAL);
    holder_ = std::shared_ptr<const void>(
        start, [size](const void* at) { ::munmap(const_cast<void*>(at), size); });
    bytes_ = {static_cast<const char*>(start), size};
  } else {
    hold(std::make_shared<const std::string>(read_all(file, path)));
  }
  base::refuse_lfs_pointer(bytes_, path);
  if (is_gzip(bytes_)) hold(std::make_shared<const std::string>(Gunzip(bytes_, path).unpack()));
}

}  // namespace solidyn::formats
