#include "solidyn/results/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace solidyn::results {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::SizeIs;

// A run of `steps` steps over 2 s of simulated time, each of which takes `seconds_per_step` by its
// clock.
struct Watched {
  std::vector<std::string> drawn, logged;
  int clock_readings = 0;
  double now = 100.0;

  ProgressReporter reporter(bool is_terminal) {
    return ProgressReporter(MPI_COMM_SELF, 0.0, 2.0,
                            {is_terminal, [this](const std::string& s) { drawn.push_back(s); },
                             [this](const std::string& s) { logged.push_back(s); },
                             [this] { return ++clock_readings, now; }});
  }
  void run(bool is_terminal, int steps, double seconds_per_step) {
    ProgressReporter progress = reporter(is_terminal);
    for (int i = 1; i <= steps; ++i) {
      now += seconds_per_step;
      progress.update(2.0 * i / steps, i);
    }
    progress.finish(2.0, steps);
  }
};

TEST(Progress, FileGetsALineEveryTenPercent) {
  Watched watched;
  watched.run(false, 10000, 1e-4);
  EXPECT_THAT(watched.logged, SizeIs(10));
  EXPECT_THAT(watched.drawn, SizeIs(0));
  EXPECT_THAT(watched.logged.back(), HasSubstr("100 %"));
}

TEST(Progress, FileGetsALineEveryThirtySecondsOfALongRun) {
  Watched watched;
  watched.run(false, 100, 10.0);  // 10 % takes 100 s
  // In each 100 s: at 30, 60 and 90 s after the last line and at the next 10 %.
  EXPECT_THAT(watched.logged, SizeIs(40));
}

TEST(Progress, TerminalIsRedrawnAtMostTenTimesPerSecond) {
  Watched watched;
  watched.run(true, 200000, 1e-5);  // 2 s
  EXPECT_THAT(watched.logged, SizeIs(0));
  EXPECT_GE(watched.drawn.size(), 15U);
  EXPECT_LE(watched.drawn.size(), 22U);
  EXPECT_THAT(watched.drawn.back(), EndsWith("\n"));
}

TEST(Progress, ClockIsReadOnceInSixtyFourFastSteps) {
  Watched watched;
  watched.run(true, 64000, 1e-6);
  EXPECT_LE(watched.clock_readings, 1000 + 10);
}

TEST(Progress, LineTellsPercentTimeStepRateAndTimeLeft) {
  Watched watched;
  ProgressReporter progress = watched.reporter(true);
  progress.update(0.0, 1);  // a first look, 0 s after the start
  watched.now += 40.0;
  for (int i = 2; i <= 70; ++i) progress.update(0.5, 5000);
  // A quarter in 40 s: 120 s are left. 5000 steps in 40 s are 125 per second.
  ASSERT_FALSE(watched.drawn.empty());
  EXPECT_THAT(watched.drawn.back(),
              HasSubstr(" 25 %  t = 0.5 s  step 5000  125 steps/s  ETA 2:00"));
  EXPECT_THAT(watched.drawn.back(), HasSubstr("[======>                 ]"));
}

}  // namespace
}  // namespace solidyn::results
