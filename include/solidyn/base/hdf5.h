#pragma once
#include <hdf5.h>
#include <mpi.h>

#include <Eigen/Dense>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "solidyn/base/error.h"

namespace solidyn::base {

/// An HDF5 call failed. A reader of a user's file turns it into an InputError, see open_hdf5().
class Hdf5Error : public ComputationError {
 public:
  using ComputationError::ComputationError;
};

/// True after a call that failed, or when something could not be written to the disk, of which
/// HDF5 itself does not know.
bool has_failed(bool is_error);
/// Throws Hdf5Error: which file could not be written and why, or HDF5's own innermost reason.
[[noreturn]] void throw_hdf5_error();

/// HDF5 prints its error stack to stderr unless this is disabled. Done once, by SOLIDYN_HDF5.
void silence_hdf5();

template <class T>
T checked_hdf5(T result) {
  if (has_failed(result < 0)) throw_hdf5_error();
  return result;
}

/// Owns one HDF5 identifier. H5Dataset set{SOLIDYN_HDF5(H5Dopen2(file, name, H5P_DEFAULT))};
/// The handle of a parallel file is closed by all ranks together.
template <herr_t (*Close)(hid_t)>
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(hid_t id) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) Close(id_);
  }
  /// Closes now and reports a failure (a full disk shows only here).
  void close() {
    if (id_ < 0) return;
    if (has_failed(Close(std::exchange(id_, H5I_INVALID_HID)) < 0)) throw_hdf5_error();
  }
  hid_t get() const { return id_; }
  operator hid_t() const { return id_; }  // NOLINT(google-explicit-constructor): HDF5 calls take it
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

using H5File = Hdf5Handle<H5Fclose>;
using H5Group = Hdf5Handle<H5Gclose>;
using H5Dataset = Hdf5Handle<H5Dclose>;
using H5Attribute = Hdf5Handle<H5Aclose>;
using H5Space = Hdf5Handle<H5Sclose>;
using H5Type = Hdf5Handle<H5Tclose>;
using H5Properties = Hdf5Handle<H5Pclose>;

/// Opens for reading, on this rank alone. Throws InputError naming the path when the file is
/// missing, is not HDF5, or is truncated.
H5File open_hdf5(const std::string& path);
/// Collective. The same for all ranks together: through MPI-IO if there are several.
H5File open_hdf5(MPI_Comm comm, const std::string& path);
/// Creates or truncates, on this rank alone / collectively.
H5File create_hdf5(const std::string& path);
H5File create_hdf5(MPI_Comm comm, const std::string& path);
/// Opens an existing file to change it, on this rank alone. Throws like open_hdf5().
H5File update_hdf5(const std::string& path);

H5Group create_group(hid_t at, const std::string& name);
/// With its links in one header, of which HDF5 checks the sum: heaps of links, which it uses from
/// nine on, it believes and crashes where they are damaged.
H5Group create_compact_group(hid_t at, const std::string& name);
H5Group open_group(hid_t at, const std::string& name);
bool contains(hid_t at, const std::string& name);
/// The names in a group, sorted.
std::vector<std::string> names_in(hid_t at);

/// The extents of a dataset, slowest first; empty for a scalar.
std::vector<std::int64_t> shape_of(hid_t at, const std::string& name);

/// Whole datasets, dense, row major (the last extent runs fastest). On this rank alone: in a file
/// opened with a communicator use write_rows() instead.
void write_dataset(hid_t at, const std::string& name, const double* values,
                   const std::vector<std::int64_t>& shape);
void write_dataset(hid_t at, const std::string& name, const std::int64_t* values,
                   const std::vector<std::int64_t>& shape);
/// Rounded to single precision in the file; read_doubles() reads it back.
void write_single_dataset(hid_t at, const std::string& name, const double* values,
                          const std::vector<std::int64_t>& shape);
void write_dataset(hid_t at, const std::string& name, const std::vector<double>& values);
void write_dataset(hid_t at, const std::string& name, const std::vector<std::int64_t>& values);
void write_dataset(hid_t at, const std::string& name, const std::vector<std::string>& values);
void write_dataset(hid_t at, const std::string& name, const std::string& value);
/// A column of an Eigen matrix is a row of the dataset: [3 x n] is stored as n rows of 3, without
/// a transposition. A column vector is stored with one extent.
template <class Derived>
void write_dataset(hid_t at, const std::string& name, const Eigen::MatrixBase<Derived>& m) {
  static_assert(!Derived::IsRowMajor || Derived::IsVectorAtCompileTime, "column-major only");
  const auto& dense = m.derived().eval();
  if constexpr (Derived::ColsAtCompileTime == 1)
    write_dataset(at, name, dense.data(), {dense.rows()});
  else
    write_dataset(at, name, dense.data(), {dense.cols(), dense.rows()});
}

/// Inverse of the above. Throw Hdf5Error when the dataset is missing or of another kind.
std::vector<double> read_doubles(hid_t at, const std::string& name);
std::vector<std::int64_t> read_integers(hid_t at, const std::string& name);
std::vector<std::string> read_strings(hid_t at, const std::string& name);
std::string read_string(hid_t at, const std::string& name);
/// [r x c] from a dataset of c rows of r; a dataset with one extent gives [r x 1].
Eigen::MatrixXd read_matrix(hid_t at, const std::string& name);

/// Creates a dataset whose rows ranks fill together: contiguous, allocated at once, not filled.
/// `type` H5T_NATIVE_DOUBLE or another. Collective in a parallel file.
H5Dataset create_rows(hid_t at, const std::string& name, hid_t type,
                      const std::vector<std::int64_t>& shape);
/// Collective in a parallel file: each rank its rows [first, first + n) of the slowest extent.
void write_rows(hid_t dataset, std::int64_t first, std::int64_t n, const double* values);
void write_rows(hid_t dataset, std::int64_t first, std::int64_t n, const std::int64_t* values);
void read_rows(hid_t dataset, std::int64_t first, std::int64_t n, double* values);
void read_rows(hid_t dataset, std::int64_t first, std::int64_t n, std::int64_t* values);

void write_attribute(hid_t at, const std::string& name, double value);
void write_attribute(hid_t at, const std::string& name, std::int64_t value);
void write_attribute(hid_t at, const std::string& name, const std::string& value);
double read_double_attribute(hid_t at, const std::string& name);
std::int64_t read_integer_attribute(hid_t at, const std::string& name);
std::string read_string_attribute(hid_t at, const std::string& name);

}  // namespace solidyn::base

/// Every HDF5 call passes through this; its value is the call's: hid_t, herr_t, hssize_t or htri_t.
#define SOLIDYN_HDF5(call) (::solidyn::base::silence_hdf5(), ::solidyn::base::checked_hdf5((call)))
