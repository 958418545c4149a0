#include "solidyn/base/hdf5.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace solidyn::base {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Hdf5 : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  std::string path_ = std::string(SOLIDYN_BINARY_DIR) + "/" +
                      testing::UnitTest::GetInstance()->current_test_info()->name() +
                      std::string(".h5");
};

TEST_F(Hdf5, DatasetsAndAttributesComeBackAsWritten) {
  Eigen::Matrix3Xd x(3, 2);
  x << 1, 4, 2, 5, 3, 6;
  {
    const H5File file = create_hdf5(path_);
    const H5Group group = create_group(file, "part");
    write_dataset(group, "x", x);
    write_dataset(group, "v", Eigen::Vector3d(7, 8, 9));
    write_dataset(group, "ids", std::vector<std::int64_t>{std::int64_t{1} << 40, -1});
    write_dataset(group, "names", std::vector<std::string>{"a", "", "Größe"});
    write_attribute(file, "kind", std::string("rod"));
    write_attribute(file, "empty", std::string());
    write_attribute(file, "version", std::int64_t{3});
    write_attribute(file, "mass", 0.125);
  }
  const H5File file = open_hdf5(path_);
  EXPECT_THAT(names_in(file), ElementsAre("part"));
  const H5Group group = open_group(file, "part");
  EXPECT_THAT(shape_of(group, "x"), ElementsAre(2, 3));
  EXPECT_THAT(read_doubles(group, "x"), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(read_matrix(group, "x"), x);
  EXPECT_THAT(shape_of(group, "v"), ElementsAre(3));
  EXPECT_EQ(read_matrix(group, "v"), Eigen::Vector3d(7, 8, 9));
  EXPECT_THAT(read_integers(group, "ids"), ElementsAre(std::int64_t{1} << 40, -1));
  EXPECT_THAT(read_strings(group, "names"), ElementsAre("a", "", "Größe"));
  EXPECT_EQ(read_string_attribute(file, "kind"), "rod");
  EXPECT_EQ(read_string_attribute(file, "empty"), "");
  EXPECT_EQ(read_integer_attribute(file, "version"), 3);
  EXPECT_EQ(read_double_attribute(file, "mass"), 0.125);
  EXPECT_TRUE(contains(group, "x"));
  EXPECT_FALSE(contains(group, "y"));
}

TEST_F(Hdf5, RowsAreWrittenInPlaceInSerialAndParallelFiles) {
  for (const bool parallel : {false, true}) {
    {
      const H5File file = parallel ? create_hdf5(MPI_COMM_SELF, path_) : create_hdf5(path_);
      const H5Dataset set = create_rows(file, "x", H5T_NATIVE_DOUBLE, {4, 2});
      const std::vector<double> low{0, 1, 2, 3}, high{4, 5, 6, 7};
      write_rows(set, 2, 2, high.data());
      write_rows(set, 0, 2, low.data());
      write_rows(set, 0, 0, low.data());
    }
    const H5File file = open_hdf5(path_);
    const H5Dataset set{SOLIDYN_HDF5(H5Dopen2(file, "x", H5P_DEFAULT))};
    std::vector<double> middle(4);
    read_rows(set, 1, 2, middle.data());
    EXPECT_THAT(middle, ElementsAre(2, 3, 4, 5));
  }
}

TEST_F(Hdf5, FailedCallSaysWhatAndWhere) {
  const H5File file = create_hdf5(path_);
  try {
    read_doubles(file, "missing");
    FAIL() << "no exception";
  } catch (const Hdf5Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("missing"));
    EXPECT_THAT(error.what(), HasSubstr("HDF5 error: object 'missing' doesn't exist"));
  }
}

TEST_F(Hdf5, MissingForeignAndTruncatedFilesAreInputErrors) {
  EXPECT_THROW(open_hdf5(path_), InputError);
  std::ofstream(path_) << "not HDF5 at all";
  EXPECT_THROW(open_hdf5(path_), InputError);
  write_dataset(create_hdf5(path_), "x", std::vector<double>(1000, 1.0));
  std::filesystem::resize_file(path_, std::filesystem::file_size(path_) / 2);
  try {
    open_hdf5(path_);
    FAIL() << "no exception";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("truncated"));
    EXPECT_THAT(error.what(), HasSubstr(path_));
  }
}

}  // namespace
}  // namespace solidyn::base
