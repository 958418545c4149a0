#include "solidyn/results/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "text_file.h"

namespace solidyn::results {
namespace {

using nlohmann::json;
using testing::ElementsAre;

TEST(Summary, HasEveryKeyThatTheContractNames) {
  const json summary = json::parse(to_json({}));
  for (const char* key : {"/status",
                          "/ranks",
                          "/dofs",
                          "/constraints",
                          "/steps",
                          "/newton_iterations",
                          "/linear_iterations",
                          "/seconds/total",
                          "/seconds/setup",
                          "/seconds/assembly",
                          "/seconds/solve",
                          "/seconds/output",
                          "/peak_rss_mb",
                          "/max_constraint_violation/position",
                          "/max_constraint_violation/velocity",
                          "/max_constraint_violation/acceleration",
                          "/energy/kinetic",
                          "/energy/strain",
                          "/energy/potential",
                          "/energy/work",
                          "/energy/relative_drift",
                          "/energy/exchanged",
                          "/energy/imbalance",
                          "/warnings"})
    EXPECT_TRUE(summary.contains(json::json_pointer(key))) << key;
  EXPECT_EQ(summary["status"], "running");
  EXPECT_FALSE(summary.contains("failure"));
  EXPECT_FALSE(summary.contains("doubts"));
}

TEST(Summary, ADoubtfulRunSaysWhy) {
  RunSummary s;
  s.status = RunStatus::doubtful;
  s.doubts = {"energies do not balance"};
  const json summary = json::parse(to_json(s));
  EXPECT_EQ(summary["status"], "doubtful");
  EXPECT_THAT(summary["doubts"], ElementsAre("energies do not balance"));
}

TEST(Summary, ValuesComeBackAsWritten) {
  const test::ScratchFolder folder;
  RunSummary s;
  s.status = RunStatus::failed;
  s.ranks = 3;
  s.dofs = std::int64_t{1} << 40;
  s.seconds.solve = 1.0 / 3.0;
  s.energy.relative_drift = -1e-12;
  s.warnings = {"a \"quoted\" word", "bytes that are not UTF-8: \xff"};
  s.failure = RunFailure{0.25, 17, "Newton stopped"};
  write_summary(MPI_COMM_SELF, folder / "summary.json", s);
  const json summary = json::parse(test::read_text(folder / "summary.json"));
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["ranks"], 3);
  EXPECT_EQ(summary["dofs"], s.dofs);
  EXPECT_EQ(summary["seconds"]["solve"], 1.0 / 3.0);
  EXPECT_EQ(summary["energy"]["relative_drift"], -1e-12);
  EXPECT_TRUE(summary["energy"]["work"].is_null()) << "unknown is null";
  EXPECT_EQ(summary["warnings"][0], "a \"quoted\" word");
  EXPECT_EQ(summary["failure"]["step"], 17);
  EXPECT_EQ(summary["failure"]["time"], 0.25);
  EXPECT_EQ(summary["failure"]["message"], "Newton stopped");
}

TEST(Summary, PeakMemoryGrowsWithWhatIsTouched) {
  RunSummary before, after;
  before.measure_memory(MPI_COMM_SELF);
  const double resident = before.peak_rss_mb;
  std::vector<char> block(static_cast<std::size_t>(resident * 1e6) + 100'000'000, 'x');
  EXPECT_EQ(block[block.size() / 2], 'x');
  after.measure_memory(MPI_COMM_SELF);
  EXPECT_GE(after.peak_rss_mb, resident + 100);
  EXPECT_EQ(after.peak_rss_mb, after.peak_rss_mb_total) << "one process";
}

TEST(Summary, FailureToWriteSaysWhere) {
  const test::ScratchFolder folder;
  try {
    write_summary(MPI_COMM_SELF, folder / "missing/summary.json", {});
    FAIL() << "no exception";
  } catch (const base::ComputationError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("missing/summary.json"));
  }
}

}  // namespace
}  // namespace solidyn::results
