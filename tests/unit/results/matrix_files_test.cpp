// Matrices of linear analyses as files, and histories of any numbers.
#include "solidyn/results/matrix_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <sstream>

#include "scratch_folder.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/results/history.h"
#include "solidyn/results/read_history.h"
#include "solidyn/results/summary.h"
#include "text_file.h"

namespace solidyn::results {
namespace {

namespace fs = std::filesystem;
using Eigen::MatrixXd;

// Doubles of all sizes: random bits.
std::vector<double> any_doubles(unsigned seed, int n, bool finite_only) {
  std::mt19937_64 generator(seed);
  std::vector<double> list = {0.0, -0.0, 0.1, 1.0 / 3.0, 5e-324, -1.7976931348623157e308};
  while (static_cast<int>(list.size()) < n) {
    const std::uint64_t bits = generator();
    double x;
    std::memcpy(&x, &bits, sizeof x);
    if (std::isfinite(x) || (!finite_only && std::isinf(x))) list.push_back(x);
  }
  return list;
}

MatrixXd matrix_of(const std::vector<double>& values, Eigen::Index rows) {
  return Eigen::Map<const MatrixXd>(values.data(), rows,
                                    static_cast<Eigen::Index>(values.size()) / rows);
}

TEST(MatrixMarket, OfADenseMatrixComesBackBitForBit) {
  const MatrixXd matrix = matrix_of(any_doubles(1, 60, true), 12);
  std::istringstream text(matrix_market(matrix));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "%%MatrixMarket matrix array real general");
  std::getline(text, line);
  EXPECT_EQ(line, "12 5");
  for (Eigen::Index j = 0; j < 5; ++j)
    for (Eigen::Index i = 0; i < 12; ++i) {
      ASSERT_TRUE(std::getline(text, line));
      EXPECT_EQ(std::strtod(line.c_str(), nullptr), matrix(i, j));
    }
  EXPECT_FALSE(std::getline(text, line));
}

TEST(MatrixMarket, OfASparseMatrixListsItsEntriesFromOne) {
  Eigen::SparseMatrix<double> matrix(3, 2);
  matrix.insert(2, 0) = -0.1;
  matrix.insert(0, 1) = 1e300;
  EXPECT_EQ(matrix_market(matrix),
            "%%MatrixMarket matrix coordinate real general\n3 2 2\n3 1 -0.1\n1 2 1e+300\n");
  EXPECT_EQ(matrix_market(Eigen::SparseMatrix<double>(4, 0)),
            "%%MatrixMarket matrix coordinate real general\n4 0 0\n");
}

class MatricesOfRuns : public testing::Test {
 protected:
  static MatrixFiles example(double time) {
    MatrixFiles files;
    files.time = time;
    files.dense = {{"A", matrix_of(any_doubles(static_cast<unsigned>(time), 12, true), 4)}};
    Eigen::SparseMatrix<double> mass(2, 3);
    mass.insert(1, 2) = time;
    files.sparse = {{"mass", mass}};
    files.names = {{"states", {"y 1", "y 2"}}, {"inputs", {}}};
    return files;
  }
  test::ScratchFolder scratch_{MPI_COMM_SELF};
  std::string folder_ = scratch_ / "state_space", h5_ = scratch_ / "state_space.h5";
};

TEST_F(MatricesOfRuns, AreInOneFolderOrInNumberedOnesAndInHdf5) {
  write_matrices(folder_, h5_, {example(2.0)});
  EXPECT_EQ(test::read_text(folder_ + "/states.txt"), "y 1\ny 2\n");
  EXPECT_TRUE(fs::exists(folder_ + "/A.mtx") && fs::exists(folder_ + "/mass.mtx"));
  write_matrices(folder_, h5_, {example(3.0), example(4.0)});
  EXPECT_FALSE(fs::exists(folder_));
  EXPECT_THAT(test::read_text(folder_ + "_2/mass.mtx"), testing::HasSubstr("2 3 4\n"));
  const base::H5File file = base::open_hdf5(h5_);
  for (const int i : {1, 2}) {
    const std::string group = std::to_string(i) + "/";
    const MatrixFiles expected = example(2.0 + i);
    // HDF5 stores rows one after the other.
    EXPECT_EQ(base::read_matrix(file, group + "A").transpose(), expected.dense[0].values);
    EXPECT_EQ(base::read_matrix(file, group + "mass").transpose(),
              MatrixXd(expected.sparse[0].values));
  }
  EXPECT_FALSE(fs::exists(h5_ + ".tmp"));
}

// Fewer than before: those of the last run do not stay beside them.
TEST_F(MatricesOfRuns, ReplaceAllThatEarlierOnesHaveLeft) {
  write_matrices(folder_, h5_, {example(1.0), example(2.0), example(3.0)});
  test::write_text(scratch_ / "state_space_notes.txt", "mine");
  write_matrices(folder_, h5_, {example(5.0)});
  EXPECT_TRUE(fs::exists(folder_));
  for (const char* number : {"_1", "_2", "_3"}) EXPECT_FALSE(fs::exists(folder_ + number));
  EXPECT_TRUE(fs::exists(scratch_ / "state_space_notes.txt"));
}

TEST(HistoryOfAnyNumbers, ComesBackBitForBit) {
  const test::ScratchFolder scratch{MPI_COMM_SELF};
  const std::string path = scratch / "history.csv";
  const MatrixXd values = matrix_of(any_doubles(9, 300, false), 3);
  {
    HistoryWriter writer(MPI_COMM_SELF, path, {{"a", "m"}, {"b.x", "rad/s"}, {"c", "1"}});
    for (Eigen::Index i = 0; i < values.cols(); ++i)
      writer.write(1e-3 * static_cast<double>(i), values.col(i));
    writer.flush();
  }
  const History history = read_history(path);
  ASSERT_EQ(history.values.rows(), values.cols());
  EXPECT_EQ(history.values, values.transpose());
  EXPECT_EQ(history.time[37], 1e-3 * 37);
  EXPECT_EQ(history.columns[1].unit, "rad/s");
}

// A resume at each row keeps those up to it, and what is written then follows.
TEST(HistoryOfAnyNumbers, IsCutBehindTheTimeItGoesOnFrom) {
  const test::ScratchFolder scratch{MPI_COMM_SELF};
  const std::string path = scratch / "history.csv";
  constexpr int kRows = 7;
  for (int last = 0; last < kRows; ++last) {
    {
      HistoryWriter writer(MPI_COMM_SELF, path, {{"a", "m"}});
      for (int i = 0; i < kRows; ++i) writer.write(0.1 * i, Eigen::VectorXd::Constant(1, i));
    }
    {
      HistoryWriter writer(MPI_COMM_SELF, path, {{"a", "m"}}, 0.1 * last);
      writer.write(9.0, Eigen::VectorXd::Constant(1, -1.0));
    }
    const History history = read_history(path);
    ASSERT_EQ(history.time.size(), last + 2);
    EXPECT_EQ(history.time[last], 0.1 * last);
    EXPECT_EQ(history.values(last + 1, 0), -1.0);
  }
}

// Where there is no room for another file: the word is exchanged in place.
TEST(SummaryOfAnInterruptedRun, SaysFailedWithoutAnotherByte) {
  const test::ScratchFolder scratch{MPI_COMM_SELF};
  const std::string path = scratch / "summary.json";
  RunSummary summary;
  summary.title = "\"status\": \"running\"";  // of somebody with odd titles
  write_summary(MPI_COMM_SELF, path, summary);
  const std::string before = test::read_text(path);
  mark_failed(path);
  const std::string after = test::read_text(path);
  EXPECT_EQ(after.size(), before.size());
  EXPECT_THAT(after, testing::HasSubstr("\"status\": \"failed\""));
  EXPECT_THAT(after, testing::HasSubstr("\"title\": \"\\\"status\\\": \\\"running\\\"\""));
  summary.status = RunStatus::done;
  write_summary(MPI_COMM_SELF, path, summary);
  const std::string done = test::read_text(path);
  mark_failed(path);
  EXPECT_EQ(test::read_text(path), done);
  EXPECT_NO_THROW(mark_failed(scratch / "missing"));
}

}  // namespace
}  // namespace solidyn::results
