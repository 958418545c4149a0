#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "solidyn/base/content_hash.h"
#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/base/mpi.h"
#include "solidyn/mesh/interface.h"
#include "solidyn/reduction/sbody.h"

namespace solidyn::reduction {

constexpr const char* kSbodyFormat = "solidyn reduced body";
constexpr std::int64_t kSbodyVersion = 2;
constexpr std::int64_t kSbodyVersionWithLoads = 3;     ///< of files that have `loads`
constexpr std::int64_t kSbodyVersionWithSupports = 5;  ///< of files that have `supports`

/// Writes values and sums them into the file's checksum in the order of writing.
class SbodyWriter {
 public:
  explicit SbodyWriter(const std::string& path, FieldPrecision precision = FieldPrecision::full)
      : file_(base::create_hdf5(path)), precision_(precision) {}

  void group(const std::string& name) { base::create_group(file_, name); }
  void put(const std::string& name, const Eigen::MatrixXd& m) {
    base::write_dataset(file_, name, m.data(), {m.cols(), m.rows()});
    hash_.add(m.data(), m.size());
  }
  /// One value or more per node of the mesh, in the precision that the writer was made with.
  void put_field(const std::string& name, const std::vector<double>& values) {
    const auto n = static_cast<std::int64_t>(values.size());
    if (precision_ == FieldPrecision::full)
      return put(name, Eigen::Map<const Eigen::MatrixXd>(values.data(), n, 1));
    base::write_single_dataset(file_, name, values.data(), {1, n});
    std::vector<double> rounded(values.begin(), values.end());
    for (double& value : rounded) value = static_cast<float>(value);
    hash_.add(rounded.data(), n);
  }
  void put(const std::string& name, const std::vector<std::int64_t>& values) {
    base::write_dataset(file_, name, values);
    hash_.add(values.data(), static_cast<std::int64_t>(values.size()));
  }
  void put(const std::string& name, const std::vector<std::string>& values) {
    base::write_dataset(file_, name, values);
    for (const std::string& value : values) hash_.add(value);
  }
  /// An older program shall say that the file is newer than itself.
  void set_version(std::int64_t version) { version_ = version; }
  void finish() {
    base::write_attribute(file_, "format", std::string(kSbodyFormat));
    base::write_attribute(file_, "format_version", version_);
    base::write_attribute(file_, "checksum", hash_.hex());
    file_.close();
  }

 private:
  base::H5File file_;
  FieldPrecision precision_;
  std::int64_t version_ = kSbodyVersion;
  base::ContentHash hash_;
};

/// Reads in the order of writing.
class SbodyReader {
 public:
  explicit SbodyReader(const std::string& path) : file_(base::open_hdf5(path)) {
    if (base::read_string_attribute(file_, "format") != kSbodyFormat)
      throw base::Hdf5Error("it is not a reduced body");
    const std::int64_t version = base::read_integer_attribute(file_, "format_version");
    if (version < kSbodyVersion || version > kSbodyVersionWithSupports)
      throw base::Hdf5Error(fmt::format("its format version is {}; this program reads {} to {}",
                                        version, kSbodyVersion, kSbodyVersionWithSupports));
  }
  bool has(const std::string& name) const { return base::contains(file_, name); }
  Eigen::MatrixXd matrix(const std::string& name) {
    const std::vector<std::int64_t> shape = base::shape_of(file_, name);
    if (shape.size() != 2) throw base::Hdf5Error(fmt::format("{} is not a matrix", name));
    const std::vector<double> values = base::read_doubles(file_, name);
    hash_.add(values.data(), static_cast<std::int64_t>(values.size()));
    return Eigen::Map<const Eigen::MatrixXd>(values.data(), shape[1], shape[0]);
  }
  std::vector<std::int64_t> integers(const std::string& name) {
    auto values = base::read_integers(file_, name);
    hash_.add(values.data(), static_cast<std::int64_t>(values.size()));
    return values;
  }
  std::vector<std::string> strings(const std::string& name) {
    auto values = base::read_strings(file_, name);
    for (const std::string& value : values) hash_.add(value);
    return values;
  }
  void check_sum() const {
    if (base::read_string_attribute(file_, "checksum") != hash_.hex())
      throw base::Hdf5Error(
          "its checksum is wrong: its contents have changed since it was written");
  }

 private:
  base::H5File file_;
  base::ContentHash hash_;
};

/// Runs a reader and turns what HDF5 or the reader found wrong into the user's error.
template <class Work>
void read_or_complain(const std::string& path, Work&& work) {
  try {
    work();
  } catch (const base::InputError&) {
    throw;
  } catch (const std::exception& e) {
    throw base::InputError(fmt::format("cannot read the reduced body `{}`: {}", path, e.what()),
                           "write it again with `solidyn reduce`");
  }
}

/// Adds everything of a selection to a cache key, or to a digest that a file holds.
void add_selection(const mesh::NodeSelection& selection, base::ContentHash& hash);

}  // namespace solidyn::reduction
