#include <functional>
#include <limits>

#include "base/shared_file.h"
#include "formats/solidyn/mesh_checksum.h"
#include "formats/solidyn/mesh_format.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/solidyn/mesh.h"

namespace solidyn::formats {
namespace {

using mesh::ElementSlice;
using mesh::MeshSlices;

/// Rows of which this rank has `count`, after those of the ranks before it.
struct OwnRows {
  std::int64_t first = 0, count = 0, total = 0;
  OwnRows(MPI_Comm comm, std::int64_t n) : count(n), total(base::sum(comm, n)) {
    MPI_Exscan(&n, &first, 1, MPI_INT64_T, MPI_SUM, comm);
    if (base::rank(comm) == 0) first = 0;
  }
};

/// Numbers as the file holds them.
template <class T>
std::vector<char> converted(const T* values, std::int64_t n, hid_t type) {
  const hid_t own = std::is_same_v<T, double> ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64;
  std::vector<char> bytes(n * sizeof(T));
  std::copy_n(reinterpret_cast<const char*>(values), bytes.size(), bytes.data());
  SOLIDYN_HDF5(H5Tconvert(own, type, n, bytes.data(), nullptr, H5P_DEFAULT));
  bytes.resize(n * H5Tget_size(type));
  return bytes;
}

/// An array of the file, to which each rank gives rows.
struct Array {
  std::string group, name;
  hid_t type;
  OwnRows rows;
  std::int64_t width;
  std::function<std::vector<char>()> own_bytes;  ///< of this rank's rows
  std::uint64_t checksum;                        ///< of all ranks'
};

/// Node numbers take four bytes where they fit: half of a large file is connectivity.
hid_t index_type(std::int64_t n_nodes) {
  return n_nodes <= std::numeric_limits<std::int32_t>::max() ? H5T_STD_I32LE : H5T_STD_I64LE;
}

class MeshWriter {
 public:
  /// Collective.
  MeshWriter(MPI_Comm comm, const MeshSlices& slices) : comm_(comm), slices_(slices) {
    list_nodes();
    list_elements();
    list_sets();
  }

  /// Collective. One rank makes the file, all ranks fill it: HDF5 itself would wait for ever where
  /// only some ranks meet a full disk.
  void write(const std::string& path) const {
    std::vector<std::int64_t> offsets;
    base::run_together(comm_, [&] {
      if (base::rank(comm_) == 0) offsets = create(path);
    });
    base::broadcast(comm_, offsets);
    const base::SharedFile file(comm_, path);
    base::run_together(comm_, [&] {
      for (std::size_t i = 0; i < arrays_.size(); ++i) {
        const Array& array = arrays_[i];
        const auto row = array.width * static_cast<std::int64_t>(H5Tget_size(array.type));
        if (array.rows.count > 0)
          file.write(offsets[i] + array.rows.first * row, array.own_bytes());
      }
    });
  }

 private:
  template <class T>
  void add(const std::string& group, const std::string& name, hid_t type, std::int64_t width,
           std::int64_t n_own, const T* values) {
    const OwnRows rows(comm_, n_own);
    arrays_.push_back({group, name, type, rows, width,
                       [=] { return converted(values, width * n_own, type); },
                       summed(mesh_checksum(values, width * n_own, width * rows.first))});
  }

  std::uint64_t summed(std::uint64_t own) const {
    MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_UINT64_T, MPI_SUM, comm_);
    return own;
  }

  void list_nodes() {
    groups_ = {"nodes", "elements", "sets"};
    add("nodes", "x", H5T_IEEE_F64LE, 3, slices_.x.cols(), slices_.x.data());
    add("nodes", "tags", H5T_STD_I64LE, 1, slices_.x.cols(), slices_.node_tags.data());
  }

  void list_elements() {
    for (const ElementSlice& block : slices_.blocks) {
      const std::int64_t n = block.size();
      if (base::sum(comm_, n) == 0) continue;
      const std::string group = std::string("elements/") + elements::name(block.type);
      groups_.push_back(group);
      add(group, "nodes", index_type(slices_.n_nodes), elements::n_nodes(block.type), n,
          block.connectivity.data());
      add(group, "tags", H5T_STD_I64LE, 1, n, block.tags.data());
      if (base::sum(comm_, static_cast<std::int64_t>(block.regions.size())) == 0) continue;
      const OwnRows rows(comm_, n);
      const auto regions = [&block, n] {
        std::vector<std::int64_t> all(block.regions.begin(), block.regions.end());
        all.resize(n, 0);
        return all;
      };
      arrays_.push_back({group, "regions", H5T_STD_I32LE, rows, 1,
                         [=] { return converted(regions().data(), n, H5T_STD_I32LE); },
                         summed(mesh_checksum(regions().data(), n, rows.first))});
    }
  }

  /// Sets are numbered, not named by their groups: a set's name may hold any character.
  void list_sets() {
    int number = 0;
    for (const auto& [name, set] : slices_.sets) {
      const std::string group = "sets/" + std::to_string(number++);
      groups_.push_back(group);
      add(group, "nodes", index_type(slices_.n_nodes), 1,
          static_cast<std::int64_t>(set.nodes.size()), set.nodes.data());
    }
  }

  /// Everything but the numbers. @return where those of each array begin, 0 of one without any
  std::vector<std::int64_t> create(const std::string& path) const {
    base::H5File file = base::create_hdf5(path);
    base::write_attribute(file, "format", std::string(kSolidynMeshFormat));
    base::write_attribute(file, "version", kSolidynMeshVersion);
    for (const std::string& group : groups_) base::create_group(file, group);
    int number = 0;
    for (const auto& [name, set] : slices_.sets) {
      const base::H5Group group = base::open_group(file, "sets/" + std::to_string(number++));
      base::write_attribute(group, "name", name);
      base::write_attribute(group, "dimension", std::int64_t{set.dimension});
    }
    std::vector<std::int64_t> offsets;
    for (const Array& array : arrays_) {
      std::vector<std::int64_t> shape = {array.rows.total};
      if (array.width > 1) shape.push_back(array.width);
      const base::H5Dataset set =
          base::create_rows(file, array.group + "/" + array.name, array.type, shape);
      base::write_attribute(set, "checksum", static_cast<std::int64_t>(array.checksum));
      const haddr_t offset = H5Dget_offset(set);
      offsets.push_back(offset == HADDR_UNDEF ? 0 : static_cast<std::int64_t>(offset));
    }
    file.close();
    return offsets;
  }

  MPI_Comm comm_;
  const MeshSlices& slices_;
  std::vector<std::string> groups_;  ///< each after the one that holds it
  std::vector<Array> arrays_;
};

}  // namespace

void write_solidyn_mesh(MPI_Comm comm, const std::string& path, const MeshSlices& slices) {
  const MeshWriter writer(comm, slices);
  base::write_beside_and_replace(comm, path,
                                 [&](const std::string& temporary) { writer.write(temporary); });
}

void write_solidyn_mesh(const std::string& path, const mesh::Mesh& mesh) {
  write_solidyn_mesh(MPI_COMM_SELF, path, mesh::make_slices(mesh));
}

}  // namespace solidyn::formats
