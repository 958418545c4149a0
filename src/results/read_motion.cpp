#include "solidyn/results/read_motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "results/motion_layout.h"
#include "results/stored_cells.h"
#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"

namespace solidyn::results {
namespace {

using Shape = std::vector<std::int64_t>;

constexpr float kLargestLength = 1e15f;  // m: no machine is as large

base::InputError damaged_motion(const std::string& path, const std::string& why) {
  return base::InputError(fmt::format("{} is damaged: {}", path, why), "run the model again");
}

template <class Work>
auto guarded(const std::string& path, Work&& work) {
  try {
    return work();
  } catch (const base::Hdf5Error& error) {
    throw damaged_motion(path, error.what());
  }
}

void require_size(hid_t file, const std::string& path, const std::string& name,
                  const Shape& wanted) {
  if (base::shape_of(file, name) != wanted)
    throw damaged_motion(path, fmt::format("`{}` has another size than the rest says", name));
}

// One shape of a dataset of them, [n x nodes].
Eigen::MatrixXf read_shape(hid_t file, const std::string& path, const std::string& name, int k,
                           std::int64_t n_shapes, std::int64_t n_nodes, int n) {
  require_size(file, path, name, {n_shapes, n_nodes, n});
  const base::H5Dataset set{SOLIDYN_HDF5(H5Dopen2(file, name.c_str(), H5P_DEFAULT))};
  const base::H5Space space{SOLIDYN_HDF5(H5Dget_space(set))};
  const hsize_t first[3] = {static_cast<hsize_t>(k), 0, 0};
  const hsize_t count[3] = {1, static_cast<hsize_t>(n_nodes), static_cast<hsize_t>(n)};
  SOLIDYN_HDF5(H5Sselect_hyperslab(space, H5S_SELECT_SET, first, nullptr, count, nullptr));
  const base::H5Space memory{SOLIDYN_HDF5(H5Screate_simple(3, count, nullptr))};
  Eigen::MatrixXf values(n, n_nodes);
  SOLIDYN_HDF5(H5Dread(set, H5T_NATIVE_FLOAT, memory, space, H5P_DEFAULT, values.data()));
  if (!values.allFinite())
    throw damaged_motion(path, fmt::format("`{}` has numbers that are not finite", name));
  return values;
}

}  // namespace

StoredSurface::Cells read_cells(hid_t at, const std::string& name, elements::ElementType shape,
                                std::int64_t n_nodes, const std::string& path) {
  const Shape size = base::shape_of(at, name);
  StoredSurface::Cells cells{shape, base::read_integers(at, name)};
  const bool is_whole = size.size() == 2 && size[0] > 0 && size[1] == elements::n_nodes(shape);
  const bool is_inside =
      std::all_of(cells.nodes.begin(), cells.nodes.end(),
                  [&](std::int64_t node) { return node >= 0 && node < n_nodes; });
  if (!is_whole || !is_inside)
    throw damaged_motion(path, fmt::format("`{}` has no such nodes", name));
  return cells;
}

void require_sound_surface(const StoredSurface& surface, const std::string& of,
                           const std::string& path) {
  if (surface.cells.empty())
    throw damaged_motion(path, fmt::format("the cells of {} are missing", of));
  for (const std::int64_t tag : surface.tags)
    if (tag < 0 || tag > std::numeric_limits<std::int32_t>::max())
      throw damaged_motion(
          path, fmt::format("{} has a node {}; they are numbered up to 2147483647", of, tag));
}

MotionFile::MotionFile(const std::string& path) : path_(path), file_(base::open_hdf5(path)) {
  guarded(path_, [&] {
    require_motion_format(file_, path_);
    scene_ = MotionScene::from_json(base::read_string(file_, "scene"), path_);
    times_ = base::read_doubles(file_, "times");
    const auto n_rows = static_cast<std::int64_t>(times_.size());
    const std::int64_t n = scene_.row_length();
    require_size(file_, path_, "rows", {n_rows, n});
    times_.erase(std::find_if(times_.begin(), times_.end(), [](double t) { return std::isnan(t); }),
                 times_.end());
    for (std::size_t i = 0; i < times_.size(); ++i)
      if (!std::isfinite(times_[i]) || (i > 0 && !(times_[i] >= times_[i - 1])))
        throw damaged_motion(path_, "the times of its pictures do not rise");
    const auto n_pictures = static_cast<std::int64_t>(times_.size());
    rows_.resize(n, n_pictures);
    const base::H5Dataset rows{SOLIDYN_HDF5(H5Dopen2(file_, "rows", H5P_DEFAULT))};
    if (n_pictures > 0 && n > 0) base::read_rows(rows, 0, n_pictures, rows_.data());
  });
  if (!rows_.allFinite())
    throw damaged_motion(path_, "a complete picture has numbers that are not finite");
}

bool MotionFile::has_surface(int body) const {
  return guarded(path_, [&] {
    return base::contains(file_, "surfaces") && base::contains(file_, motion_surface_path(body));
  });
}

StoredSurface MotionFile::surface(int body) const {
  return guarded(path_, [&] {
    const std::string at = motion_surface_path(body) + "/";
    StoredSurface surface;
    surface.tags = base::read_integers(file_, at + "nodes");
    const auto n = static_cast<std::int64_t>(surface.tags.size());
    require_size(file_, path_, at + "positions", {n, 3});
    surface.positions = base::read_matrix(file_, at + "positions").cast<float>();
    // Written so that numbers that are none do not pass.
    if (!(surface.positions.array().abs() < kLargestLength).all())
      throw damaged_motion(path_, fmt::format("`{}positions` has numbers that are no places", at));
    surface.has_stress = base::contains(file_, at + "stress_shapes");
    for (const elements::ElementTraits& traits : elements::kElements) {
      const std::string name = at + motion_cells_name(traits.type);
      if (!base::contains(file_, name)) continue;
      surface.cells.push_back(read_cells(file_, name, traits.type, n, path_));
    }
    require_sound_surface(surface, scene_.bodies[body].name, path_);
    return surface;
  });
}

Eigen::Matrix3Xf MotionFile::shape(int body, int k) const {
  return guarded(path_, [&]() -> Eigen::Matrix3Xf {
    const std::string at = motion_surface_path(body) + "/";
    const std::int64_t n = base::shape_of(file_, at + "nodes").at(0);
    return read_shape(file_, path_, at + "shapes", k, scene_.bodies[body].n_coordinates, n, 3);
  });
}

Eigen::Matrix<float, 6, Eigen::Dynamic> MotionFile::stress_shape(int body, int k) const {
  return guarded(path_, [&]() -> Eigen::Matrix<float, 6, Eigen::Dynamic> {
    const std::string at = motion_surface_path(body) + "/";
    const std::int64_t n = base::shape_of(file_, at + "nodes").at(0);
    return read_shape(file_, path_, at + "stress_shapes", k, scene_.bodies[body].n_coordinates, n,
                      6);
  });
}

}  // namespace solidyn::results
