#include "solidyn/base/hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "base/hdf5_driver.h"
#include "solidyn/base/lfs_pointer.h"
#include "solidyn/base/mpi.h"

namespace solidyn::base {
namespace {

using Extents = std::vector<hsize_t>;

herr_t keep_innermost(unsigned depth, const H5E_error2_t* entry, void* text) {
  if (depth == 0 && entry->desc) *static_cast<std::string*>(text) = entry->desc;
  return 0;
}

std::string innermost_reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &text);
  return text.empty() ? "no reason given" : text;
}

hid_t native(const double*) { return H5T_NATIVE_DOUBLE; }
hid_t native(const std::int64_t*) { return H5T_NATIVE_INT64; }

H5Space make_space(const std::vector<std::int64_t>& shape) {
  const Extents extents(shape.begin(), shape.end());
  return H5Space{
      SOLIDYN_HDF5(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr))};
}

H5Dataset open_dataset(hid_t at, const std::string& name) {
  return H5Dataset{SOLIDYN_HDF5(H5Dopen2(at, name.c_str(), H5P_DEFAULT))};
}

Extents extents_of(hid_t dataset) {
  const H5Space space{SOLIDYN_HDF5(H5Dget_space(dataset))};
  Extents extents(SOLIDYN_HDF5(H5Sget_simple_extent_ndims(space)));
  SOLIDYN_HDF5(H5Sget_simple_extent_dims(space, extents.data(), nullptr));
  return extents;
}

hsize_t count(const Extents& extents) {
  return std::accumulate(extents.begin(), extents.end(), hsize_t{1}, std::multiplies<>());
}

// What a damaged file claims must not be allocated. Zlib makes at most 1032 bytes of one.
void refuse_impossible_size(hid_t dataset, const std::string& name) {
  constexpr double kMostBytesOfOne = 1100.0;
  hsize_t n_bytes_in_file = 0;
  const H5File file{SOLIDYN_HDF5(H5Iget_file_id(dataset))};
  SOLIDYN_HDF5(H5Fget_filesize(file, &n_bytes_in_file));
  const H5Type type{SOLIDYN_HDF5(H5Dget_type(dataset))};
  auto n_bytes = static_cast<double>(H5Tget_size(type));
  for (const hsize_t extent : extents_of(dataset)) n_bytes *= static_cast<double>(extent);
  if (n_bytes > kMostBytesOfOne * static_cast<double>(n_bytes_in_file))
    throw Hdf5Error(
        fmt::format("`{}` claims {:.3g} bytes, more than the file can hold", name, n_bytes));
}

H5Dataset open_to_read(hid_t at, const std::string& name) {
  H5Dataset set = open_dataset(at, name);
  refuse_impossible_size(set, name);
  return set;
}

H5Properties reporting_access() {
  H5Properties access{SOLIDYN_HDF5(H5Pcreate(H5P_FILE_ACCESS))};
  SOLIDYN_HDF5(H5Pset_driver(access, reporting_driver(), nullptr));
  return access;
}

H5Properties shared_access(MPI_Comm comm) {
  H5Properties access{SOLIDYN_HDF5(H5Pcreate(H5P_FILE_ACCESS))};
  if (size(comm) > 1) SOLIDYN_HDF5(H5Pset_fapl_mpio(access, comm, MPI_INFO_NULL));
  return access;
}

template <class T>
void write_numbers(hid_t at, const std::string& name, const T* values,
                   const std::vector<std::int64_t>& shape) {
  const H5Space space = make_space(shape);
  const H5Dataset set{SOLIDYN_HDF5(
      H5Dcreate2(at, name.c_str(), native(values), space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))};
  SOLIDYN_HDF5(H5Dwrite(set, native(values), H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

template <class T>
std::vector<T> read_numbers(hid_t at, const std::string& name) {
  const H5Dataset set = open_to_read(at, name);
  std::vector<T> values(count(extents_of(set)));
  SOLIDYN_HDF5(H5Dread(set, native(values.data()), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  return values;
}

// Fixed length, padded with zeros: unlike strings of variable length, it needs no heap in the file.
H5Type text_type(std::size_t length) {
  H5Type type{SOLIDYN_HDF5(H5Tcopy(H5T_C_S1))};
  SOLIDYN_HDF5(H5Tset_size(type, std::max<std::size_t>(length, 1)));
  SOLIDYN_HDF5(H5Tset_strpad(type, H5T_STR_NULLPAD));
  SOLIDYN_HDF5(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

std::size_t text_length(hid_t type, const std::string& name) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0)
    throw Hdf5Error(fmt::format("`{}` in an HDF5 file is not a string of fixed length", name));
  return H5Tget_size(type);
}

std::string without_padding(const char* text, std::size_t length) {
  return std::string(text, std::find(text, text + length, '\0'));
}

std::string packed(const std::vector<std::string>& values, std::size_t length) {
  std::string bytes(values.size() * length, '\0');
  for (std::size_t i = 0; i < values.size(); ++i)
    std::copy(values[i].begin(), values[i].end(), bytes.begin() + i * length);
  return bytes;
}

struct RowSelection {
  H5Space file, memory;
  H5Properties transfer;
};

RowSelection select_rows(hid_t dataset, std::int64_t first, std::int64_t n) {
  Extents extents = extents_of(dataset);
  Extents start(extents.size(), 0);
  start[0] = first;
  extents[0] = n;
  RowSelection rows{H5Space{SOLIDYN_HDF5(H5Dget_space(dataset))},
                    H5Space{SOLIDYN_HDF5(H5Screate_simple(static_cast<int>(extents.size()),
                                                          extents.data(), nullptr))},
                    H5Properties{SOLIDYN_HDF5(H5Pcreate(H5P_DATASET_XFER))}};
  if (n > 0) {
    SOLIDYN_HDF5(H5Sselect_hyperslab(rows.file, H5S_SELECT_SET, start.data(), nullptr,
                                     extents.data(), nullptr));
  } else {
    SOLIDYN_HDF5(H5Sselect_none(rows.file));
  }
  // A serial file ignores the request for collective transfer, but refuses to be asked.
  const H5Properties access{[&] {
    const hid_t file = SOLIDYN_HDF5(H5Iget_file_id(dataset));
    const H5File owner{file};
    return SOLIDYN_HDF5(H5Fget_access_plist(owner));
  }()};
  if (H5Pget_driver(access) == H5FD_MPIO)
    SOLIDYN_HDF5(H5Pset_dxpl_mpio(rows.transfer, H5FD_MPIO_COLLECTIVE));
  return rows;
}

template <class T>
void write_rows_of(hid_t dataset, std::int64_t first, std::int64_t n, const T* values) {
  const RowSelection rows = select_rows(dataset, first, n);
  SOLIDYN_HDF5(H5Dwrite(dataset, native(values), rows.memory, rows.file, rows.transfer, values));
}

template <class T>
void read_rows_of(hid_t dataset, std::int64_t first, std::int64_t n, T* values) {
  const RowSelection rows = select_rows(dataset, first, n);
  SOLIDYN_HDF5(H5Dread(dataset, native(values), rows.memory, rows.file, rows.transfer, values));
}

H5File open_existing(const std::string& path, unsigned mode, hid_t access) {
  silence_hdf5();
  const hid_t file = H5Fopen(path.c_str(), mode, access);
  if (file >= 0) return H5File{file};
  const std::string reason = innermost_reason();
  if (!std::filesystem::exists(path))
    throw InputError(fmt::format("{} does not exist", path), "check the path");
  refuse_lfs_pointer(path);
  throw InputError(fmt::format("cannot open {} as an HDF5 file: {}", path, reason),
                   "the file is damaged or not an HDF5 file; write it again");
}

void write_attribute_of(hid_t at, const std::string& name, hid_t type, const void* value) {
  const H5Space space{SOLIDYN_HDF5(H5Screate(H5S_SCALAR))};
  const H5Attribute attribute{
      SOLIDYN_HDF5(H5Acreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT))};
  SOLIDYN_HDF5(H5Awrite(attribute, type, value));
}

template <class T>
T read_attribute_of(hid_t at, const std::string& name) {
  const H5Attribute attribute{SOLIDYN_HDF5(H5Aopen(at, name.c_str(), H5P_DEFAULT))};
  T value{};
  SOLIDYN_HDF5(H5Aread(attribute, native(&value), &value));
  return value;
}

}  // namespace

bool has_failed(bool is_error) { return is_error || has_write_failed(); }

void throw_hdf5_error() {
  if (std::string text = take_write_failure(); !text.empty()) throw Hdf5Error(text);
  throw Hdf5Error(fmt::format("HDF5 error: {}", innermost_reason()));
}

void silence_hdf5() {
  static const herr_t done = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  static_cast<void>(done);
}

H5File open_hdf5(const std::string& path) {
  return open_existing(path, H5F_ACC_RDONLY, H5P_DEFAULT);
}

H5File open_hdf5(MPI_Comm comm, const std::string& path) {
  return open_existing(path, H5F_ACC_RDONLY, shared_access(comm));
}

H5File update_hdf5(const std::string& path) {
  return open_existing(path, H5F_ACC_RDWR, reporting_access());
}

// The library checks sums of what describes the data from this version of its format on. Before, it
// believes what damaged files say, and crashes.
H5File create_hdf5(const std::string& path) {
  take_write_failure();
  const H5Properties access = reporting_access();
  SOLIDYN_HDF5(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18));
  return H5File{SOLIDYN_HDF5(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access))};
}

H5File create_hdf5(MPI_Comm comm, const std::string& path) {
  return H5File{
      SOLIDYN_HDF5(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, shared_access(comm)))};
}

H5Group create_group(hid_t at, const std::string& name) {
  return H5Group{SOLIDYN_HDF5(H5Gcreate2(at, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))};
}

H5Group create_compact_group(hid_t at, const std::string& name) {
  constexpr unsigned kMostLinks = 4096;  // many more than there are
  const H5Properties links{SOLIDYN_HDF5(H5Pcreate(H5P_GROUP_CREATE))};
  SOLIDYN_HDF5(H5Pset_link_phase_change(links, kMostLinks, kMostLinks / 2));
  return H5Group{SOLIDYN_HDF5(H5Gcreate2(at, name.c_str(), H5P_DEFAULT, links, H5P_DEFAULT))};
}

H5Group open_group(hid_t at, const std::string& name) {
  return H5Group{SOLIDYN_HDF5(H5Gopen2(at, name.c_str(), H5P_DEFAULT))};
}

bool contains(hid_t at, const std::string& name) {
  return SOLIDYN_HDF5(H5Lexists(at, name.c_str(), H5P_DEFAULT)) > 0;
}

std::vector<std::string> names_in(hid_t at) {
  H5G_info_t info{};
  SOLIDYN_HDF5(H5Gget_info(at, &info));
  std::vector<std::string> names(info.nlinks);
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const ssize_t length = SOLIDYN_HDF5(
        H5Lget_name_by_idx(at, ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT));
    names[i].resize(length);
    SOLIDYN_HDF5(H5Lget_name_by_idx(at, ".", H5_INDEX_NAME, H5_ITER_INC, i, names[i].data(),
                                    length + 1, H5P_DEFAULT));
  }
  return names;
}

std::vector<std::int64_t> shape_of(hid_t at, const std::string& name) {
  const Extents extents = extents_of(open_to_read(at, name));
  return {extents.begin(), extents.end()};
}

void write_dataset(hid_t at, const std::string& name, const double* values,
                   const std::vector<std::int64_t>& shape) {
  write_numbers(at, name, values, shape);
}

void write_dataset(hid_t at, const std::string& name, const std::int64_t* values,
                   const std::vector<std::int64_t>& shape) {
  write_numbers(at, name, values, shape);
}

void write_single_dataset(hid_t at, const std::string& name, const double* values,
                          const std::vector<std::int64_t>& shape) {
  const H5Space space = make_space(shape);
  const H5Dataset set{SOLIDYN_HDF5(H5Dcreate2(at, name.c_str(), H5T_NATIVE_FLOAT, space,
                                              H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))};
  SOLIDYN_HDF5(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
}

void write_dataset(hid_t at, const std::string& name, const std::vector<double>& values) {
  write_numbers(at, name, values.data(), {static_cast<std::int64_t>(values.size())});
}

void write_dataset(hid_t at, const std::string& name, const std::vector<std::int64_t>& values) {
  write_numbers(at, name, values.data(), {static_cast<std::int64_t>(values.size())});
}

void write_dataset(hid_t at, const std::string& name, const std::vector<std::string>& values) {
  std::size_t longest = 1;
  for (const std::string& value : values) longest = std::max(longest, value.size());
  const H5Type type = text_type(longest);
  const H5Space space = make_space({static_cast<std::int64_t>(values.size())});
  const H5Dataset set{SOLIDYN_HDF5(
      H5Dcreate2(at, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT))};
  const std::string bytes = packed(values, longest);
  SOLIDYN_HDF5(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
}

void write_dataset(hid_t at, const std::string& name, const std::string& value) {
  write_dataset(at, name, std::vector<std::string>{value});
}

std::vector<double> read_doubles(hid_t at, const std::string& name) {
  return read_numbers<double>(at, name);
}

std::vector<std::int64_t> read_integers(hid_t at, const std::string& name) {
  return read_numbers<std::int64_t>(at, name);
}

std::vector<std::string> read_strings(hid_t at, const std::string& name) {
  const H5Dataset set = open_to_read(at, name);
  const H5Type type{SOLIDYN_HDF5(H5Dget_type(set))};
  const std::size_t length = text_length(type, name);
  std::vector<std::string> values(count(extents_of(set)));
  std::string bytes(values.size() * length, '\0');
  SOLIDYN_HDF5(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = without_padding(bytes.data() + i * length, length);
  return values;
}

std::string read_string(hid_t at, const std::string& name) {
  const std::vector<std::string> values = read_strings(at, name);
  if (values.size() != 1)
    throw Hdf5Error(
        fmt::format("`{}` in an HDF5 file holds {} strings, not one", name, values.size()));
  return values[0];
}

Eigen::MatrixXd read_matrix(hid_t at, const std::string& name) {
  const H5Dataset set = open_to_read(at, name);
  const Extents extents = extents_of(set);
  if (extents.empty() || extents.size() > 2)
    throw Hdf5Error(
        fmt::format("`{}` in an HDF5 file has {} dimensions, not 1 or 2", name, extents.size()));
  Eigen::MatrixXd m(extents.back(), extents.size() == 2 ? extents[0] : 1);
  SOLIDYN_HDF5(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, m.data()));
  return m;
}

H5Dataset create_rows(hid_t at, const std::string& name, hid_t type,
                      const std::vector<std::int64_t>& shape) {
  const H5Properties creation{SOLIDYN_HDF5(H5Pcreate(H5P_DATASET_CREATE))};
  SOLIDYN_HDF5(H5Pset_layout(creation, H5D_CONTIGUOUS));
  SOLIDYN_HDF5(H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY));
  SOLIDYN_HDF5(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER));
  return H5Dataset{SOLIDYN_HDF5(
      H5Dcreate2(at, name.c_str(), type, make_space(shape), H5P_DEFAULT, creation, H5P_DEFAULT))};
}

void write_rows(hid_t dataset, std::int64_t first, std::int64_t n, const double* values) {
  write_rows_of(dataset, first, n, values);
}

void write_rows(hid_t dataset, std::int64_t first, std::int64_t n, const std::int64_t* values) {
  write_rows_of(dataset, first, n, values);
}

void read_rows(hid_t dataset, std::int64_t first, std::int64_t n, double* values) {
  read_rows_of(dataset, first, n, values);
}

void read_rows(hid_t dataset, std::int64_t first, std::int64_t n, std::int64_t* values) {
  read_rows_of(dataset, first, n, values);
}

void write_attribute(hid_t at, const std::string& name, double value) {
  write_attribute_of(at, name, H5T_NATIVE_DOUBLE, &value);
}

void write_attribute(hid_t at, const std::string& name, std::int64_t value) {
  write_attribute_of(at, name, H5T_NATIVE_INT64, &value);
}

void write_attribute(hid_t at, const std::string& name, const std::string& value) {
  const H5Type type = text_type(value.size());
  write_attribute_of(at, name, type, value.c_str());
}

double read_double_attribute(hid_t at, const std::string& name) {
  return read_attribute_of<double>(at, name);
}

std::int64_t read_integer_attribute(hid_t at, const std::string& name) {
  return read_attribute_of<std::int64_t>(at, name);
}

std::string read_string_attribute(hid_t at, const std::string& name) {
  const H5Attribute attribute{SOLIDYN_HDF5(H5Aopen(at, name.c_str(), H5P_DEFAULT))};
  const H5Type type{SOLIDYN_HDF5(H5Aget_type(attribute))};
  std::string bytes(text_length(type, name), '\0');
  SOLIDYN_HDF5(H5Aread(attribute, type, bytes.data()));
  return without_padding(bytes.data(), bytes.size());
}

}  // namespace solidyn::base
