// How fast Nastran's OP2 and OP4 files are read, and what that takes in memory.
//
//   benchmark_nastran_binary make 100000 50 modes.op2     50 modes of 100,000 grids
//   benchmark_nastran_binary make 100000 81 band.op4      100,000 columns of 81 terms, binary
//   benchmark_nastran_binary make 20000 81 band.txt.op4   the same as text
//   benchmark_nastran_binary read modes.op2
//
// Each in a process of its own, so that the peak of memory is that of the reader.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "solidyn/base/memory.h"
#include "solidyn/formats/nastran/op2/op2.h"
#include "solidyn/formats/nastran/op4/op4.h"
#include "timing.h"

namespace {

using namespace solidyn;
using benchmarks::cpu_seconds;

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The number at any place of the files: they differ, and what is read can be checked.
double value_at(std::int64_t row, std::int64_t column) {
  return static_cast<double>((row * 7 + column * 13) % 1000 + 1) / 1024.0;
}

class RecordWriter {
 public:
  explicit RecordWriter(const std::string& path) : file_(path, std::ios::binary) {}
  template <class T>
  RecordWriter& put(T value) {
    record_.append(reinterpret_cast<const char*>(&value), sizeof(T));
    return *this;
  }
  RecordWriter& text(const char* eight) {
    record_.append(eight, 8);
    return *this;
  }
  void end() {
    const auto n = static_cast<std::int32_t>(record_.size());
    file_.write(reinterpret_cast<const char*>(&n), sizeof n);
    file_ << record_;
    file_.write(reinterpret_cast<const char*>(&n), sizeof n);
    record_.clear();
  }
  void key(std::int32_t value) { put(value).end(); }
  void begin_op2_record(std::int32_t number, std::int32_t n_words) {
    key(number), key(1), key(0), key(n_words);
  }

 private:
  std::ofstream file_;
  std::string record_;
};

void write_op2(const std::string& path, std::int32_t n_grids, std::int32_t n_modes) {
  RecordWriter file(path);
  file.key(2), file.text("OPHIG   ").end(), file.key(-1), file.key(7);
  for (int i = 0; i < 7; ++i) file.put(std::int32_t{101});
  file.end();
  std::int32_t number = -2;
  file.begin_op2_record(number--, 2), file.text("OPHIG   ").end();
  for (std::int32_t mode = 1; mode <= n_modes; ++mode) {
    file.begin_op2_record(number--, 146);
    for (const std::int32_t word : {21, 7, 0, 1, mode}) file.put(word);
    file.put(1000.0F * static_cast<float>(mode)).put(0.0F);
    for (const std::int32_t word : {0, 1, 8}) file.put(word);
    for (int i = 10; i < 146; ++i) file.put(std::int32_t{0});
    file.end();
    file.begin_op2_record(number--, 8 * n_grids);
    for (std::int32_t grid = 1; grid <= n_grids; ++grid) {
      file.put(10 * grid + 1).put(std::int32_t{1});
      for (int c = 0; c < 6; ++c) file.put(static_cast<float>(value_at(grid + c, mode)));
    }
    file.end();
  }
  file.key(number), file.key(1), file.key(0), file.key(0), file.key(0);
}

void write_binary_op4(const std::string& path, std::int32_t n, std::int32_t band) {
  RecordWriter file(path);
  file.put(n).put(-(n + band)).put(std::int32_t{2}).put(std::int32_t{2}).text("BAND    ").end();
  for (std::int32_t column = 1; column <= n; ++column) {
    file.put(column).put(std::int32_t{0}).put(2 * band + 2).put(2 * band + 1).put(column);
    for (std::int32_t i = 0; i < band; ++i) file.put(value_at(column + i, column));
    file.end();
  }
  file.put(n + 1).put(std::int32_t{1}).put(std::int32_t{1}).put(1.0).end();
}

void write_text_op4(const std::string& path, std::int32_t n, std::int32_t band) {
  std::ofstream file(path);
  file << fmt::format("{:8}{:8}{:8}{:8}{:8}1P,3E23.16\n", n, -(n + band), 2, 2, "BAND");
  for (std::int32_t column = 1; column <= n; ++column) {
    file << fmt::format("{:8}{:8}{:8}\n{:8}{:8}\n", column, 0, 2 * band + 2, 2 * band + 1, column);
    for (std::int32_t i = 0; i < band; ++i)
      file << fmt::format("{:23.16E}{}", value_at(column + i, column),
                          i % 3 == 2 || i + 1 == band ? "\n" : "");
  }
  file << fmt::format("{:8}{:8}{:8}\n{:23.16E}\n", n + 1, 1, 1, 1.0);
}

int make(std::int32_t n, std::int32_t m, const std::string& path) {
  if (ends_with(path, ".op2"))
    write_op2(path, n, m);
  else if (ends_with(path, ".txt.op4"))
    write_text_op4(path, n, m);
  else
    write_binary_op4(path, n, m);
  return 0;
}

/// The numbers read, and the largest difference from those written.
struct Answer {
  double n = 0.0, error = 0.0;
};

Answer read_modes(const std::string& path, double& seconds) {
  const double start = cpu_seconds();
  const imported::ModalData modes = formats::read_op2_modes(formats::Op2File(path));
  seconds = cpu_seconds() - start;
  Answer answer{2.0 * static_cast<double>(modes.translations.size()), 0.0};
  for (Eigen::Index mode = 0; mode < modes.translations.cols(); ++mode)
    for (Eigen::Index row = 0; row < modes.translations.rows(); ++row)
      answer.error = std::max(answer.error, std::abs(modes.translations(row, mode) -
                                                     value_at(1 + row / 3 + row % 3, mode + 1)));
  return answer;
}

Answer read_matrix(const std::string& path, double& seconds) {
  const double start = cpu_seconds();
  const imported::Matrix matrix = formats::read_op4(path).at(0);
  seconds = cpu_seconds() - start;
  Answer answer{static_cast<double>(matrix.values.size()), 0.0};
  for (std::size_t e = 0; e < matrix.values.size(); ++e)
    answer.error =
        std::max(answer.error,
                 std::abs(matrix.values[e] - value_at(matrix.rows[e] + 1, matrix.columns[e] + 1)));
  return answer;
}

int read(const std::string& path) {
  const double before_mb = base::peak_rss_mb();
  double seconds = 0.0;
  const Answer answer =
      ends_with(path, ".op2") ? read_modes(path, seconds) : read_matrix(path, seconds);
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  fmt::print(
      "{:.0f} numbers, {:.1f} MB: {:.3f} s, {:.0f} MB/s; per number {:.1f} bytes of file, "
      "{:.1f} of memory at most, with the file; error {:.1e}\n",
      answer.n, megabytes, seconds, megabytes / seconds, 1e6 * megabytes / answer.n,
      1e6 * (base::peak_rss_mb() - before_mb) / answer.n, answer.error);
  return answer.n > 0.0 && answer.error == 0.0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (argc == 5 && what == "make") return make(std::stoi(argv[2]), std::stoi(argv[3]), argv[4]);
  if (argc == 3 && what == "read") return read(argv[2]);
  fmt::print("benchmark_nastran_binary make N M FILE, or read FILE\n");
  return 2;
}
