#include "solidyn/results/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch_folder.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/error.h"
#include "solidyn/base/hdf5.h"
#include "text_file.h"

namespace solidyn::results {
namespace {

namespace fs = std::filesystem;
using base::InputError;
using testing::HasSubstr;

Checkpoint make_checkpoint() {
  Checkpoint c;
  c.model_hash = "f00d";
  c.time = 0.1;
  c.step = 1234567890123;
  c.scalars = {{"step_size", 1.0 / 3.0}, {"friction/wheel 50%", -1e-300}};
  c.arrays = {{"q", {1.5, -0.0, 1e308}}, {"empty", {}}};
  c.texts = {{"integrator", "generalized_alpha"}, {"note", ""}};
  c.distributed["rod.u"] = {{40, 7, 100}, Eigen::Matrix3d::Random()};
  return c;
}

class CheckpointFile : public testing::Test {
 protected:
  void write(const Checkpoint& checkpoint) { write_checkpoint(MPI_COMM_SELF, path_, checkpoint); }
  Checkpoint read() { return read_checkpoint(MPI_COMM_SELF, path_, "f00d"); }
  std::string message_of_reading() {
    try {
      read();
      read_distributed(MPI_COMM_SELF, path_, "rod.u", {7, 40, 100});
    } catch (const InputError& error) {
      return error.what();
    }
    return "no InputError";
  }
  test::ScratchFolder folder_;
  std::string path_ = folder_ / "checkpoint.h5";
};

TEST_F(CheckpointFile, EverythingComesBackBitForBit) {
  const Checkpoint written = make_checkpoint();
  write(written);
  const Checkpoint c = read();
  EXPECT_EQ(c.time, written.time);
  EXPECT_EQ(c.step, written.step);
  EXPECT_EQ(c.scalars, written.scalars);
  EXPECT_EQ(c.arrays, written.arrays);
  EXPECT_EQ(c.texts, written.texts);
  EXPECT_EQ(c.distributed.count("rod.u"), 1U);
  EXPECT_FALSE(fs::exists(base::temporary_name(path_)));
}

TEST_F(CheckpointFile, DistributedColumnsFollowTheirTagsNotTheirOrder) {
  const Checkpoint written = make_checkpoint();
  write(written);
  const Eigen::MatrixXd& u = written.distributed.at("rod.u").values;
  const Eigen::MatrixXd read = read_distributed(MPI_COMM_SELF, path_, "rod.u", {100, 40, 7});
  ASSERT_EQ(read.cols(), 3);
  EXPECT_EQ(read.col(0), u.col(2));
  EXPECT_EQ(read.col(1), u.col(0));
  EXPECT_EQ(read.col(2), u.col(1));
}

TEST_F(CheckpointFile, NewOneReplacesTheOldOne) {
  Checkpoint c = make_checkpoint();
  write(c);
  c.time = 0.2;
  write(c);
  EXPECT_EQ(read().time, 0.2);
}

TEST_F(CheckpointFile, HalfWrittenSuccessorLeavesTheOldOneInUse) {
  write(make_checkpoint());
  test::write_text(base::temporary_name(path_), "the process died here");
  EXPECT_EQ(read().time, 0.1);
  write(make_checkpoint());  // and the remains do not disturb
  EXPECT_EQ(read().time, 0.1);
}

TEST_F(CheckpointFile, TruncationAnywhereIsAnInputErrorThatNamesTheFile) {
  write(make_checkpoint());
  const auto size = static_cast<std::int64_t>(fs::file_size(path_));
  for (const std::int64_t kept :
       {size - 1, size / 2, size / 10, std::int64_t{10}, std::int64_t{0}}) {
    fs::resize_file(path_, kept);
    EXPECT_THAT(message_of_reading(), HasSubstr(path_)) << kept << " of " << size << " bytes kept";
  }
}

TEST_F(CheckpointFile, FlippedBitInAnArrayIsNoticed) {
  for (const char* dataset : {"arrays/q", "distributed/rod.u/values"}) {
    write(make_checkpoint());
    haddr_t offset = 0;
    {
      const base::H5File file = base::open_hdf5(path_);
      const base::H5Dataset set{SOLIDYN_HDF5(H5Dopen2(file, dataset, H5P_DEFAULT))};
      offset = H5Dget_offset(set);
    }
    ASSERT_NE(offset, HADDR_UNDEF);
    std::string bytes = test::read_text(path_);
    bytes.at(offset + 9) ^= 1;
    test::write_text(path_, bytes);
    EXPECT_THAT(message_of_reading(), HasSubstr("checksum")) << dataset;
  }
}

TEST_F(CheckpointFile, OtherModelOtherMeshOtherFormatAndMissingFileAreInputErrors) {
  EXPECT_THAT(message_of_reading(), HasSubstr("does not exist"));
  write(make_checkpoint());
  EXPECT_THROW(read_checkpoint(MPI_COMM_SELF, path_, "beef"), InputError);
  EXPECT_THROW(read_distributed(MPI_COMM_SELF, path_, "rod.u", {7, 40}), InputError);
  EXPECT_THROW(read_distributed(MPI_COMM_SELF, path_, "rod.u", {7, 40, 101}), InputError);
  EXPECT_THROW(read_distributed(MPI_COMM_SELF, path_, "crank.u", {7, 40, 100}), InputError);
  {
    const base::H5File file = base::update_hdf5(path_);
    const base::H5Attribute version{SOLIDYN_HDF5(H5Aopen(file, "format_version", H5P_DEFAULT))};
    const std::int64_t future = 99;
    SOLIDYN_HDF5(H5Awrite(version, H5T_NATIVE_INT64, &future));
  }
  EXPECT_THAT(message_of_reading(), HasSubstr("format version 99"));
  base::create_hdf5(path_);
  EXPECT_THAT(message_of_reading(), HasSubstr("not a checkpoint"));
}

}  // namespace
}  // namespace solidyn::results
