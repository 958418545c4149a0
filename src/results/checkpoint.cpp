#include "solidyn/results/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/shared_file.h"
#include "results/link_name.h"
#include "results/row_numbering.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/mpi.h"

namespace solidyn::results {
namespace {

using base::H5Dataset;
using base::H5File;
using base::H5Group;
using base::InputError;

constexpr const char* kFormat = "solidyn checkpoint";
constexpr std::int64_t kFormatVersion = 1;
constexpr std::int64_t kNumber = 8;  // bytes of a double, and of a tag

// FNV-1a, started with a row's number, so that the rows' sum does not depend on who adds it up, but
// notices rows that changed places.
std::uint64_t hash_row(std::int64_t row, const double* values, std::int64_t n) {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](const void* data, std::size_t n_bytes) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < n_bytes; ++i) hash = (hash ^ bytes[i]) * 1099511628211ULL;
  };
  add(&row, sizeof row);
  add(values, n * sizeof(double));
  return hash;
}

std::int64_t checksum(const std::vector<double>& block, std::int64_t first, int n_components) {
  std::uint64_t total = 0;
  const auto n = static_cast<std::int64_t>(block.size()) / n_components;
  for (std::int64_t i = 0; i < n; ++i)
    total += hash_row(first + i, block.data() + i * n_components, n_components);
  return static_cast<std::int64_t>(total);
}

// A distributed array as the ranks write and read it: blocks of rows in the order of the tags.
struct RowBlock {
  RowExchange exchange;
  std::int64_t n_rows;
  std::vector<std::int64_t> tags;
};

RowBlock make_row_block(MPI_Comm comm, const std::string& name,
                        const std::vector<std::int64_t>& tags) {
  const RowNumbering numbering(comm, tags);
  RowBlock block{
      RowExchange(comm, numbering.rows_of(tags), numbering.n_rows()), numbering.n_rows(), {}};
  if (!block.exchange.covers_all_rows())
    throw base::ComputationError(fmt::format("checkpoint: `{}` has a node on two ranks", name));
  const std::vector<double> as_doubles(tags.begin(), tags.end());
  const std::vector<double> in_order = block.exchange.to_block(as_doubles.data(), 1);
  block.tags.assign(in_order.begin(), in_order.end());
  return block;
}

void write_replicated(hid_t file, const Checkpoint& checkpoint) {
  base::write_attribute(file, "format", std::string(kFormat));
  base::write_attribute(file, "format_version", kFormatVersion);
  base::write_attribute(file, "solidyn_version", std::string(SOLIDYN_VERSION));
  base::write_attribute(file, "model_hash", checkpoint.model_hash);
  base::write_attribute(file, "time", checkpoint.time);
  base::write_attribute(file, "step", checkpoint.step);
  const H5Group scalars = base::create_compact_group(file, "scalars");
  for (const auto& [name, value] : checkpoint.scalars)
    base::write_dataset(scalars, link_name(name), &value, {});
  const H5Group texts = base::create_compact_group(file, "texts");
  for (const auto& [name, text] : checkpoint.texts)
    base::write_dataset(texts, link_name(name), text);
  const H5Group arrays = base::create_compact_group(file, "arrays");
  for (const auto& [name, values] : checkpoint.arrays) {
    base::write_dataset(arrays, link_name(name), values);
    const H5Dataset set{SOLIDYN_HDF5(H5Dopen2(arrays, link_name(name).c_str(), H5P_DEFAULT))};
    base::write_attribute(set, "checksum", checksum(values, 0, 1));
  }
}

struct Packed {
  RowBlock rows;
  std::vector<double> values;
  std::int64_t n_components;
  std::int64_t checksum;
};

Packed pack(MPI_Comm comm, const std::string& name, const DistributedArray& array) {
  Packed packed{make_row_block(comm, name, array.tags), {}, array.values.rows(), 0};
  // A rank without nodes may not know how many components there are.
  packed.n_components = std::max<std::int64_t>(packed.n_components, 1);
  MPI_Allreduce(MPI_IN_PLACE, &packed.n_components, 1, MPI_INT64_T, MPI_MAX, comm);
  const int n_components = static_cast<int>(packed.n_components);
  packed.values = packed.rows.exchange.to_block(array.values.data(), n_components);
  packed.checksum =
      base::sum(comm, checksum(packed.values, packed.rows.exchange.first(), n_components));
  return packed;
}

H5Dataset open_dataset(hid_t group, const char* name) {
  return H5Dataset{SOLIDYN_HDF5(H5Dopen2(group, name, H5P_DEFAULT))};
}

// Creates the datasets and appends where their bytes are: first the tags, then the values.
void create_distributed(hid_t group, const std::string& name, const Packed& packed,
                        std::vector<std::int64_t>& offsets) {
  const H5Group own = base::create_compact_group(group, link_name(name));
  const H5Dataset tags = base::create_rows(own, "tags", H5T_NATIVE_INT64, {packed.rows.n_rows});
  const H5Dataset values = base::create_rows(own, "values", H5T_NATIVE_DOUBLE,
                                             {packed.rows.n_rows, packed.n_components});
  base::write_attribute(own, "checksum", packed.checksum);
  offsets.push_back(static_cast<std::int64_t>(H5Dget_offset(tags)));
  offsets.push_back(static_cast<std::int64_t>(H5Dget_offset(values)));
}

std::vector<std::int64_t> create_file(const std::string& path, const Checkpoint& checkpoint,
                                      const std::map<std::string, Packed>& arrays) {
  std::vector<std::int64_t> offsets;
  H5File file = base::create_hdf5(path);
  write_replicated(file, checkpoint);
  H5Group distributed = base::create_compact_group(file, "distributed");
  for (const auto& [name, array] : arrays) create_distributed(distributed, name, array, offsets);
  distributed.close();
  file.close();
  return offsets;
}

// Collective.
void fill_distributed(MPI_Comm comm, const std::string& path,
                      const std::map<std::string, Packed>& arrays,
                      const std::vector<std::int64_t>& offsets) {
  const base::SharedFile file(comm, path);
  base::run_together(comm, [&] {
    auto offset = offsets.begin();
    for (const auto& [name, array] : arrays) {
      const std::int64_t first = array.rows.exchange.first();
      file.write(*offset++ + first * kNumber, array.rows.tags);
      file.write(*offset++ + first * array.n_components * kNumber, array.values);
    }
  });
}

InputError damaged(const std::string& path, const std::string& reason) {
  return InputError(fmt::format("{} is damaged: {}", path, reason),
                    "start a new run, or restart from another checkpoint");
}

void require_format(hid_t file, const std::string& path, const std::string& model_hash) {
  if (SOLIDYN_HDF5(H5Aexists(file, "format")) <= 0 ||
      base::read_string_attribute(file, "format") != kFormat)
    throw InputError(fmt::format("{} is not a checkpoint of Solidyn", path),
                     "give the checkpoint.h5 of an output folder");
  const std::int64_t version = base::read_integer_attribute(file, "format_version");
  if (version > kFormatVersion)
    throw InputError(fmt::format("{} has format version {}; this program reads versions up to {}",
                                 path, version, kFormatVersion),
                     "continue with the newer program version that wrote it");
  if (!model_hash.empty() && base::read_string_attribute(file, "model_hash") != model_hash)
    throw InputError(fmt::format("{} was written by another model", path),
                     "restart with the unchanged model, or start a new run");
}

Checkpoint read_replicated(hid_t file) {
  Checkpoint checkpoint;
  checkpoint.model_hash = base::read_string_attribute(file, "model_hash");
  checkpoint.time = base::read_double_attribute(file, "time");
  checkpoint.step = base::read_integer_attribute(file, "step");
  const H5Group scalars = base::open_group(file, "scalars");
  for (const std::string& link : base::names_in(scalars))
    checkpoint.scalars[name_of_link(link)] = base::read_doubles(scalars, link).at(0);
  const H5Group texts = base::open_group(file, "texts");
  for (const std::string& link : base::names_in(texts))
    checkpoint.texts[name_of_link(link)] = base::read_string(texts, link);
  const H5Group arrays = base::open_group(file, "arrays");
  for (const std::string& link : base::names_in(arrays)) {
    std::vector<double>& values = checkpoint.arrays[name_of_link(link)];
    values = base::read_doubles(arrays, link);
    const std::int64_t expected =
        base::read_integer_attribute(open_dataset(arrays, link.c_str()), "checksum");
    if (checksum(values, 0, 1) != expected)
      throw base::Hdf5Error(fmt::format("the checksum of `{}` is wrong", name_of_link(link)));
  }
  const H5Group distributed = base::open_group(file, "distributed");
  for (const std::string& link : base::names_in(distributed))
    checkpoint.distributed[name_of_link(link)];
  return checkpoint;
}

// One rank's rows of a distributed array, as the file holds them.
struct StoredBlock {
  std::vector<double> values;
  int n_components = 1;
  std::int64_t checksum = 0;
};

StoredBlock read_block(hid_t file, const std::string& name, const RowBlock& rows) {
  const std::string link = "distributed/" + link_name(name);
  const H5Group own = base::open_group(file, link);
  const std::vector<std::int64_t> shape = base::shape_of(own, "values");
  std::vector<std::int64_t> tags(rows.tags.size());
  const bool has_as_many = shape.size() == 2 && shape[0] == rows.n_rows;
  if (has_as_many)
    base::read_rows(open_dataset(own, "tags"), rows.exchange.first(), rows.exchange.n(),
                    tags.data());
  if (!has_as_many || tags != rows.tags)
    throw InputError(fmt::format("the checkpoint's `{}` belongs to another mesh", name),
                     "restart with the unchanged model and mesh, or start a new run");
  StoredBlock stored;
  stored.n_components = static_cast<int>(shape[1]);
  stored.values.resize(rows.exchange.n() * shape[1]);
  base::read_rows(open_dataset(own, "values"), rows.exchange.first(), rows.exchange.n(),
                  stored.values.data());
  stored.checksum = base::read_integer_attribute(own, "checksum");
  return stored;
}

}  // namespace

void write_checkpoint(MPI_Comm comm, const std::string& path, const Checkpoint& checkpoint) {
  const base::LogStage stage(base::Stage::output);
  std::map<std::string, Packed> arrays;
  for (const auto& [name, array] : checkpoint.distributed)
    arrays.emplace(name, pack(comm, name, array));
  base::write_beside_and_replace(comm, path, [&](const std::string& temporary) {
    std::vector<std::int64_t> offsets;
    base::run_together(comm, [&] {
      if (base::rank(comm) == 0) offsets = create_file(temporary, checkpoint, arrays);
    });
    base::broadcast(comm, offsets);
    if (!arrays.empty()) fill_distributed(comm, temporary, arrays, offsets);
  });
}

Checkpoint read_checkpoint(MPI_Comm comm, const std::string& path, const std::string& model_hash) {
  Checkpoint checkpoint;
  base::run_together(comm, [&] {
    const H5File file = base::open_hdf5(path);
    try {
      require_format(file, path, model_hash);
      checkpoint = read_replicated(file);
    } catch (const base::Hdf5Error& error) {
      throw damaged(path, error.what());
    }
  });
  return checkpoint;
}

Eigen::MatrixXd read_distributed(MPI_Comm comm, const std::string& path, const std::string& name,
                                 const std::vector<std::int64_t>& tags) {
  const RowBlock rows = make_row_block(comm, name, tags);
  StoredBlock stored;
  base::run_together(comm, [&] {
    const H5File file = base::open_hdf5(path);
    try {
      stored = read_block(file, name, rows);
    } catch (const base::Hdf5Error& error) {
      throw damaged(path, error.what());
    }
  });
  const std::int64_t found =
      base::sum(comm, checksum(stored.values, rows.exchange.first(), stored.n_components));
  if (found != stored.checksum)
    throw damaged(path, fmt::format("the checksum of `{}` is wrong", name));
  Eigen::MatrixXd values(stored.n_components, static_cast<Eigen::Index>(tags.size()));
  rows.exchange.from_block(stored.values, stored.n_components, values.data());
  return values;
}

}  // namespace solidyn::results
