#include "solidyn/base/atomic_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

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

void rename_over(const std::string& path, const std::string& temporary) {
  if (std::rename(temporary.c_str(), path.c_str()) != 0) throw_system_error("replace", path);
}

// Removes a temporary file at its end, unless that has become what it should.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string path, bool is_ours = true)
      : path_(std::move(path)), removes_(is_ours) {}
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (removes_) ::unlink(path_.c_str());
  }
  void keep() { removes_ = false; }

 private:
  std::string path_;
  bool removes_;
};

void sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path();
  // Some file systems cannot sync a folder; the rename is then as durable as they make it.
  ::fsync(Descriptor(folder.empty() ? "." : folder, O_RDONLY).id());
}

}  // namespace

std::string temporary_name(const std::string& path) { return path + ".tmp"; }

std::string own_temporary_name(const std::string& path) {
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  return fmt::format("{}.{}.{}", temporary_name(path), host, ::getpid());
}

void replace_by_temporary(const std::string& path) {
  replace_by_temporary(path, temporary_name(path));
}

void replace_by_temporary(const std::string& path, const std::string& temporary) {
  TemporaryFile file(temporary);
  {
    const Descriptor descriptor(temporary, O_RDWR);
    if (::fsync(descriptor.id()) != 0) throw_system_error("save", path);
  }
  rename_over(path, temporary);
  file.keep();
  sync_folder_of(path);
}

void write_atomically(const std::string& path, const std::string& text, bool durable) {
  write_atomically(path, text, durable, temporary_name(path));
}

void write_atomically(const std::string& path, const std::string& text, bool durable,
                      const std::string& temporary) {
  TemporaryFile file(temporary);
  write_all(Descriptor(temporary, O_WRONLY | O_CREAT | O_TRUNC), text, path);
  durable ? replace_by_temporary(path, temporary) : rename_over(path, temporary);
  file.keep();
}

void write_beside_and_replace(MPI_Comm comm, const std::string& path,
                              const std::function<void(const std::string&)>& write) {
  TemporaryFile temporary(temporary_name(path), rank(comm) == 0);
  write(temporary_name(path));
  run_together(comm, [&] {
    if (rank(comm) == 0) replace_by_temporary(path);
  });
  temporary.keep();
}

}  // namespace solidyn::base
