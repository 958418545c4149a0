#include "base/shared_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::base {
namespace {

std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  return std::string(text, length);
}

}  // namespace

SharedFile::SharedFile(MPI_Comm comm, const std::string& path) : path_(path) {
  const int code = MPI_File_open(comm, path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file_);
  run_together(comm, [&] {
    if (code != MPI_SUCCESS)
      throw InputError(fmt::format("cannot write {}: {}", path, text_of(code)),
                       "check the output folder and its permissions");
  });
}

void load_shared_files() {
  MPI_File file = MPI_FILE_NULL;
  if (MPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) ==
      MPI_SUCCESS)
    MPI_File_close(&file);
}

SharedFile::SharedFile(SharedFile&& other) noexcept
    : file_(std::exchange(other.file_, MPI_FILE_NULL)), path_(std::move(other.path_)) {}

SharedFile& SharedFile::operator=(SharedFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(path_, other.path_);
  return *this;
}

SharedFile::~SharedFile() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

void SharedFile::write_bytes(std::int64_t offset, const void* bytes, std::int64_t n) const {
  constexpr std::int64_t kChunk = std::int64_t{1} << 30;  // MPI counts are ints
  const char* first = static_cast<const char*>(bytes);
  for (std::int64_t done = 0; done < n; done += kChunk) {
    const int n_now = static_cast<int>(std::min(kChunk, n - done));
    MPI_Status status;
    const int code =
        MPI_File_write_at(file_, offset + done, first + done, n_now, MPI_BYTE, &status);
    int n_written = 0;
    MPI_Get_count(&status, MPI_BYTE, &n_written);
    if (code != MPI_SUCCESS || n_written != n_now)
      throw ComputationError(fmt::format(
          "cannot write {}: {}", path_, code != MPI_SUCCESS ? text_of(code) : "is the disk full?"));
  }
}

}  // namespace solidyn::base
