// Signals that ask a run to end, and when checkpoints by the clock are due.
#include "simulation/stop_request.h"

#include <gtest/gtest.h>

#include "simulation/checkpoint_plan.h"

namespace solidyn::simulation {
namespace {

volatile std::sig_atomic_t n_signals_of_others = 0;
void count_signal(int) { n_signals_of_others = n_signals_of_others + 1; }

class RequestToStop : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    n_signals_of_others = 0;
    before_ = std::signal(GetParam(), count_signal);
  }
  void TearDown() override { std::signal(GetParam(), before_); }

 private:
  void (*before_)(int) = SIG_DFL;
};
INSTANTIATE_TEST_SUITE_P(By, RequestToStop, testing::Values(SIGTERM, SIGINT, SIGQUIT, SIGHUP));

TEST_P(RequestToStop, IsRememberedAndTheHandlerBeforeComesBack) {
  {
    const StopRequest stop;
    EXPECT_EQ(stop.signal(), 0);
    std::raise(GetParam());
    EXPECT_EQ(stop.signal(), GetParam());
    EXPECT_EQ(stop.signal(), GetParam());  // however often it is asked
    EXPECT_EQ(n_signals_of_others, 0);
  }
  std::raise(GetParam());
  EXPECT_EQ(n_signals_of_others, 1);
  const StopRequest next;
  EXPECT_EQ(next.signal(), 0);  // begins anew
}

// A sweep around its runs.
TEST_P(RequestToStop, ToAnInnerOneIsHeardByTheOuterOne) {
  const StopRequest outer;
  {
    const StopRequest inner;
    std::raise(GetParam());
    EXPECT_EQ(inner.signal(), GetParam());
  }
  EXPECT_EQ(outer.signal(), GetParam());
  const StopRequest second;
  EXPECT_EQ(second.signal(), GetParam());
}

TEST_P(RequestToStop, ThatIsRepeatedEndsTheProgramAtOnce) {
  const auto insist = [] {
    const StopRequest stop;
    std::raise(GetParam());
    std::raise(GetParam());
  };
  EXPECT_EXIT(insist(), testing::KilledBySignal(GetParam()), "");
}

// Written as soon as it is due, at these times after the start.
std::vector<double> times_of_checkpoints(double interval, double end) {
  CheckpointPlan plan(interval);
  std::vector<double> times;
  double last = 0.0;
  for (double t = 0.0; t <= end; t += 0.5) {
    if (!plan.is_due(t - last)) continue;
    times.push_back(t);
    plan.was_written();
    last = t;
  }
  return times;
}

TEST(CheckpointPlan, WaitsTwiceAsLongEachTimeUpToTheInterval) {
  EXPECT_EQ(times_of_checkpoints(60.0, 220.0),
            (std::vector<double>{5.0, 15.0, 35.0, 75.0, 135.0, 195.0}));
  EXPECT_EQ(times_of_checkpoints(12.0, 40.0), (std::vector<double>{5.0, 15.0, 27.0, 39.0}));
  EXPECT_EQ(times_of_checkpoints(2.0, 7.0), (std::vector<double>{2.0, 4.0, 6.0}));
}

TEST(CheckpointPlan, WithoutAnIntervalHasNone) {
  EXPECT_TRUE(times_of_checkpoints(0.0, 1000.0).empty());
}

}  // namespace
}  // namespace solidyn::simulation
