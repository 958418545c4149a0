// Runs, restarts and sweeps on several ranks say what they say on one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "scratch_folder.h"
#include "simulation/stop_request.h"
#include "simulation/sweep_table.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/model/load.h"
#include "solidyn/simulation/run.h"
#include "solidyn/simulation/sweep.h"
#include "text_file.h"

namespace solidyn::simulation {
namespace {

const MPI_Comm kComm = MPI_COMM_WORLD;

const std::string kPendulum = R"yaml(
solidyn: 1
gravity: [0, 0, -10]
bodies:
  bob: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], pose: {position: [0.5, 0, 0]}}
joints:
  pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}
forces:
  push: {type: expression, at: bob, force: [0, 0, 0]}
sensors:
  turn: {type: joint_angle, joint: pin}
  energy: {type: energy}
analyses:
  - dynamics: {duration: 0.1, step: 0.005}
output: {checkpoint_every: 10}
)yaml";

class OnAllRanks : public testing::Test {
 protected:
  OnAllRanks() { base::set_log_level(base::LogLevel::off); }
  ~OnAllRanks() override { base::set_log_level(base::LogLevel::info); }

  model::ModelDescription parsed(const std::vector<std::string>& overrides) const {
    return model::parse_model(kPendulum, "pendulum.yaml", ".", overrides);
  }
  results::RunStatus run(MPI_Comm comm, const std::string& folder,
                         const std::vector<std::string>& overrides, bool restart = false) {
    RunOptions options;
    options.folder = folder;
    options.restart = restart;
    options.all_ranks = true;
    const auto status = simulation::run(comm, parsed(overrides), options);
    MPI_Barrier(comm);  // rank 0 has written
    return status;
  }
  test::ScratchFolder scratch_{kComm};
};

// Each rank takes the same steps; one of them writes. What all have written is what one alone does.
TEST_F(OnAllRanks, ARunIsBitForBitThatOfOneRank) {
  EXPECT_EQ(run(kComm, scratch_ / "all", {}), results::RunStatus::done);
  run(MPI_COMM_SELF, scratch_ / "alone" + std::to_string(base::rank(kComm)), {});
  EXPECT_EQ(
      test::read_text(scratch_ / "all/history.csv"),
      test::read_text(scratch_ / "alone" + std::to_string(base::rank(kComm)) + "/history.csv"));
}

TEST_F(OnAllRanks, ARunOfOneRankGoesOn) {
  const std::string folder = scratch_ / "out";
  if (base::rank(kComm) == 0) {
    run(MPI_COMM_SELF, scratch_ / "whole", {});
    run(MPI_COMM_SELF, folder, {"analyses.dynamics.duration=0.05"});
  }
  MPI_Barrier(kComm);
  run(kComm, folder, {}, true);
  EXPECT_EQ(test::read_text(folder + "/history.csv"),
            test::read_text(scratch_ / "whole/history.csv"));
}

TEST_F(OnAllRanks, AFailureAndARefusalAreThoseOfAll) {
  const std::string breaks = "forces.push.force.0=\"1e-6*sqrt(0.05 - turn)\"";
  EXPECT_THROW(run(kComm, scratch_ / "out", {breaks}), base::ComputationError);
  EXPECT_THROW(run(kComm, scratch_ / "out", {"bodies.bob.mass=3"}, true), base::InputError);
  EXPECT_THROW(run(kComm, scratch_ / "none", {}, true), base::InputError);
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "none"));
}

// The last rank is asked; all end.
TEST_F(OnAllRanks, ASignalToOneEndsAll) {
  RunOptions options;
  options.folder = scratch_ / "out";
  options.all_ranks = true;
  options.observe = [](const auto&, double t, const Eigen::VectorXd&) {
    if (t == 0.0 && base::rank(kComm) == base::size(kComm) - 1) std::raise(SIGTERM);
  };
  try {
    simulation::run(kComm, parsed({}), options);
    ADD_FAILURE() << "went on";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("t = 0.005 s: stopped by Terminated"));
  }
}

// Groups of one rank each, and one group of all, make the same table but for the times that runs
// took.
TEST_F(OnAllRanks, ASweepHasTheSameTableHoweverTheyAreGrouped) {
  const std::vector<SweepParameter> parameters = {
      parse_sweep_parameter("bodies.bob.mass=1:3:3"),
      parse_sweep_parameter("forces.push.force.0=0,\"1e-6*sqrt(0.02 - turn)\"")};
  std::vector<std::string> tables;
  for (const int ranks : {1, base::size(kComm)}) {
    SweepOptions options;
    options.folder = scratch_ / "sweep" + std::to_string(tables.size());
    options.ranks_per_run = ranks;
    options.is_quiet = options.all_ranks = true;
    std::string error;
    try {
      sweep(
          kComm, parameters,
          [&](const SweepPoint& point) { return parsed(point.overrides(parameters)); }, options);
    } catch (const base::ComputationError& e) {
      error = e.what();
    }
    EXPECT_THAT(error, testing::HasSubstr("3 of 6 runs failed"));
    for (const char* run : {"run_002", "run_004", "run_006"})
      EXPECT_THAT(error, testing::HasSubstr(run));
    MPI_Barrier(kComm);
    std::string table = test::read_text(options.folder + "/sweep.csv"), without_times;
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t status =
          std::min({line.find(",done,"), line.find(",failed,"), line.size()});
      const std::size_t seconds = line.find(',', status + 1);
      without_times += line.substr(0, seconds) + line.substr(line.find(',', seconds + 1)) + "\n";
    }
    tables.push_back(without_times);
  }
  EXPECT_EQ(tables[0], tables[1]);
}

TEST(GatheredTexts, FollowTheRanks) {
  const int rank = base::rank(kComm);
  std::string expected;
  for (int i = 0; i < base::size(kComm); ++i) expected += std::string(3 * (i % 2), 'a' + i);
  const std::string all = gathered(kComm, std::string(3 * (rank % 2), 'a' + rank));
  EXPECT_EQ(all, rank == 0 ? expected : "");
}

// Every rank but the first sleeps, and the last of them is told to stop.
TEST(SignalsOfSleepers, ReachTheFirstRank) {
  const int rank = base::rank(kComm), last = base::size(kComm) - 1;
  if (last == 0) GTEST_SKIP() << "nobody sleeps";
  const StopRequest own;
  SleepersSignals signals(kComm);
  if (rank == 0) {
    EXPECT_EQ(own.signal(), 0);
    MPI_Barrier(kComm);
    MPI_Barrier(kComm);
    int heard = 0;
    while (heard == 0) heard = own.signal();
    EXPECT_EQ(heard, SIGINT);
  } else {
    MPI_Barrier(kComm);
    if (rank == last) std::raise(SIGINT);
    for (int i = 0; i < 3; ++i) signals.pass_on(own);  // once
    MPI_Barrier(kComm);
  }
  MPI_Barrier(kComm);
}

}  // namespace
}  // namespace solidyn::simulation
