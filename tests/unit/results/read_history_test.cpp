#include "solidyn/results/read_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "text_file.h"

namespace solidyn::results {
namespace {

using test::ScratchFolder;
using test::write_text;
using testing::HasSubstr;

std::string refusal(const std::string& text) {
  const ScratchFolder folder;
  write_text(folder / "history.csv", text);
  try {
    read_history(folder / "history.csv");
  } catch (const base::InputError& e) {
    return e.what();
  }
  return "it was accepted";
}

TEST(ReadHistory, GivesWhatTheWriterWasGiven) {
  const ScratchFolder folder;
  HistoryWriter writer(MPI_COMM_SELF, folder / "history.csv", {{"x", "m"}, {"angle", "rad"}});
  writer.write(0.1, Eigen::Vector2d(1.0 / 3.0, -6.02214076e-23));
  writer.write(0.2, Eigen::Vector2d(NAN, 2.0));
  writer.flush();
  const History found = read_history(folder / "history.csv");
  EXPECT_EQ(found.time, Eigen::Vector2d(0.1, 0.2));
  EXPECT_EQ(found.column("angle"), Eigen::Vector2d(-6.02214076e-23, 2.0));
  EXPECT_EQ(found.column("x")[0], 1.0 / 3.0);
  EXPECT_TRUE(std::isnan(found.column("x")[1]));
  EXPECT_EQ(found.columns[1].unit, "rad");
}

TEST(ReadHistory, LeavesOutARowThatIsBeingWritten) {
  const ScratchFolder folder;
  write_text(folder / "history.csv", "# units: s,m\ntime,x\n0,1\n0.5,1.2");
  EXPECT_EQ(read_history(folder / "history.csv").time.size(), 1);
}

TEST(ReadHistory, OfAModelWithoutSensorsHasTimesAlone) {
  const ScratchFolder folder;
  write_text(folder / "history.csv", "# units: s\ntime\n0\n1\n");
  const History found = read_history(folder / "history.csv");
  EXPECT_EQ(found.time, Eigen::Vector2d(0.0, 1.0));
  EXPECT_EQ(found.values.cols(), 0);
}

TEST(ReadHistory, NamesTheColumnsThatThereAre) {
  History history;
  history.columns = {{"x", "m"}, {"y", "m"}};
  history.values.setZero(1, 2);
  try {
    history.column("z");
    FAIL();
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("the history has no column `z`\n  its columns are x y"));
  }
}

TEST(ReadHistory, RefusesOtherFiles) {
  EXPECT_THAT(refusal("a,b\n1,2\n"), HasSubstr("is not a history file"));
  EXPECT_THAT(refusal("# units: s,m\n"), HasSubstr("is not a history file"));
  EXPECT_THAT(refusal("# units: s\ntime,x\n"), HasSubstr("1 units for 2 columns"));
  EXPECT_THAT(refusal("# units: s,m\ntime,x\n0,1\n0.5,one\n"), HasSubstr("history.csv:4"));
  EXPECT_THAT(refusal("# units: s,m\ntime,x\n0,1,2\n"),
              HasSubstr("`0,1,2` is not a row of 2 numbers"));
  try {
    read_history("/nowhere/history.csv");
    FAIL();
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("cannot read /nowhere/history.csv"));
  }
}

}  // namespace
}  // namespace solidyn::results
