#include "solidyn/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "solidyn/base/error.h"

namespace solidyn::base {
namespace {

[[noreturn]] void throw_system_error(const char* what, const std::string& path) {
  throw ComputationError(fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : id_(::open(path.c_str(), flags, 0666)) {
    if (id_ < 0) throw_system_error("open", path);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(id_); }
  int id() const { return id_; }

 private:
  int id_;
};

void write_all(const Descriptor& file, const std::string& text, const std::string& path) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::write(file.id(), text.data() + done, text.size() - done);
    if (n < 0 && errno != EINTR) throw_system_error("write", path);
    if (n > 0) done += n;
  }
}

void rename_over(const std::string& path) {
  if (std::rename(temporary_name(path).c_str(), path.c_str()) != 0)
    throw_system_error("replace", path);
}

void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  // Some file systems cannot sync a folder; the rename is then as durable as they make it.
  ::fsync(Descriptor(folder.empty() ? "." : folder, O_RDONLY).id());
}

}  // namespace

std::string temporary_name(const std::string& path) { return path + ".tmp"; }

void replace_by_temporary(const std::string& path) {
  {
    const Descriptor file(temporary_name(path), O_RDWR);
    if (::fsync(file.id()) != 0) throw_system_error("save", path);
  }
  rename_over(path);
  sync_folder_of(path);
}

void write_atomically(const std::string& path, const std::string& text, bool durable) {
  {
    const std::string temporary = temporary_name(path);
    write_all(Descriptor(temporary, O_WRONLY | O_CREAT | O_TRUNC), text, temporary);
  }
  durable ? replace_by_temporary(path) : rename_over(path);
}

}  // namespace solidyn::base
