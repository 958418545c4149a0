#pragma once
#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

namespace solidyn::base {

/// A file whose layout is fixed and into which all ranks put bytes, through MPI-IO. We use it for
/// the datasets of an HDF5 file that is complete except for their numbers (contiguous, allocated;
/// H5Dget_offset tells where): no rank waits for another, and a killed process leaves nothing but
/// missing numbers.
class SharedFile {
 public:
  SharedFile() = default;
  /// Collective. Throws InputError on all ranks when `path` cannot be written.
  SharedFile(MPI_Comm comm, const std::string& path);
  SharedFile(SharedFile&& other) noexcept;
  SharedFile& operator=(SharedFile&& other) noexcept;
  /// Collective.
  ~SharedFile();

  /// Local. The bytes are with the system when it returns. Throws ComputationError.
  /// @param offset of the first byte in the file
  template <class T>
  void write(std::int64_t offset, const std::vector<T>& values) const {
    write_bytes(offset, values.data(), static_cast<std::int64_t>(values.size() * sizeof(T)));
  }

 private:
  void write_bytes(std::int64_t offset, const void* bytes, std::int64_t n) const;
  MPI_File file_ = MPI_FILE_NULL;
  std::string path_;
};

/// Local. MPI loads its part for files when the first one is opened. A rank without the memory for
/// it would take another part than the others, and all would wait for each other: so it is to be
/// done while there is memory.
void load_shared_files();

}  // namespace solidyn::base
