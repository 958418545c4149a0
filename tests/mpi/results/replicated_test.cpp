#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/results/checkpoint.h"
#include "solidyn/results/history.h"
#include "solidyn/results/output_folder.h"
#include "solidyn/results/summary.h"
#include "text_file.h"

// What several ranks save together or rank 0 saves for all.
namespace solidyn::results {
namespace {

using Eigen::MatrixXd;
using Integers = std::vector<std::int64_t>;

const MPI_Comm kWorld = MPI_COMM_WORLD;

// The nodes of one rank when node tag goes to rank (a tag + b) mod P, listed backwards.
Integers tags_of(int a, int b) {
  Integers tags;
  for (std::int64_t tag = 211; tag > 0; tag -= 3)
    if ((a * tag + b) % base::size(kWorld) == base::rank(kWorld)) tags.push_back(tag);
  return tags;
}

MatrixXd values_of(const Integers& tags) {
  MatrixXd values(3, tags.size());
  for (std::size_t i = 0; i < tags.size(); ++i)
    values.col(i) << 1.0 / tags[i], std::sqrt(tags[i]), -tags[i];
  return values;
}

TEST(ParallelCheckpoint, AnotherDistributionReadsTheSameColumns) {
  const test::ScratchFolder folder;
  const std::string path = folder / "checkpoint.h5";
  Checkpoint checkpoint;
  checkpoint.model_hash = "m";
  checkpoint.arrays["q"] = {1, 2, 3};
  const Integers tags = tags_of(1, 0);
  checkpoint.distributed["rod.u"] = {tags, values_of(tags)};
  write_checkpoint(kWorld, path, checkpoint);

  EXPECT_EQ(read_checkpoint(kWorld, path, "m").arrays, checkpoint.arrays);
  EXPECT_EQ(read_distributed(kWorld, path, "rod.u", tags), checkpoint.distributed["rod.u"].values);
  const Integers others = tags_of(5, 2);
  EXPECT_EQ(read_distributed(kWorld, path, "rod.u", others), values_of(others));
  // One rank has everything: what a serial restart of a parallel run does.
  Integers all;
  for (std::int64_t tag = 1; tag <= 211; tag += 3) all.push_back(tag);
  const Integers mine = base::rank(kWorld) == 0 ? all : Integers{};
  EXPECT_EQ(read_distributed(kWorld, path, "rod.u", mine), values_of(mine));
  EXPECT_EQ(read_distributed(MPI_COMM_SELF, path, "rod.u", all), values_of(all));
}

TEST(ParallelCheckpoint, NodeOnTwoRanksIsReportedByAll) {
  Checkpoint checkpoint;
  checkpoint.distributed["u"] = {{1, 1}, MatrixXd::Zero(3, 2)};
  EXPECT_THROW(write_checkpoint(kWorld, "never_written.h5", checkpoint), base::ComputationError);
}

TEST(ParallelCheckpoint, ModelHashMismatchIsReportedByAll) {
  const test::ScratchFolder folder;
  write_checkpoint(kWorld, folder / "checkpoint.h5", {});
  EXPECT_THROW(read_checkpoint(kWorld, folder / "checkpoint.h5", "other"), base::InputError);
}

TEST(ParallelHistory, RankZeroWritesOnceAndErrorsReachAll) {
  const test::ScratchFolder folder;
  {
    HistoryWriter writer(kWorld, folder / "history.csv", {{"x", "m"}});
    writer.write(0.5, Eigen::VectorXd::Constant(1, 2.0));
    writer.flush();
  }
  MPI_Barrier(kWorld);
  EXPECT_EQ(test::read_text(folder / "history.csv"), "# units: s,m\ntime,x\n0.5,2\n");
  EXPECT_THROW(HistoryWriter(kWorld, folder / "no/history.csv", {{"x", "m"}}), base::InputError);
}

TEST(ParallelSummary, MemoryIsThatOfTheLargestProcessAndOfAll) {
  RunSummary summary;
  summary.measure_memory(kWorld);
  EXPECT_GT(summary.peak_rss_mb, 1.0);
  EXPECT_GE(summary.peak_rss_mb_total, summary.peak_rss_mb);
  EXPECT_LE(summary.peak_rss_mb_total, summary.peak_rss_mb * base::size(kWorld) * (1 + 1e-12));
}

TEST(ParallelOutputFolder, RefusalReachesAllRanks) {
  const test::ScratchFolder folder;
  EXPECT_THROW(OutputFolder(kWorld, folder.path() + "/none", FolderUse::resume), base::InputError);
  OutputFolder(kWorld, folder.path() + "/new", FolderUse::start);
  EXPECT_TRUE(std::filesystem::exists(folder / "new/summary.json"));
}

}  // namespace
}  // namespace solidyn::results
