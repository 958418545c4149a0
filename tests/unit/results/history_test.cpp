#include "solidyn/results/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "text_file.h"

namespace solidyn::results {
namespace {

using Eigen::Vector2d;
using test::read_text;
using test::ScratchFolder;
using test::write_text;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::vector<HistoryColumn> kColumns{{"crank_angle", "rad"}, {"deflection", "1"}};
const std::string kHeader = "# units: s,rad,1\ntime,crank_angle,deflection\n";

TEST(History, HeaderNamesUnitsAndNumbersComeBackBitForBit) {
  const ScratchFolder folder;
  const double time = 0.1, angle = 1.0 / 3.0, deflection = -6.02214076e-23;
  HistoryWriter writer(MPI_COMM_SELF, folder / "history.csv", kColumns);
  writer.write(time, Vector2d(angle, deflection));
  writer.flush();
  const std::string text = read_text(folder / "history.csv");
  ASSERT_THAT(text, StartsWith(kHeader));
  // No more digits than it takes.
  EXPECT_EQ(text.substr(kHeader.size()), "0.1,0.3333333333333333,-6.02214076e-23\n");
  double t = 0, a = 0, d = 0;
  ASSERT_EQ(std::sscanf(text.c_str() + kHeader.size(), "%lf,%lf,%lf", &t, &a, &d), 3);
  EXPECT_EQ(t, time);
  EXPECT_EQ(a, angle);
  EXPECT_EQ(d, deflection);
}

TEST(History, FastRowsWaitAndAreHandedOverWithinASecond) {
  const ScratchFolder folder;
  HistoryWriter writer(MPI_COMM_SELF, folder / "history.csv", kColumns);
  writer.write(1.0, Vector2d::Zero());
  EXPECT_EQ(read_text(folder / "history.csv"), kHeader);
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  writer.write(2.0, Vector2d::Zero());
  EXPECT_EQ(read_text(folder / "history.csv"), kHeader + "1,0,0\n2,0,0\n");
}

class ResumedHistory : public testing::Test {
 protected:
  std::string resumed(const std::string& before, double time) {
    write_text(path_, before);
    HistoryWriter writer(MPI_COMM_SELF, path_, kColumns, time);
    writer.write(time + 1, Vector2d(5, 6));
    writer.flush();
    return read_text(path_);
  }
  ScratchFolder folder_;
  std::string path_ = folder_ / "history.csv";
};

TEST_F(ResumedHistory, RowsLaterThanTheCheckpointAreReplaced) {
  EXPECT_EQ(resumed(kHeader + "1,0,0\n2,0,0\n3,0,0\n", 2.0), kHeader + "1,0,0\n2,0,0\n3,5,6\n");
}

TEST_F(ResumedHistory, HalfWrittenLastLineIsCutOff) {
  EXPECT_EQ(resumed(kHeader + "1,0,0\n1.5,0,", 2.0), kHeader + "1,0,0\n3,5,6\n");
  EXPECT_EQ(resumed(kHeader + "1,0,0\n1.5,0,0", 2.0), kHeader + "1,0,0\n3,5,6\n");
  EXPECT_EQ(resumed(kHeader, 2.0), kHeader + "3,5,6\n");
}

TEST_F(ResumedHistory, MissingFileIsBegunAnew) {
  HistoryWriter(MPI_COMM_SELF, path_, kColumns, 2.0);
  EXPECT_EQ(read_text(path_), kHeader);
}

TEST_F(ResumedHistory, OtherColumnsAreRefusedAndTheFileIsKept) {
  const std::string other = "# units: s,m,1\ntime,x,deflection\n1,0,0\n";
  try {
    resumed(other, 2.0);
    FAIL() << "no exception";
  } catch (const base::InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("different columns"));
  }
  EXPECT_EQ(read_text(path_), other);
}

TEST(History, FolderThatDoesNotExistAndNamesWithCommasAreInputErrors) {
  const ScratchFolder folder;
  EXPECT_THROW(HistoryWriter(MPI_COMM_SELF, folder / "no/history.csv", kColumns), base::InputError);
  EXPECT_THROW(HistoryWriter(MPI_COMM_SELF, folder / "history.csv", {{"a,b", "m"}}),
               base::InputError);
}

TEST(History, FullDiskIsReportedAtFlush) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  HistoryWriter writer(MPI_COMM_SELF, "/dev/full", kColumns);
  EXPECT_NO_THROW(writer.write(1.0, Vector2d::Zero()));
  EXPECT_THROW(writer.flush(), base::ComputationError);
}

}  // namespace
}  // namespace solidyn::results
