#include "solidyn/results/output_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "text_file.h"

namespace solidyn::results {
namespace {

namespace fs = std::filesystem;
using base::InputError;
using test::read_text;
using test::write_text;
using testing::HasSubstr;

class OutputFolderTest : public testing::Test {
 protected:
  ~OutputFolderTest() override { base::log_to_file(""); }
  OutputFolder open(const std::string& name, FolderUse use = FolderUse::start) {
    return OutputFolder(MPI_COMM_SELF, scratch_ / name, use);
  }
  test::ScratchFolder scratch_;
};

TEST_F(OutputFolderTest, IsCreatedWithParentsALogAndARunningSummary) {
  const OutputFolder folder = open("a/b");
  base::log_info("hello {}", 42);
  EXPECT_THAT(read_text(folder.log()), HasSubstr("hello 42"));
  EXPECT_THAT(read_text(folder.summary()), HasSubstr("\"running\""));
}

TEST_F(OutputFolderTest, EarlierRunIsReplacedAndForeignFilesStay) {
  {
    const OutputFolder first = open("out");
    write_text(first.checkpoint(), "old");
    write_text(first.fields_h5() + ".tmp", "half a file");
  }
  write_text(scratch_ / "out/notes.txt", "mine");
  const OutputFolder second = open("out");
  EXPECT_FALSE(fs::exists(second.checkpoint()));
  EXPECT_FALSE(fs::exists(second.fields_h5() + ".tmp"));
  EXPECT_EQ(read_text(scratch_ / "out/notes.txt"), "mine");
}

TEST_F(OutputFolderTest, FilesOfOthersWithOurNamesAreNeitherTouchedNorAccepted) {
  for (const char* summary : {"", "{\"status\": \"of another program\"}"}) {
    fs::create_directories(scratch_ / "out");
    write_text(scratch_ / "out/history.csv", "measured,by,hand");
    if (*summary) write_text(scratch_ / "out/summary.json", summary);
    try {
      open("out");
      FAIL() << "no exception";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("history.csv exists and was not written by Solidyn"));
    }
    EXPECT_EQ(read_text(scratch_ / "out/history.csv"), "measured,by,hand");
  }
}

TEST_F(OutputFolderTest, ResumeKeepsEverythingAndGoesOnInTheLog) {
  {
    const OutputFolder first = open("out");
    base::log_info("before the crash");
    write_text(first.checkpoint(), "saved");
  }
  const OutputFolder first = open("out", FolderUse::resume);
  base::log_info("after the crash");
  EXPECT_EQ(read_text(first.checkpoint()), "saved");
  EXPECT_THAT(read_text(first.log()), HasSubstr("before the crash"));
  EXPECT_THAT(read_text(first.log()), HasSubstr("after the crash"));
}

TEST_F(OutputFolderTest, ResumeWithoutCheckpointIsRefusedAndLeavesNoTrace) {
  EXPECT_THROW(open("nothing", FolderUse::resume), InputError);
  EXPECT_FALSE(fs::exists(scratch_ / "nothing"));
}

TEST_F(OutputFolderTest, FileInTheWayIsAnInputError) {
  write_text(scratch_ / "out", "a file");
  EXPECT_THROW(open("out"), InputError);
  EXPECT_THROW(open("out/deeper"), InputError);
}

}  // namespace
}  // namespace solidyn::results
