// How fast results and matrices are read, and what that takes in memory.
//
//   benchmark_result_reading make 60 box.frd      a box of 60^3 cells with ten modes
//   benchmark_result_reading read box.frd
//
// Each in a process of its own, so that the peak of memory is that of the reader.
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "solidyn/base/memory.h"
#include "solidyn/formats/abaqus/fil/fil.h"
#include "solidyn/formats/calculix/frd.h"
#include "solidyn/formats/calculix/matrices.h"
#include "timing.h"

namespace {

using namespace solidyn;
using benchmarks::cpu_seconds;

constexpr int kModes = 10;

/// A box of n^3 cells: node numbers from 1, and the eight nodes of a cell.
struct Box {
  int n;
  int n_nodes() const { return (n + 1) * (n + 1) * (n + 1); }
  int tag(int i, int j, int k) const { return 1 + i + (n + 1) * (j + (n + 1) * k); }
  double x(int tag, int axis) const {
    int index = tag - 1;
    for (int a = 0; a < axis; ++a) index /= n + 1;
    return 0.1 * (index % (n + 1)) / n;
  }
  std::vector<int> cell(int e) const {
    const int i = e % n, j = e / n % n, k = e / n / n;
    return {tag(i, j, k),     tag(i + 1, j, k),     tag(i + 1, j + 1, k),     tag(i, j + 1, k),
            tag(i, j, k + 1), tag(i + 1, j, k + 1), tag(i + 1, j + 1, k + 1), tag(i, j + 1, k + 1)};
  }
};

double shape(const Box& box, int tag, int mode, int axis) {
  return box.x(tag, (axis + mode) % 3) * (mode + 1) - 0.03;
}

void write_frd(std::ostream& out, const Box& box) {
  out << "    1C\n" << fmt::format("    2C{:>30}{:>38}\n", box.n_nodes(), 1);
  for (int t = 1; t <= box.n_nodes(); ++t)
    out << fmt::format(" -1{:>10}{:12.5E}{:12.5E}{:12.5E}\n", t, box.x(t, 0), box.x(t, 1),
                       box.x(t, 2));
  const int n_cells = box.n * box.n * box.n;
  out << " -3\n" << fmt::format("    3C{:>30}{:>38}\n", n_cells, 1);
  for (int e = 0; e < n_cells; ++e) {
    out << fmt::format(" -1{:>10}{:>5}{:>5}{:>5}\n -2", e + 1, 1, 0, 1);
    for (int node : box.cell(e)) out << fmt::format("{:>10}", node);
    out << "\n";
  }
  out << " -3\n";
  for (int m = 0; m < kModes; ++m) {
    out << fmt::format("    1PSTEP{:>26}{:>12}{:>12}\n    1PGK{:>28.6E}\n    1PMODE{:>26}\n", m + 1,
                       1, 1, 1e6 * (m + 1), m + 1)
        << fmt::format("  100CL  101{:12.5E}{:>12}{:>22}{:>5}MODAL{:>7}\n", 1e3, box.n_nodes(), 2,
                       m + 1, 1)
        << " -4  DISP        4    1\n -5  D1          1    2    1    0\n"
        << " -5  D2          1    2    2    0\n -5  D3          1    2    3    0\n"
        << " -5  ALL         1    2    0    0    1ALL\n";
    for (int t = 1; t <= box.n_nodes(); ++t)
      out << fmt::format(" -1{:>10}{:12.5E}{:12.5E}{:12.5E}\n", t, shape(box, t, m, 0),
                         shape(box, t, m, 1), shape(box, t, m, 2));
    out << " -3\n";
  }
  out << " 9999\n";
}

/// Words of a binary .fil file, in blocks.
class FilOut {
 public:
  explicit FilOut(std::ostream& out) : out_(out) {}
  ~FilOut() {
    while (words_.size() % 4096 != 0) put(std::int64_t{0});
  }
  template <class T>
  void put(T value) {
    words_.append(reinterpret_cast<const char*>(&value), 8);
    if (words_.size() < 4096) return;
    const std::int32_t mark = 4096;
    out_.write(reinterpret_cast<const char*>(&mark), 4);
    out_ << words_;
    out_.write(reinterpret_cast<const char*>(&mark), 4);
    words_.clear();
  }
  void begin(std::int64_t n_attributes, std::int64_t key) { put(n_attributes + 2), put(key); }
  void text(const char* eight) {
    std::int64_t word = 0;
    std::memcpy(&word, eight, 8);
    put(word);
  }

 private:
  std::ostream& out_;
  std::string words_;
};

void write_fil(std::ostream& stream, const Box& box) {
  FilOut out(stream);
  out.begin(1, 1921), out.text("6.14-1  ");
  for (std::int64_t e = 0; e < std::int64_t{box.n} * box.n * box.n; ++e) {
    out.begin(10, 1900), out.put(e + 1), out.text("C3D8    ");
    for (int node : box.cell(static_cast<int>(e))) out.put(std::int64_t{node});
  }
  for (int t = 1; t <= box.n_nodes(); ++t) {
    out.begin(4, 1901), out.put(std::int64_t{t});
    for (int axis : {0, 1, 2}) out.put(box.x(t, axis));
  }
  for (int m = 0; m < kModes; ++m) {
    out.begin(3, 1980), out.put(std::int64_t{m} + 1), out.put(1e6 * (m + 1)), out.put(1.0);
    for (int t = 1; t <= box.n_nodes(); ++t) {
      out.begin(4, 101), out.put(std::int64_t{t});
      for (int axis : {0, 1, 2}) out.put(shape(box, t, m, axis));
    }
  }
}

/// Forty terms a row, as of a mesh of bricks.
void write_sti(std::ostream& out, const Box& box) {
  for (int column = 1; column <= 3 * box.n_nodes(); ++column)
    for (int row = std::max(1, column - 39); row <= column; ++row)
      out << fmt::format("{} {} {:20.13e}\n", row, column, 1e5 / (1 + column - row));
}

int make(int n, const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  std::ofstream out(path, std::ios::binary);
  if (extension == ".frd") write_frd(out, {n});
  if (extension == ".fil") write_fil(out, {n});
  if (extension == ".sti") write_sti(out, {n});
  return out ? 0 : 1;
}

bool is_whole(const imported::SolidModel& model, const imported::ModalData& modes, int n_nodes) {
  return model.mesh.n_nodes() == n_nodes && modes.translations.rows() == 3 * n_nodes &&
         modes.translations.cols() == kModes &&
         std::abs(modes.translations(3 * n_nodes - 1, 0) - 0.07) < 1e-6;
}

/// Whether the file was read whole, and how many nodes (or rows) it has.
std::pair<bool, double> read_file(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension == ".frd") {
    const formats::CalculixResults results = formats::read_calculix_frd(path);
    const auto n = results.model.mesh.n_nodes();
    return {is_whole(results.model, results.modes, static_cast<int>(n)), n};
  }
  if (extension == ".fil") {
    const formats::AbaqusResults results = formats::read_abaqus_fil(path);
    const auto n = results.model.mesh.n_nodes();
    return {is_whole(results.model, results.modes, static_cast<int>(n)), n};
  }
  std::ifstream stream(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  const imported::Matrix matrix = formats::parse_calculix_matrix(bytes, path, 0);
  return {!matrix.values.empty() && matrix.values.back() == 1e5, matrix.n_rows};
}

int read(const std::string& path) {
  const double before_mb = base::peak_rss_mb(), start = cpu_seconds();
  const auto [is_right, n] = read_file(path);
  const double seconds = cpu_seconds() - start;
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  fmt::print(
      "{} nodes or rows, {:.1f} MB: {:.3f} s, {:.0f} MB/s; per node {:.0f} bytes of file, {:.0f} "
      "of memory at most\n",
      n, megabytes, seconds, megabytes / seconds, 1e6 * megabytes / n,
      1e6 * (base::peak_rss_mb() - before_mb) / n);
  return is_right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "make") return make(std::stoi(argv[2]), argv[3]);
  if (argc == 3 && std::string(argv[1]) == "read") return read(argv[2]);
  fmt::print("benchmark_result_reading make CELLS FILE.frd|.fil|.sti, or read FILE\n");
  return 2;
}
