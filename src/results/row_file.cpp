#include "solidyn/results/row_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"

namespace solidyn::results {
namespace {

using base::InputError;

constexpr std::size_t kFullBuffer = 1 << 16;   // stays in the cache
constexpr std::ptrdiff_t kLongestNumber = 24;  // -2.2250738585072014e-308
constexpr auto kLongestWait = std::chrono::milliseconds(500);
constexpr auto kSlowStep = std::chrono::milliseconds(50);

// The row's time, if the row is whole.
std::optional<double> time_of(const std::string& row) {
  char* end = nullptr;
  const double time = std::strtod(row.c_str(), &end);
  return end != row.c_str() && (*end == ',' || *end == '\0') ? std::optional(time) : std::nullopt;
}

// Where to go on: the number of bytes before the first row that is later than `time` or broken.
std::uintmax_t bytes_to_keep(const std::string& path, const std::string& header, double time) {
  std::ifstream file(path, std::ios::binary);
  std::string found(header.size(), '\0');
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  if (found != header)
    throw InputError(fmt::format("{} has different columns than this run", path),
                     "restart with the model and sensors that wrote it, or choose another folder");
  std::uintmax_t keep = header.size();
  for (std::string row; std::getline(file, row) && !file.eof(); keep += row.size() + 1) {
    const std::optional<double> row_time = time_of(row);
    if (!row_time || *row_time > time) break;
  }
  return keep;
}

}  // namespace

RowFile::RowFile(MPI_Comm comm, std::string path, std::string header,
                 std::optional<double> resume_at)
    : comm_(comm), path_(std::move(path)), handed_over_(Clock::now()), last_row_(handed_over_) {
  base::run_together(comm_, [&] {
    if (base::rank(comm_) == 0) open(header, resume_at);
  });
}

void RowFile::open(const std::string& header, std::optional<double> resume_at) {
  bool resumes = resume_at.has_value();
  if (resumes && !std::filesystem::exists(path_)) {
    base::log_warning("{} is missing: it starts at t = {} s", path_, *resume_at);
    resumes = false;
  }
  if (resumes) std::filesystem::resize_file(path_, bytes_to_keep(path_, header, *resume_at));
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | (resumes ? O_APPEND : O_TRUNC), 0666);
  if (file_ < 0)
    throw InputError(fmt::format("cannot write {}: {}", path_, std::strerror(errno)),
                     "check the output folder and its permissions");
  if (!resumes) rows_ = header;
  hand_over();
}

RowFile::~RowFile() {
  if (file_ < 0) return;
  hand_over();
  ::close(file_);
}

void RowFile::row_is_added() {
  if (file_ < 0) return;
  const Clock::time_point now = Clock::now();
  const bool is_slow = now - std::exchange(last_row_, now) > kSlowStep;
  if (is_slow || now - handed_over_ > kLongestWait || rows_.size() > kFullBuffer) hand_over();
}

void RowFile::hand_over() {
  for (std::size_t done = 0; done < rows_.size() && !error_;) {
    const ssize_t n = ::write(file_, rows_.data() + done, rows_.size() - done);
    if (n > 0) done += n;
    if (n < 0 && errno != EINTR)
      error_ = std::make_exception_ptr(
          base::ComputationError(fmt::format("cannot write {}: {}", path_, std::strerror(errno))));
  }
  rows_.clear();
  handed_over_ = Clock::now();
}

void RowFile::flush() {
  if (file_ >= 0) {
    hand_over();
    ::fdatasync(file_);
  }
  base::throw_on_all_ranks_if_any(comm_, error_);
}

void append_number(double value, std::string& text) {
  if (std::isnan(value)) {
    text += "nan";  // without the sign that some have
    return;
  }
  const std::size_t before = text.size();
  text.resize(before + kLongestNumber);
  text.resize(std::to_chars(text.data() + before, text.data() + text.size(), value).ptr -
              text.data());
}

}  // namespace solidyn::results
