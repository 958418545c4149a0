// The program's log: levels, the file, warnings for the summary, scopes and pauses.
#include "solidyn/base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch_folder.h"
#include "text_file.h"

namespace solidyn::base {
namespace {

using test::read_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class LogTest : public testing::Test {
 protected:
  LogTest() { clear_logged_warnings(); }
  ~LogTest() override {
    log_to_file("");
    set_log_level(LogLevel::info);
    clear_logged_warnings();
  }
  test::ScratchFolder scratch_{MPI_COMM_SELF};
  std::string file_ = scratch_ / "log.txt";
};

TEST_F(LogTest, FileBeginsWithTheProgramAndWhatWasToldBeforeIt) {
  testing::internal::CaptureStderr();
  log_info("before {}", 1);
  log_to_file(file_);
  log_info("after {}", 2);
  const std::string terminal = testing::internal::GetCapturedStderr(), text = read_text(file_);
  EXPECT_THAT(terminal, HasSubstr("before 1"));
  EXPECT_THAT(terminal, HasSubstr("after 2"));
  EXPECT_THAT(text, testing::ContainsRegex("info: solidyn .*, process [0-9]+ of machine"));
  EXPECT_LT(text.find("solidyn"), text.find("before 1"));
  EXPECT_LT(text.find("before 1"), text.find("after 2"));
}

TEST_F(LogTest, FileIsBegunAnewUnlessItIsAppendedTo) {
  const LogScope quiet(MPI_COMM_SELF);
  for (const bool appends : {false, true, false}) {
    log_to_file(file_, appends);
    log_info(appends ? "second" : "first");
    log_to_file("");
    if (appends) {
      EXPECT_THAT(read_text(file_), HasSubstr("first"));
    }
  }
  EXPECT_THAT(read_text(file_), Not(HasSubstr("second")));
}

TEST_F(LogTest, LevelsBelowTheOneThatIsSetAreSilent) {
  const LogScope quiet(MPI_COMM_SELF);
  log_to_file(file_);
  set_log_level(LogLevel::warning);
  EXPECT_FALSE(terminal_shows_info());
  log_info("a remark");
  log_debug("a detail");
  log_warning("a warning");
  set_log_level(LogLevel::debug);
  log_debug("another detail");
  log_to_file("");  // details wait until then
  const std::string text = read_text(file_);
  EXPECT_THAT(text, Not(HasSubstr("a remark")));
  EXPECT_THAT(text, Not(HasSubstr("a detail")));
  EXPECT_THAT(text, HasSubstr("warning: a warning"));
  EXPECT_THAT(text, HasSubstr("debug: another detail"));
}

// What a summary lists does not depend on what the terminal shows.
TEST_F(LogTest, WarningsAreKeptEvenWhereNothingIsShown) {
  set_log_level(LogLevel::off);
  log_warning("{} is doubtful", "x");
  log_info("nothing");
  EXPECT_THAT(logged_warnings(), ElementsAre("x is doubtful"));
  clear_logged_warnings();
  EXPECT_THAT(logged_warnings(), IsEmpty());
}

TEST_F(LogTest, ScopeSpeaksIntoItsFileAndSetsEarlierWarningsAside) {
  set_log_level(LogLevel::off);
  log_warning("of the sweep");
  set_log_level(LogLevel::info);
  testing::internal::CaptureStderr();
  {
    const LogScope scope(MPI_COMM_SELF);
    EXPECT_THAT(logged_warnings(), IsEmpty());
    EXPECT_FALSE(terminal_shows_info());
    log_to_file(file_);
    log_warning("of a run");
    EXPECT_THAT(logged_warnings(), ElementsAre("of a run"));
  }
  EXPECT_THAT(logged_warnings(), ElementsAre("of the sweep"));
  log_info("of the sweep again");
  const std::string terminal = testing::internal::GetCapturedStderr();
  EXPECT_THAT(terminal, Not(HasSubstr("of a run")));
  EXPECT_THAT(terminal, HasSubstr("of the sweep again"));
  const std::string text = read_text(file_);
  EXPECT_THAT(text, HasSubstr("of a run"));
  EXPECT_THAT(text, Not(HasSubstr("of the sweep")));
}

TEST_F(LogTest, PausesMayBeNestedAndKeepNothing) {
  const LogScope quiet(MPI_COMM_SELF);
  log_to_file(file_);
  {
    const LogPause outer;
    {
      const LogPause inner;
      log_warning("inner");
    }
    log_warning("outer");
  }
  log_warning("after");
  EXPECT_THAT(logged_warnings(), ElementsAre("after"));
  EXPECT_THAT(read_text(file_), Not(HasSubstr("outer")));
}

}  // namespace
}  // namespace solidyn::base
