#include "solidyn/results/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/shared_file.h"
#include "results/field_layout.h"
#include "results/xdmf.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/log.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"

namespace solidyn::results {
namespace {

constexpr double kShareOfXdmf = 0.05;
constexpr std::int64_t kBytesOfNumber = 8;  // bytes of a double, and of a tag

std::int64_t n_not_later(const std::vector<double>& times, double limit) {
  return std::find_if(times.begin(), times.end(), [&](double t) { return !(t <= limit); }) -
         times.begin();
}

std::vector<XdmfPart> in_file(const Placement& placement) {
  std::vector<XdmfPart> parts;
  for (const PlacedPart& part : placement.parts) parts.push_back(part.in_file);
  return parts;
}

// One node's numbers: its position, then its quantities.
void fill_column(const FieldValues& values, Eigen::Index node, double* column) {
  column = std::copy_n(values.positions.col(node).data(), 3, column);
  for (const Eigen::MatrixXd& quantity : values.quantities)
    column = std::copy_n(quantity.col(node).data(), quantity.rows(), column);
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
  void open(std::int64_t capacity);
  void grow(std::int64_t capacity);
  void write_topology() const;
  void write_time(std::int64_t snapshot, double time) const;
  void write_snapshot(const std::vector<FieldValues>& values) const;
  void write_part(const PlacedPart& part, const std::vector<double>& block,
                  const std::int64_t* offsets) const;
  bool xdmf_is_due() const;
  void write_xdmf_now();

  MPI_Comm comm_;
  std::string xdmf_path_, h5_path_;
  Placement placement_;
  std::size_t n_quantities_ = 0;  // of all parts
  XdmfText xdmf_;
  base::SharedFile file_;
  FieldOffsets offsets_;
  std::int64_t capacity_ = 0, n_written_ = 0, n_listed_ = -1;
  base::Timer timer_;
  double xdmf_ended_ = 0.0, xdmf_seconds_ = 0.0;
};

FieldWriter::Files::Files(MPI_Comm comm, std::string xdmf_path, std::string h5_path,
                          const std::vector<FieldPart>& parts)
    : comm_(comm),
      xdmf_path_(std::move(xdmf_path)),
      h5_path_(std::move(h5_path)),
      placement_(place(comm, parts)),
      xdmf_(std::filesystem::path(h5_path_).filename(), in_file(placement_)) {
  for (const PlacedPart& part : placement_.parts)
    n_quantities_ += quantities_of(part.in_file).size();
}

// One rank creates everything and closes the file, so that all that describes the datasets is on
// the disk before the first number: from here on only their bytes change.
void FieldWriter::Files::begin(std::int64_t n_snapshots) {
  const std::int64_t capacity = std::max<std::int64_t>(n_snapshots, 1);
  base::run_together(comm_, [&] {
    if (is_first()) create_fields(h5_path_, placement_, capacity);
  });
  open(capacity);
  base::run_together(comm_, [&] { write_topology(); });
  write_xdmf();
}

void FieldWriter::Files::open(std::int64_t capacity) {
  base::run_together(comm_, [&] {
    if (is_first()) offsets_ = read_offsets(h5_path_, placement_, capacity);
  });
  std::vector<std::int64_t> times{offsets_.times};
  base::broadcast(comm_, times);
  offsets_.times = times[0];
  base::broadcast(comm_, offsets_.topology);
  base::broadcast(comm_, offsets_.snapshots);
  capacity_ = capacity;
  file_ = base::SharedFile(comm_, h5_path_);
}

void FieldWriter::Files::grow(std::int64_t capacity) {
  base::run_together(comm_, [&] {
    if (is_first()) add_snapshots(h5_path_, placement_, capacity_, capacity);
  });
  open(capacity);
}

bool FieldWriter::Files::exist() const {
  return base::sum(comm_, std::int64_t{is_first() && std::filesystem::exists(h5_path_)}) > 0;
}

bool FieldWriter::Files::resume(std::int64_t n_snapshots, double time) {
  if (!exist()) {
    base::log_warning("{} is missing: the field output starts at t = {} s", h5_path_, time);
    return false;
  }
  std::vector<double> times;
  base::run_together(comm_, [&] {
    try {
      require_same_parts(h5_path_, placement_);
      times = read_times(h5_path_);
    } catch (const base::Hdf5Error& error) {
      throw base::InputError(fmt::format("{} cannot be continued: {}", h5_path_, error.what()),
                             "remove it to continue without the earlier field output");
    }
  });
  n_written_ = n_not_later(times, time);
  for (std::int64_t k = 0; k < n_written_; ++k) xdmf_.add_snapshot(k, times[k]);
  // The list goes first: it must not name a snapshot that is about to be overwritten.
  write_xdmf();
  open(static_cast<std::int64_t>(times.size()));
  base::run_together(comm_, [&] {
    for (std::int64_t k = n_written_; k < capacity_; ++k)
      write_time(k, std::numeric_limits<double>::quiet_NaN());
  });
  if (n_snapshots > capacity_) grow(n_snapshots);
  return true;
}

void FieldWriter::Files::write_topology() const {
  auto offset = offsets_.topology.begin();
  for (const PlacedPart& part : placement_.parts) {
    file_.write(*offset++ + placement_.own_rows(part).begin * kBytesOfNumber,
                placement_.own_tags(part));
    for (const PlacedPart::Cells& cells : part.cells)
      file_.write(*offset++ + cells.first * elements::n_nodes(cells.shape) * kBytesOfNumber,
                  cells.nodes);
  }
}

void FieldWriter::Files::write_time(std::int64_t snapshot, double time) const {
  if (is_first())
    file_.write(offsets_.times + snapshot * kBytesOfNumber, std::vector<double>{time});
}

void FieldWriter::Files::write_part(const PlacedPart& part, const std::vector<double>& block,
                                    const std::int64_t* offsets) const {
  const Placement::Range range = placement_.own_rows(part);
  if (range.size() == 0) return;
  const std::int64_t stride = placement_.n_components;
  const double* node =
      block.data() + (part.first_row + range.begin - placement_.nodes.first()) * stride;
  for (const FieldQuantity& quantity : quantities_of(part.in_file)) {
    const int n_components = quantity.n_components;
    std::vector<double> numbers(range.size() * n_components);
    for (std::int64_t i = 0; i < range.size(); ++i)
      std::copy_n(node + i * stride, n_components, numbers.data() + i * n_components);
    file_.write(*offsets++ + range.begin * n_components * kBytesOfNumber, numbers);
    node += n_components;
  }
}

void FieldWriter::Files::write_snapshot(const std::vector<FieldValues>& values) const {
  const std::vector<std::int32_t>& first_own = placement_.first_own;
  const std::vector<double> block =
      placement_.nodes.to_block(placement_.n_components, [&](std::int32_t i, double* column) {
        const auto part =
            std::upper_bound(first_own.begin(), first_own.end(), i) - first_own.begin() - 1;
        fill_column(values[part], i - first_own[part], column);
      });
  base::run_together(comm_, [&] {
    const std::int64_t* offsets = offsets_.snapshots.data() + n_written_ * n_quantities_;
    for (const PlacedPart& part : placement_.parts) {
      write_part(part, block, offsets);
      offsets += quantities_of(part.in_file).size();
    }
  });
}

void FieldWriter::Files::write(double time, const std::vector<FieldValues>& values) {
  SOLIDYN_ASSERT(values.size() == placement_.parts.size());
  if (n_written_ == capacity_) grow(capacity_ + capacity_ / 2 + 1);
  write_snapshot(values);
  xdmf_.add_snapshot(n_written_, time);
  base::run_together(comm_, [&] {  // all ranks' numbers are there: the time declares them complete
    write_time(n_written_++, time);
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
  const base::LogStage stage(base::Stage::output);
  files_->write(time, values);
}

void FieldWriter::flush() { files_->write_xdmf(); }

std::int64_t FieldWriter::n_written() const { return files_->n_written(); }

}  // namespace solidyn::results
