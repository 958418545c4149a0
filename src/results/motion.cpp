#include "solidyn/results/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/shared_file.h"
#include "results/field_layout.h"
#include "results/motion_layout.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/base/log.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/mpi.h"

namespace solidyn::results {
namespace {

constexpr double kNoPicture = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t kBytesOfDouble = 8, kBytesOfFloat = 4, kBytesOfInteger = 8;

using base::H5File;

std::int64_t offset_in(hid_t file, const std::string& path) {
  const base::H5Dataset set{SOLIDYN_HDF5(H5Dopen2(file, path.c_str(), H5P_DEFAULT))};
  return static_cast<std::int64_t>(H5Dget_offset(set));
}

// A surface as the ranks write it.
struct PlacedSurface {
  const MotionSurface& surface;
  Placement placement;
  int n_shapes;
  const PlacedPart& part() const { return placement.parts.front(); }
  std::string path(const std::string& dataset) const {
    return motion_surface_path(surface.body) + "/" + dataset;
  }
};

std::vector<std::string> datasets_of(const PlacedSurface& placed) {
  std::vector<std::string> names = {"nodes", "positions"};
  for (const XdmfPart::Cells& cells : placed.part().in_file.cells)
    names.push_back(motion_cells_name(cells.shape));
  if (placed.n_shapes > 0) names.emplace_back("shapes");
  if (placed.n_shapes > 0 && placed.surface.stress_shape) names.emplace_back("stress_shapes");
  return names;
}

void create_surface(hid_t file, const PlacedSurface& placed) {
  const XdmfPart& part = placed.part().in_file;
  base::create_group(file, motion_surface_path(placed.surface.body));
  base::create_rows(file, placed.path("nodes"), H5T_NATIVE_INT64, {part.n_nodes});
  base::create_rows(file, placed.path("positions"), H5T_NATIVE_FLOAT, {part.n_nodes, 3});
  for (const XdmfPart::Cells& cells : part.cells)
    base::create_rows(file, placed.path(motion_cells_name(cells.shape)), H5T_NATIVE_INT64,
                      {cells.n, elements::n_nodes(cells.shape)});
  if (placed.n_shapes == 0) return;
  base::create_rows(file, placed.path("shapes"), H5T_NATIVE_FLOAT,
                    {placed.n_shapes, part.n_nodes, 3});
  if (placed.surface.stress_shape)
    base::create_rows(file, placed.path("stress_shapes"), H5T_NATIVE_FLOAT,
                      {placed.n_shapes, part.n_nodes, 6});
}

void create_motion(const std::string& path, const MotionScene& scene,
                   const std::vector<PlacedSurface>& surfaces, std::int64_t n_pictures) {
  H5File file;
  try {
    file = base::create_hdf5(path);
  } catch (const base::Hdf5Error& error) {
    throw base::InputError(fmt::format("cannot create {}: {}", path, error.what()),
                           "check the output folder and its permissions");
  }
  base::write_attribute(file, "format", std::string(kMotionFormat));
  base::write_attribute(file, "format_version", kMotionVersion);
  base::write_dataset(file, "scene", scene.to_json());
  base::create_group(file, "surfaces");
  for (const PlacedSurface& surface : surfaces) create_surface(file, surface);
  base::write_dataset(file, "times", std::vector<double>(n_pictures, kNoPicture));
  base::create_rows(file, "rows", H5T_NATIVE_DOUBLE, {n_pictures, scene.row_length()});
  file.close();
}

// Changes a copy, which then takes the place of the file: whoever is killed leaves a whole one.
void change_whole(const std::string& path, const std::function<void(hid_t file)>& change) {
  const std::string temporary = base::temporary_name(path);
  try {
    std::filesystem::copy_file(path, temporary, std::filesystem::copy_options::overwrite_existing);
    H5File file = base::update_hdf5(temporary);
    change(file);
    file.close();
  } catch (const std::filesystem::filesystem_error& error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw base::ComputationError(
        fmt::format("{} cannot be written: {}", temporary, error.code().message()));
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    throw;
  }
  base::replace_by_temporary(path, temporary);
}

// Room for more pictures, behind what there is.
void extend(hid_t file, std::int64_t n_pictures) {
  std::vector<double> times = base::read_doubles(file, "times");
  const std::vector<std::int64_t> shape = base::shape_of(file, "rows");
  const std::vector<double> rows = base::read_doubles(file, "rows");
  for (const char* name : {"times", "rows"}) SOLIDYN_HDF5(H5Ldelete(file, name, H5P_DEFAULT));
  const base::H5Dataset larger =
      base::create_rows(file, "rows", H5T_NATIVE_DOUBLE, {n_pictures, shape.at(1)});
  base::write_rows(larger, 0, shape.at(0), rows.data());
  times.resize(n_pictures, kNoPicture);
  base::write_dataset(file, "times", times);
}

// The names of bodies, and how many numbers each has: what a row is.
std::string row_in_words(const MotionScene& scene) {
  std::string text;
  for (const MotionBody& body : scene.bodies)
    text += fmt::format("{}:{}:{};", body.name, body.n_coordinates, body.n_nodes);
  return fmt::format("{}{}", text, scene.row_length());
}

void require_same_scene(const std::string& path, const MotionScene& scene) {
  const H5File file = base::open_hdf5(path);
  require_motion_format(file, path);
  const MotionScene found = MotionScene::from_json(base::read_string(file, "scene"), path);
  if (row_in_words(found) != row_in_words(scene))
    throw base::InputError(
        fmt::format("{} shows other bodies than this run, or was written by an earlier Solidyn",
                    path),
        "restart with the unchanged model, or move the file away");
}

// A model that is restarted may have another title, other values and another appearance.
void renew_scene(hid_t file, const MotionScene& scene) {
  SOLIDYN_HDF5(H5Ldelete(file, "scene", H5P_DEFAULT));
  base::write_dataset(file, "scene", scene.to_json());
}

// Where it cannot even be opened.
void require_readable(const std::string& path) {
  try {
    base::open_hdf5(path);
  } catch (const base::InputError& error) {
    throw base::InputError(
        fmt::format("{} cannot be continued: {}", path, error.diagnostics().front().what),
        "remove it to continue without the earlier pictures");
  }
}

// As of a run without pictures in between.
void tell_of_gap(const std::string& path, const std::vector<double>& times, std::int64_t n_kept,
                 double time) {
  double longest = 0.0;
  for (std::int64_t k = 1; k < n_kept; ++k) longest = std::max(longest, times[k] - times[k - 1]);
  if (n_kept < 2 || time - times[n_kept - 1] <= 2.0 * longest) return;
  base::log_warning("{} has no pictures of the motion from t = {:.6g} s to t = {:.6g} s", path,
                    times[n_kept - 1], time);
}

}  // namespace

class MotionWriter::File {
 public:
  File(MPI_Comm comm, std::string path, const MotionScene& scene)
      : comm_(comm), path_(std::move(path)), row_length_(scene.row_length()) {}

  void begin(const MotionScene& scene, const std::vector<MotionSurface>& surfaces,
             std::int64_t n_pictures) {
    std::vector<PlacedSurface> placed;
    placed.reserve(surfaces.size());
    for (const MotionSurface& surface : surfaces)
      placed.push_back(
          {surface, place(comm_, {surface.part}), scene.bodies[surface.body].n_coordinates});
    const std::int64_t capacity = std::max<std::int64_t>(n_pictures, 1);
    base::run_together(comm_, [&] {
      if (is_first()) create_motion(path_, scene, placed, capacity);
    });
    {
      const base::SharedFile file(comm_, path_);
      for (const PlacedSurface& surface : placed) write_surface(file, surface);
    }
    open(capacity);
  }

  /// Returns false if there is nothing to go on from.
  bool resume(const MotionScene& scene, std::int64_t n_pictures, double time) {
    if (base::sum(comm_, std::int64_t{is_first() && std::filesystem::exists(path_)}) == 0) {
      base::log_warning("{} is missing: pictures of the motion start at t = {} s", path_, time);
      return false;
    }
    std::vector<std::int64_t> known(2);  // pictures that stay, and for how many there is room
    base::run_together(comm_, [&] {
      if (!is_first()) return;
      try {
        require_readable(path_);
        require_same_scene(path_, scene);
        const std::vector<double> times = base::read_doubles(base::open_hdf5(path_), "times");
        const auto n_kept =
            std::find_if(times.begin(), times.end(), [&](double t) { return !(t <= time); }) -
            times.begin();
        known = {n_kept, std::max(static_cast<std::int64_t>(times.size()), n_kept + n_pictures)};
        tell_of_gap(path_, times, n_kept, time);
        change_whole(path_, [&](hid_t file) {
          if (known[1] > static_cast<std::int64_t>(times.size())) extend(file, known[1]);
          renew_scene(file, scene);
        });
      } catch (const base::Hdf5Error& error) {
        throw base::InputError(fmt::format("{} cannot be continued: {}", path_, error.what()),
                               "remove it to continue without the earlier pictures");
      }
    });
    base::broadcast(comm_, known);
    n_written_ = known[0];
    open(known[1]);
    base::run_together(comm_, [&] {
      if (is_first())
        file_.write(times_at_ + n_written_ * kBytesOfDouble,
                    std::vector<double>(capacity_ - n_written_, kNoPicture));
    });
    return true;
  }

  void write(double time, const std::vector<double>& row) {
    SOLIDYN_ASSERT(static_cast<int>(row.size()) == row_length_);
    base::run_together(comm_, [&] {
      if (!is_first()) return;
      if (n_written_ == capacity_) {
        const std::int64_t larger = capacity_ + capacity_ / 2 + 1;
        change_whole(path_, [&](hid_t file) { extend(file, larger); });
        open(larger);
      }
      file_.write(rows_at_ + n_written_ * row_length_ * kBytesOfDouble, row);
      file_.write(times_at_ + n_written_ * kBytesOfDouble, std::vector<double>{time});
    });
    ++n_written_;
  }

  std::int64_t n_written() const { return n_written_; }

 private:
  bool is_first() const { return base::rank(comm_) == 0; }

  // Rank 0 alone writes pictures: it knows all of them.
  void open(std::int64_t capacity) {
    capacity_ = capacity;
    if (!is_first()) return;
    {
      const H5File file = base::open_hdf5(path_);
      times_at_ = offset_in(file, "times");
      rows_at_ = offset_in(file, "rows");
    }
    file_ = base::SharedFile(MPI_COMM_SELF, path_);
  }

  void write_surface(const base::SharedFile& file, const PlacedSurface& placed) const {
    std::vector<std::int64_t> offsets;
    base::run_together(comm_, [&] {
      if (!is_first()) return;
      const H5File h5 = base::open_hdf5(path_);
      for (const std::string& name : datasets_of(placed))
        offsets.push_back(offset_in(h5, placed.path(name)));
    });
    base::broadcast(comm_, offsets);
    const Placement::Range range = placed.placement.own_rows(placed.part());
    auto offset = offsets.begin();
    base::run_together(comm_, [&] {
      file.write(*offset++ + range.begin * kBytesOfInteger,
                 placed.placement.own_tags(placed.part()));
    });
    write_columns(file, placed, range, *offset++, placed.surface.positions);
    base::run_together(comm_, [&] {
      for (const PlacedPart::Cells& cells : placed.part().cells)
        file.write(*offset++ + cells.first * elements::n_nodes(cells.shape) * kBytesOfInteger,
                   cells.nodes);
    });
    const std::int64_t n_nodes = placed.part().in_file.n_nodes;
    for (const auto& [shape, n] : {std::pair{&placed.surface.shape, std::int64_t{3}},
                                   std::pair{&placed.surface.stress_shape, std::int64_t{6}}}) {
      if (!*shape || placed.n_shapes == 0) continue;
      for (int k = 0; k < placed.n_shapes; ++k)
        write_columns(file, placed, range, *offset + k * n_nodes * n * kBytesOfFloat, (*shape)(k));
      ++offset;
    }
  }

  // Numbers at the nodes, [n x n_owned], to the dataset's rows that begin at `offset`.
  void write_columns(const base::SharedFile& file, const PlacedSurface& placed,
                     const Placement::Range& range, std::int64_t offset,
                     const Eigen::MatrixXd& values) const {
    const int n = static_cast<int>(values.rows());
    const std::vector<double> block = placed.placement.nodes.to_block(values.data(), n);
    const std::vector<float> numbers(block.begin(), block.end());
    base::run_together(comm_,
                       [&] { file.write(offset + range.begin * n * kBytesOfFloat, numbers); });
  }

  MPI_Comm comm_;
  std::string path_;
  std::int64_t row_length_;
  base::SharedFile file_;
  std::int64_t times_at_ = 0, rows_at_ = 0, capacity_ = 0, n_written_ = 0;
};

MotionWriter::MotionWriter(MPI_Comm comm, std::string path, const MotionScene& scene,
                           const std::vector<MotionSurface>& surfaces, std::int64_t n_pictures,
                           std::optional<double> resume_at)
    : file_(std::make_unique<File>(comm, std::move(path), scene)) {
  if (!resume_at || !file_->resume(scene, n_pictures, *resume_at))
    file_->begin(scene, surfaces, n_pictures);
}

MotionWriter::MotionWriter(MotionWriter&&) noexcept = default;
MotionWriter& MotionWriter::operator=(MotionWriter&&) noexcept = default;
MotionWriter::~MotionWriter() = default;

void MotionWriter::write(double time, const std::vector<double>& row) {
  const base::LogStage stage(base::Stage::output);
  file_->write(time, row);
}

std::int64_t MotionWriter::n_written() const { return file_->n_written(); }

}  // namespace solidyn::results
