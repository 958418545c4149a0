#include "solidyn/formats/solidyn/mesh.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>
#include <optional>

#include "formats/solidyn/mesh_checksum.h"
#include "formats/solidyn/mesh_format.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/base/mpi.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;
using mesh::ElementSlice;
using mesh::MeshSlices;
using mesh::SetSlice;
using mesh::slice_begin;

/// A rank's share of n rows.
struct Share {
  std::int64_t first, count;
  Share(MPI_Comm comm, std::int64_t n)
      : first(slice_begin(n, base::rank(comm), base::size(comm))),
        count(slice_begin(n, base::rank(comm) + 1, base::size(comm)) - first) {}
};

/// What an array should add up to, and what this rank's share of it does.
struct Checksum {
  std::string array;
  std::uint64_t expected, own;
};

struct ReadSlices {
  MeshSlices slices;
  std::vector<Checksum> checksums;  ///< the same arrays on all ranks; of old files none
};

class MeshReader {
 public:
  MeshReader(MPI_Comm comm, std::string path, double scale)
      : comm_(comm), path_(std::move(path)), scale_(scale), file_(base::open_hdf5(path_)) {}

  ReadSlices read() {
    check_header();
    read_nodes();
    read_elements();
    read_sets();
    return {std::move(slices_), std::move(checksums_)};
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw base::InputError(what, "the file is damaged; write it again with `solidyn convert`",
                           {path_, 0, 0});
  }

  void check_header() const {
    if (H5Aexists(file_, "format") <= 0 ||
        base::read_string_attribute(file_, "format") != kSolidynMeshFormat)
      throw base::InputError("this HDF5 file is not a Solidyn mesh",
                             "create one with `solidyn convert`", {path_, 0, 0});
    const std::int64_t version = base::read_integer_attribute(file_, "version");
    if (version != kSolidynMeshVersion)
      throw base::InputError(
          fmt::format("the mesh has format version {}; this program reads version {}", version,
                      kSolidynMeshVersion),
          "write it again with `solidyn convert` of this program version", {path_, 0, 0});
  }

  /// The number of rows of a dataset that must have `width` columns (1: one extent).
  std::int64_t count_rows(hid_t at, const std::string& name, std::int64_t width,
                          const std::string& where) const {
    if (!base::contains(at, name)) refuse(fmt::format("{}/{} is missing", where, name));
    const std::vector<std::int64_t> shape = base::shape_of(at, name);
    const bool fits = width == 1 ? shape.size() == 1 : shape.size() == 2 && shape[1] == width;
    if (!fits)
      refuse(fmt::format("{}/{} has the shape [{}]; expected {} per row", where, name,
                         fmt::join(shape, ", "), width));
    return shape[0];
  }

  template <class T>
  std::vector<T> read_share(hid_t at, const std::string& name, std::int64_t n_rows,
                            std::int64_t width, const std::string& where) {
    const Share share(comm_, n_rows);
    std::vector<T> values(share.count * width);
    const base::H5Dataset set{SOLIDYN_HDF5(H5Dopen2(at, name.c_str(), H5P_DEFAULT))};
    base::read_rows(set, share.first, share.count, values.data());
    if (H5Aexists(set, "checksum") > 0)
      checksums_.push_back(
          {where + "/" + name,
           static_cast<std::uint64_t>(base::read_integer_attribute(set, "checksum")),
           mesh_checksum(values.data(), share.count * width, share.first * width)});
    return values;
  }

  std::vector<std::int64_t> read_tags(hid_t at, std::int64_t n, const std::string& where) {
    const std::int64_t n_tags = count_rows(at, "tags", 1, where);
    if (n_tags != n)
      refuse(fmt::format("{} has {} rows, but {}/tags has {}", where, n, where, n_tags));
    return read_share<std::int64_t>(at, "tags", n, 1, where);
  }

  std::vector<std::int32_t> read_regions(hid_t at, std::int64_t n, const std::string& where) {
    if (!base::contains(at, "regions")) return {};
    const std::int64_t n_regions = count_rows(at, "regions", 1, where);
    if (n_regions != n)
      refuse(fmt::format("{} has {} rows, but {}/regions has {}", where, n, where, n_regions));
    const std::vector<std::int64_t> regions = read_share<std::int64_t>(at, "regions", n, 1, where);
    for (const std::int64_t region : regions)
      if (region < 0 || region > std::numeric_limits<std::int32_t>::max())
        refuse(fmt::format("{}/regions contains {}; region numbers start at 0", where, region));
    return {regions.begin(), regions.end()};
  }

  std::vector<std::int64_t> read_indices(hid_t at, std::int64_t n, std::int64_t width,
                                         const std::string& where) {
    std::vector<std::int64_t> nodes = read_share<std::int64_t>(at, "nodes", n, width, where);
    for (const std::int64_t node : nodes)
      if (node < 0 || node >= slices_.n_nodes)
        refuse(fmt::format("{}/nodes contains the node {}; the file has nodes 0 to {}", where, node,
                           slices_.n_nodes - 1));
    return nodes;
  }

  void read_nodes() {
    if (!base::contains(file_, "nodes")) refuse("nodes is missing");
    const base::H5Group group = base::open_group(file_, "nodes");
    slices_.n_nodes = count_rows(group, "x", 3, "nodes");
    const std::vector<double> x = read_share<double>(group, "x", slices_.n_nodes, 3, "nodes");
    slices_.node_tags = read_tags(group, slices_.n_nodes, "nodes");
    slices_.x = scale_ * Eigen::Map<const Eigen::Matrix3Xd>(
                             x.data(), 3, static_cast<Eigen::Index>(x.size() / 3));
    for (Eigen::Index i = 0; i < slices_.x.cols(); ++i)
      if (!slices_.x.col(i).allFinite())
        refuse(fmt::format("node {} has the coordinates ({}, {}, {})", slices_.node_tags[i],
                           x[3 * i], x[3 * i + 1], x[3 * i + 2]));
  }

  static std::optional<ElementType> find_type(const std::string& name) {
    for (int t = 0; t <= static_cast<int>(ElementType::pyramid13); ++t)
      if (name == elements::name(static_cast<ElementType>(t))) return static_cast<ElementType>(t);
    return std::nullopt;
  }

  void read_elements() {
    if (!base::contains(file_, "elements")) refuse("elements is missing");
    const base::H5Group all = base::open_group(file_, "elements");
    std::map<ElementType, std::string> found;  // in the order of types, as the readers' blocks
    for (const std::string& name : base::names_in(all)) {
      const std::optional<ElementType> type = find_type(name);
      if (!type) refuse(fmt::format("elements/{} is not an element type", name));
      found[*type] = name;
    }
    for (const auto& [type, name] : found) {
      const base::H5Group group = base::open_group(all, name);
      const std::string where = "elements/" + name;
      const int width = elements::n_nodes(type);
      const std::int64_t n = count_rows(group, "nodes", width, where);
      slices_.blocks.push_back({type, read_indices(group, n, width, where),
                                read_tags(group, n, where), read_regions(group, n, where)});
    }
  }

  void read_sets() {
    if (!base::contains(file_, "sets")) refuse("sets is missing");
    const base::H5Group all = base::open_group(file_, "sets");
    for (const std::string& number : base::names_in(all)) {
      const base::H5Group group = base::open_group(all, number);
      const std::string where = "sets/" + number;
      SetSlice& set = slices_.sets[base::read_string_attribute(group, "name")];
      set.dimension = static_cast<int>(base::read_integer_attribute(group, "dimension"));
      if (set.dimension < 0 || set.dimension > 3)
        refuse(fmt::format("{} has the dimension {}", where, set.dimension));
      set.nodes = read_indices(group, count_rows(group, "nodes", 1, where), 1, where);
    }
  }

  const MPI_Comm comm_;
  const std::string path_;
  const double scale_;
  const base::H5File file_;
  MeshSlices slices_;
  std::vector<Checksum> checksums_;
};

/// Collective: each rank knows the sums of its shares.
void check_sums(MPI_Comm comm, const std::vector<Checksum>& checksums, const std::string& path) {
  std::vector<std::uint64_t> sums;
  sums.reserve(checksums.size());
  for (const Checksum& checksum : checksums) sums.push_back(checksum.own);
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_UINT64_T, MPI_SUM,
                comm);
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (sums[i] != checksums[i].expected)
      throw base::InputError(fmt::format("the checksum of {} is wrong", checksums[i].array),
                             "the file is damaged; write it again with `solidyn convert`",
                             {path, 0, 0});
}

ReadSlices read_or_refuse(MPI_Comm comm, const std::string& path, double scale) {
  try {
    return MeshReader(comm, path, scale).read();
  } catch (const base::Hdf5Error& error) {
    throw base::InputError(fmt::format("the file cannot be read: {}", error.what()),
                           "it is damaged; write it again with `solidyn convert`", {path, 0, 0});
  }
}

}  // namespace

MeshSlices read_solidyn_mesh(MPI_Comm comm, const std::string& path, double scale) {
  ReadSlices read;
  base::run_together(comm, [&] { read = read_or_refuse(comm, path, scale); });
  check_sums(comm, read.checksums, path);
  return std::move(read.slices);
}

mesh::Mesh read_whole_solidyn_mesh(const std::string& path, double scale) {
  MeshSlices slices = read_solidyn_mesh(MPI_COMM_SELF, path, scale);
  if (slices.n_nodes > std::numeric_limits<std::int32_t>::max())
    throw base::InputError(
        fmt::format("the mesh has {} nodes, too many for one process", slices.n_nodes),
        "it can only be read in a parallel run", {path, 0, 0});
  mesh::Mesh whole;
  whole.x = std::move(slices.x);
  whole.node_tags = std::move(slices.node_tags);
  for (ElementSlice& block : slices.blocks)
    whole.blocks.push_back({block.type,
                            {block.connectivity.begin(), block.connectivity.end()},
                            std::move(block.tags),
                            std::move(block.regions)});
  for (const auto& [name, set] : slices.sets)
    whole.sets[name] = {set.dimension, {set.nodes.begin(), set.nodes.end()}};
  return whole;
}

bool is_solidyn_mesh_name(const std::string& path) {
  return std::filesystem::path(path).extension() == ".smesh";
}

}  // namespace solidyn::formats
