// What a folder says of a run that could not finish its summary.
#include "simulation/crash_note.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "scratch_folder.h"
#include "simulation/pictures.h"
#include "solidyn/base/crash.h"
#include "solidyn/base/error.h"
#include "text_file.h"

namespace solidyn::simulation {
namespace {

class CrashNote : public testing::Test {
 protected:
  CrashNote() {
    summary_.title = "a run";
    summary_.steps = 3;
    summary_.time = 0.25;
    results::write_summary(MPI_COMM_SELF, path_, summary_);
  }
  ~CrashNote() override { forget_crash_note(); }
  nlohmann::json found() const { return nlohmann::json::parse(test::read_text(path_)); }

  test::ScratchFolder scratch_{MPI_COMM_SELF};
  std::string path_ = scratch_ / "summary.json";
  results::RunSummary summary_;
};

TEST_F(CrashNote, IsWrittenWhenTheProcessDiesAndOnlyThen) {
  note_crash(path_, summary_, 0.5, 7);
  EXPECT_EQ(found()["status"], "running");
  base::write_crash_file();
  EXPECT_EQ(found()["status"], "failed");
  EXPECT_EQ(found()["title"], "a run");
  EXPECT_EQ(found()["time"], 0.5);
  EXPECT_EQ(found()["steps"], 7);
  EXPECT_EQ(found()["failure"]["time"], 0.5);
  EXPECT_EQ(found()["failure"]["step"], 7);
  EXPECT_EQ(found()["failure"]["message"], "the program crashed");
}

TEST_F(CrashNote, ThatIsForgottenIsNotWritten) {
  note_crash(path_, summary_, 0.5, 7);
  forget_crash_note();
  base::write_crash_file();
  EXPECT_EQ(found()["status"], "running");
}

TEST_F(CrashNote, IsTheLatestOfSeveral) {
  for (int step = 1; step <= 3; ++step) note_crash(path_, summary_, 0.1 * step, step);
  base::write_crash_file();
  EXPECT_EQ(found()["steps"], 3);
}

TEST_F(CrashNote, OfAnOrderlyEndIsWrittenAtOnceWithItsReason) {
  leave_failed_folder(path_, summary_, "the other ranks go on");
  EXPECT_EQ(found()["status"], "failed");
  EXPECT_EQ(found()["failure"]["message"], "the other ranks go on");
  EXPECT_EQ(found()["failure"]["time"], 0.25);
  test::write_text(path_, "{}");
  base::write_crash_file();  // is no more
  EXPECT_EQ(test::read_text(path_), "{}");
}

// On a full disk the summary that is there is changed in place.
TEST_F(CrashNote, WhereNothingCanBeWrittenIsAWordInTheOldSummary) {
  write_failed_summary(MPI_COMM_SELF, path_, [] { throw base::ComputationError("disk full"); });
  EXPECT_EQ(found()["status"], "failed");
  EXPECT_FALSE(found().contains("failure"));
  EXPECT_THROW(write_failed_summary(MPI_COMM_SELF, path_, [] { throw base::InputError("ours"); }),
               base::InputError);
}

// One at the start and one at the end; never more than steps, nor a file that takes minutes to
// make.
TEST(PlannedPictures, AreThoseOfTheDurationAsFarAsThereIsRoom) {
  EXPECT_EQ(planned_pictures(1.0, 1e-3, 0.1), 12);
  EXPECT_EQ(planned_pictures(1.0, 0.25, 0.1), 6);
  EXPECT_EQ(planned_pictures(0.3, 1e-3, 0.1), 5);  // 0.3/0.1 is a little less than 3
  EXPECT_EQ(planned_pictures(1.0, 1e-3, 5.0), 2);
  EXPECT_EQ(planned_pictures(1e9, 1e-9, 1e-9), 10002);
}

}  // namespace
}  // namespace solidyn::simulation
