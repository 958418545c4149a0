#include "solidyn/results/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "results/link_name.h"
#include "results/row_numbering.h"
#include "results/xdmf.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"

namespace solidyn::results {
namespace {

using base::H5Dataset;
using base::H5File;
using base::H5Group;
using base::InputError;
using Integers = std::vector<std::int64_t>;

constexpr const char* kFormat = "solidyn fields";
constexpr double kShareOfXdmf = 0.05;
constexpr CellShape kShapes[] = {CellShape::point, CellShape::line2, CellShape::line3,
                                 CellShape::tri3,  CellShape::tri6,  CellShape::tet4,
                                 CellShape::tet10};

H5Dataset open_dataset(hid_t file, const std::string& path) {
  return H5Dataset{SOLIDYN_HDF5(H5Dopen2(file, path.c_str(), H5P_DEFAULT))};
}

// A part ready for writing: which rows the nodes take, and this rank's cells in terms of rows.
struct PlacedPart {
  XdmfPart in_file;
  RowExchange nodes;
  Integers block_tags;  // the tags of this rank's block of rows
  struct Cells {
    CellShape shape;
    std::int64_t first, n;
    Integers rows;  // in XDMF's order
  };
  std::vector<Cells> cells;
};

Integers nodes_of(const FieldPart& part, CellShape shape) {
  Integers nodes;
  for (const FieldCells& cells : part.cells)
    if (cells.shape == shape) nodes.insert(nodes.end(), cells.nodes.begin(), cells.nodes.end());
  return nodes;
}

Integers all_cell_nodes(const FieldPart& part) {
  Integers nodes;
  for (const FieldCells& cells : part.cells)
    nodes.insert(nodes.end(), cells.nodes.begin(), cells.nodes.end());
  return nodes;
}

Integers reordered(const Integers& rows, const XdmfShape& shape) {
  Integers out(rows.size());
  for (std::size_t cell = 0; cell < rows.size(); cell += shape.n_nodes)
    for (int i = 0; i < shape.n_nodes; ++i) out[cell + i] = rows[cell + shape.order[i]];
  return out;
}

PlacedPart::Cells place_cells(MPI_Comm comm, const RowNumbering& numbering, CellShape shape,
                              const Integers& nodes) {
  PlacedPart::Cells cells{shape, 0, 0, reordered(numbering.rows_of(nodes), xdmf_shape(shape))};
  cells.n = static_cast<std::int64_t>(nodes.size()) / xdmf_shape(shape).n_nodes;
  MPI_Exscan(&cells.n, &cells.first, 1, MPI_INT64_T, MPI_SUM, comm);
  if (base::rank(comm) == 0) cells.first = 0;
  return cells;
}

Integers tags_in_order(const RowExchange& nodes, const Integers& tags) {
  const std::vector<double> as_doubles(tags.begin(), tags.end());
  const std::vector<double> block = nodes.to_block(as_doubles.data(), 1);
  return {block.begin(), block.end()};
}

// Quantities may be declared on the ranks that have nodes only; the file needs them from one rank.
std::vector<FieldQuantity> agreed_quantities(MPI_Comm comm, const FieldPart& part) {
  std::string text;
  for (const FieldQuantity& q : part.quantities)
    text += fmt::format("{}\n{}\n{}\n", q.name, q.unit, q.n_components);
  std::string first = text;
  base::broadcast(comm, first);
  const bool differs = base::sum(comm, std::int64_t{text != first}) > 0;
  if (differs)
    throw base::ComputationError(
        fmt::format("fields: part `{}` has other quantities on other ranks", part.name));
  return part.quantities;
}

PlacedPart place(MPI_Comm comm, const FieldPart& part) {
  const RowNumbering numbering(comm, all_cell_nodes(part));
  PlacedPart placed{{part.name, link_name(part.name), numbering.n_rows(), {}, {}},
                    RowExchange(comm, numbering.rows_of(part.tags), numbering.n_rows()),
                    {},
                    {}};
  if (!placed.nodes.covers_all_rows())
    throw base::ComputationError(fmt::format(
        "fields: a node of part `{}` belongs to no rank, or to two of them", part.name));
  placed.in_file.quantities = agreed_quantities(comm, part);
  placed.block_tags = tags_in_order(placed.nodes, part.tags);
  for (const CellShape shape : kShapes) {
    PlacedPart::Cells cells = place_cells(comm, numbering, shape, nodes_of(part, shape));
    const std::int64_t n_cells = base::sum(comm, cells.n);
    if (n_cells == 0) continue;
    placed.in_file.cells.push_back({shape, n_cells});
    placed.cells.push_back(std::move(cells));
  }
  return placed;
}

template <class Action>  // (part's group, name of the quantity, its number of components)
void for_each_quantity(const XdmfPart& part, const Action& action) {
  action("positions", 3);
  for (const FieldQuantity& quantity : part.quantities)
    action(quantity.name, quantity.n_components);
}

void create_snapshots(hid_t file, const XdmfPart& part, std::int64_t begin, std::int64_t end) {
  for_each_quantity(part, [&](const std::string& name, int n_components) {
    const Integers shape =
        n_components == 1 ? Integers{part.n_nodes} : Integers{part.n_nodes, n_components};
    for (std::int64_t k = begin; k < end; ++k)
      base::create_rows(file, values_path(part, name, k), H5T_NATIVE_DOUBLE, shape);
  });
}

void create_part(hid_t file, const XdmfPart& part) {
  const H5Group group = base::create_group(file, group_of(part));
  base::write_attribute(group, "name", part.name);
  base::create_rows(group, "nodes", H5T_NATIVE_INT64, {part.n_nodes});
  base::create_group(group, "cells");
  for (const XdmfPart::Cells& cells : part.cells)
    base::create_rows(file, cells_path(part, cells.shape), H5T_NATIVE_INT64,
                      {cells.n, xdmf_shape(cells.shape).n_nodes});
  base::write_attribute(base::create_group(group, "positions"), "unit", std::string("m"));
  for (const FieldQuantity& quantity : part.quantities)
    base::write_attribute(base::create_group(group, link_name(quantity.name)), "unit",
                          quantity.unit);
}

InputError other_parts(const std::string& path, const std::string& what) {
  return InputError(fmt::format("{} shows other bodies than this run: {}", path, what),
                    "restart with the unchanged model, or start a new run");
}

void require_shape(hid_t file, const std::string& path, const std::string& dataset,
                   const Integers& shape) {
  if (base::shape_of(file, dataset) != shape) throw other_parts(path, dataset + " differs in size");
}

void require_same_part(hid_t file, const std::string& path, const PlacedPart& placed) {
  const XdmfPart& part = placed.in_file;
  require_shape(file, path, group_of(part) + "/nodes", {part.n_nodes});
  for (const XdmfPart::Cells& cells : part.cells)
    require_shape(file, path, cells_path(part, cells.shape),
                  {cells.n, xdmf_shape(cells.shape).n_nodes});
  for (const FieldQuantity& quantity : part.quantities)
    if (!base::contains(file, group_of(part) + "/" + link_name(quantity.name)))
      throw other_parts(path, fmt::format("`{}` of `{}` is missing", quantity.name, part.name));
  Integers tags(placed.block_tags.size());
  base::read_rows(open_dataset(file, group_of(part) + "/nodes"), placed.nodes.first(),
                  placed.nodes.n(), tags.data());
  if (tags != placed.block_tags)
    throw other_parts(path, fmt::format("`{}` has other nodes", part.name));
}

// A snapshot is complete when its time is known, and only then.
constexpr double kNotYet = std::numeric_limits<double>::quiet_NaN();

std::int64_t n_not_later(const std::vector<double>& times, double limit) {
  return std::find_if(times.begin(), times.end(), [&](double t) { return !(t <= limit); }) -
         times.begin();
}

}  // namespace

/// The two files, and what has been written to them.
class FieldWriter::Files {
 public:
  Files(MPI_Comm comm, std::string xdmf_path, std::string h5_path,
        const std::vector<FieldPart>& parts);
  void begin(std::int64_t n_snapshots);
  /// Returns false if there is nothing to go on from.
  bool resume(std::int64_t n_snapshots, double time);
  void write(double time, const std::vector<FieldValues>& values);
  void write_xdmf();
  std::int64_t n_written() const { return n_written_; }

 private:
  bool is_first() const { return base::rank(comm_) == 0; }
  bool exist() const;
  void create(std::int64_t capacity) const;
  void fill_topology();
  void grow(std::int64_t capacity);
  void require_same_parts() const;
  template <class T>
  void fill(const std::string& path, std::int64_t first, std::int64_t n,
            const std::vector<T>& rows);
  void set_time(std::int64_t snapshot, double time);
  void fill_snapshot(const PlacedPart& part, const FieldValues& values);
  bool xdmf_is_due() const;
  void write_xdmf_now();

  MPI_Comm comm_;
  std::string xdmf_path_, h5_path_;
  std::vector<PlacedPart> parts_;
  XdmfText xdmf_;
  H5File file_;
  std::int64_t capacity_ = 0, n_written_ = 0, n_listed_ = -1;
  base::Timer timer_;
  double xdmf_ended_ = 0.0, xdmf_seconds_ = 0.0;
};

namespace {

std::vector<PlacedPart> place_all(MPI_Comm comm, const std::vector<FieldPart>& parts) {
  std::vector<PlacedPart> placed;
  for (const FieldPart& part : parts) placed.push_back(place(comm, part));
  return placed;
}

std::vector<XdmfPart> in_file(const std::vector<PlacedPart>& placed) {
  std::vector<XdmfPart> parts;
  for (const PlacedPart& part : placed) parts.push_back(part.in_file);
  return parts;
}

}  // namespace

FieldWriter::Files::Files(MPI_Comm comm, std::string xdmf_path, std::string h5_path,
                          const std::vector<FieldPart>& parts)
    : comm_(comm),
      xdmf_path_(std::move(xdmf_path)),
      h5_path_(std::move(h5_path)),
      parts_(place_all(comm, parts)),
      xdmf_(std::filesystem::path(h5_path_).filename(), in_file(parts_)) {}

void FieldWriter::Files::begin(std::int64_t n_snapshots) {
  capacity_ = std::max<std::int64_t>(n_snapshots, 1);
  base::run_together(comm_, [&] {
    if (is_first()) create(capacity_);
  });
  file_ = base::update_hdf5(comm_, h5_path_);
  fill_topology();
  write_xdmf();
}

// One rank creates everything and closes the file, so that all that describes the datasets is on
// the disk before the first number: from here on only their bytes change.
void FieldWriter::Files::create(std::int64_t capacity) const {
  H5File file;
  try {
    file = base::create_hdf5(h5_path_);
  } catch (const base::Hdf5Error& error) {
    throw InputError(fmt::format("{} cannot be created: {}", h5_path_, error.what()),
                     "check the output folder and its permissions");
  }
  base::write_attribute(file, "format", std::string(kFormat));
  base::write_attribute(file, "format_version", std::int64_t{1});
  base::write_dataset(file, "times", std::vector<double>(capacity, kNotYet));
  base::create_group(file, "parts");
  for (const PlacedPart& part : parts_) {
    create_part(file, part.in_file);
    create_snapshots(file, part.in_file, 0, capacity);
  }
  file.close();
}

void FieldWriter::Files::fill_topology() {
  for (const PlacedPart& part : parts_) {
    fill(group_of(part.in_file) + "/nodes", part.nodes.first(), part.nodes.n(), part.block_tags);
    for (const PlacedPart::Cells& cells : part.cells)
      fill(cells_path(part.in_file, cells.shape), cells.first, cells.n, cells.rows);
  }
}

// Each collective transfer may fail on some ranks only: they meet again after each.
template <class T>
void FieldWriter::Files::fill(const std::string& path, std::int64_t first, std::int64_t n,
                              const std::vector<T>& rows) {
  base::run_together(comm_,
                     [&] { base::write_rows(open_dataset(file_, path), first, n, rows.data()); });
}

void FieldWriter::Files::set_time(std::int64_t snapshot, double time) {
  fill("times", snapshot, is_first() ? 1 : 0, std::vector<double>{time});
}

void FieldWriter::Files::grow(std::int64_t capacity) {
  file_.close();
  base::run_together(comm_, [&] {
    if (!is_first()) return;
    H5File file = base::update_hdf5(MPI_COMM_SELF, h5_path_);
    std::vector<double> times = base::read_doubles(file, "times");
    times.resize(capacity, kNotYet);
    SOLIDYN_HDF5(H5Ldelete(file, "times", H5P_DEFAULT));
    base::write_dataset(file, "times", times);
    for (const PlacedPart& part : parts_) create_snapshots(file, part.in_file, capacity_, capacity);
    file.close();
  });
  capacity_ = capacity;
  file_ = base::update_hdf5(comm_, h5_path_);
}

bool FieldWriter::Files::exist() const {
  return base::sum(comm_, std::int64_t{is_first() && std::filesystem::exists(h5_path_)}) > 0;
}

void FieldWriter::Files::require_same_parts() const {
  const H5File file = base::open_hdf5(h5_path_);
  const std::vector<std::string> found = base::names_in(base::open_group(file, "parts"));
  std::vector<std::string> wanted;
  for (const PlacedPart& part : parts_) wanted.push_back(part.in_file.link);
  std::sort(wanted.begin(), wanted.end());
  if (found != wanted) throw other_parts(h5_path_, "their names differ");
  for (const PlacedPart& part : parts_) require_same_part(file, h5_path_, part);
}

bool FieldWriter::Files::resume(std::int64_t n_snapshots, double time) {
  if (!exist()) {
    base::log_warning("{} is missing: the pictures start at t = {} s", h5_path_, time);
    return false;
  }
  std::vector<double> times;
  base::run_together(comm_, [&] {
    try {
      require_same_parts();
      times = base::read_doubles(base::open_hdf5(h5_path_), "times");
    } catch (const base::Hdf5Error& error) {
      throw InputError(fmt::format("{} cannot be continued: {}", h5_path_, error.what()),
                       "remove it to continue without the earlier pictures");
    }
  });
  capacity_ = static_cast<std::int64_t>(times.size());
  n_written_ = n_not_later(times, time);
  for (std::int64_t k = 0; k < n_written_; ++k) xdmf_.add_snapshot(k, times[k]);
  // The list goes first: it must not name a snapshot that is about to be overwritten.
  write_xdmf();
  file_ = base::update_hdf5(comm_, h5_path_);
  for (std::int64_t k = n_written_; k < capacity_ && !std::isnan(times[k]); ++k)
    set_time(k, kNotYet);
  if (n_snapshots > capacity_) grow(n_snapshots);
  return true;
}

void FieldWriter::Files::fill_snapshot(const PlacedPart& part, const FieldValues& values) {
  SOLIDYN_ASSERT(values.quantities.size() == part.in_file.quantities.size());
  const double* numbers = values.positions.data();
  auto next = values.quantities.begin();
  for_each_quantity(part.in_file, [&](const std::string& name, int n_components) {
    fill(values_path(part.in_file, name, n_written_), part.nodes.first(), part.nodes.n(),
         part.nodes.to_block(numbers, n_components));
    if (next != values.quantities.end()) numbers = (next++)->data();
  });
}

void FieldWriter::Files::write(double time, const std::vector<FieldValues>& values) {
  SOLIDYN_ASSERT(values.size() == parts_.size());
  if (n_written_ == capacity_) grow(capacity_ + capacity_ / 2 + 1);
  for (std::size_t i = 0; i < parts_.size(); ++i) fill_snapshot(parts_[i], values[i]);
  MPI_Barrier(comm_);  // all ranks' numbers before the time that declares them complete
  set_time(n_written_, time);
  xdmf_.add_snapshot(n_written_++, time);
  base::run_together(comm_, [&] {
    if (is_first() && xdmf_is_due()) write_xdmf_now();
  });
}

// The list grows with each snapshot: written each time, it would cost a square.
bool FieldWriter::Files::xdmf_is_due() const {
  return timer_.seconds() - xdmf_ended_ >= xdmf_seconds_ / kShareOfXdmf;
}

void FieldWriter::Files::write_xdmf_now() {
  const double began = timer_.seconds();
  base::write_atomically(xdmf_path_, xdmf_.text(), false);
  n_listed_ = n_written_;
  xdmf_ended_ = timer_.seconds();
  xdmf_seconds_ = xdmf_ended_ - began;
}

void FieldWriter::Files::write_xdmf() {
  base::run_together(comm_, [&] {
    if (is_first() && n_listed_ != n_written_) write_xdmf_now();
  });
}

FieldWriter::FieldWriter(MPI_Comm comm, std::string xdmf_path, std::string h5_path,
                         const std::vector<FieldPart>& parts, std::int64_t n_snapshots,
                         std::optional<double> resume_at)
    : files_(std::make_unique<Files>(comm, std::move(xdmf_path), std::move(h5_path), parts)) {
  const bool resumes = resume_at && files_->resume(n_snapshots, *resume_at);
  if (!resumes) files_->begin(n_snapshots);
}

FieldWriter::FieldWriter(FieldWriter&&) noexcept = default;
FieldWriter& FieldWriter::operator=(FieldWriter&&) noexcept = default;

FieldWriter::~FieldWriter() {
  if (!files_) return;
  try {
    files_->write_xdmf();
  } catch (const std::exception& error) {
    base::log_warning("{}", error.what());
  }
}

void FieldWriter::write(double time, const std::vector<FieldValues>& values) {
  files_->write(time, values);
}

void FieldWriter::flush() { files_->write_xdmf(); }

std::int64_t FieldWriter::n_written() const { return files_->n_written(); }

}  // namespace solidyn::results
