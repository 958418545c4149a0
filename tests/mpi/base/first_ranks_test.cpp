#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "solidyn/base/cpu_time.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::base {
namespace {

const MPI_Comm kWorld = MPI_COMM_WORLD;

TEST(RunOnFirstRanks, GivesThemACommunicatorOfTheirOwnInTheSameOrder) {
  const int n = std::max(1, size(kWorld) / 2);
  bool worked = false;
  run_on_first_ranks(kWorld, n, [&](MPI_Comm comm) {
    worked = true;
    EXPECT_EQ(size(comm), n);
    EXPECT_EQ(rank(comm), rank(kWorld));
    EXPECT_DOUBLE_EQ(sum(comm, 1.0), n);
  });
  EXPECT_EQ(worked, rank(kWorld) < n);
}

TEST(RunOnFirstRanks, LeavesTheOthersProcessorsIdle) {
  if (size(kWorld) == 1) GTEST_SKIP() << "needs a rank that sleeps";
  const double before = cpu_seconds();
  run_on_first_ranks(kWorld, 1,
                     [](MPI_Comm) { std::this_thread::sleep_for(std::chrono::seconds(1)); });
  // MPI's own waiting would have taken the whole second; the working rank slept by itself.
  EXPECT_LT(cpu_seconds() - before, 0.3);
}

TEST(RunOnFirstRanks, TakesAnErrorOfOneWorkingRankToAll) {
  const int thrower = size(kWorld) > 2 ? 1 : 0;
  try {
    run_on_first_ranks(kWorld, thrower + 1, [&](MPI_Comm comm) {
      if (rank(comm) == thrower) throw InputError("no such mesh", "name another", {"a.yaml", 3, 7});
    });
    FAIL() << "no exception";
  } catch (const InputError& e) {
    ASSERT_EQ(e.diagnostics().size(), 1u);
    EXPECT_EQ(e.diagnostics()[0].where.line, 3);
    EXPECT_EQ(e.diagnostics()[0].remedy, "name another");
  }
  // They can go on together.
  EXPECT_DOUBLE_EQ(sum(kWorld, 1.0), size(kWorld));
}

}  // namespace
}  // namespace solidyn::base
