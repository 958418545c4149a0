// Sweeps on one rank: the runs, their table, and the folder.
#include "solidyn/simulation/sweep.h"

#include <gmock/gmock.h>

#include <cmath>
#include <csignal>

#include "scratch_folder.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/model/load.h"
#include "text_file.h"

namespace solidyn::simulation {
namespace {

using results::RunStatus;
using testing::HasSubstr;
using testing::Not;

// A mass on a spring from x0: x = x0 cos(w t), w = sqrt(k/m) = 2 pi.
const std::string kOscillator = R"yaml(
solidyn: 1
bodies:
  mass: {type: rigid, mass: 2, inertia: [1, 1, 1], pose: {position: [0.1, 0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [0, 0, 0], axis: [1, 0, 0]}
forces:
  spring: {type: spring_damper, between: [ground, mass], at_first: [-1, 0, 0], stiffness: 78.95683520871486, free_length: 1}
  push: {type: expression, at: mass, force: [0, 0, 0]}
sensors:
  x: {type: position, of: mass, component: x}
analyses:
  - dynamics: {duration: 1, step: 0.002, rho_infinity: 1}
)yaml";

struct SweepTable {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
  std::string at(std::size_t row, const std::string& name) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return rows.at(row).at(i);
    return "no column " + name;
  }
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line)
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

class SweepRuns : public testing::Test {
 protected:
  SweepRuns() { base::set_log_level(base::LogLevel::off); }
  ~SweepRuns() override { base::set_log_level(base::LogLevel::info); }

  RunStatus sweep(const std::vector<std::string>& texts,
                  const std::function<void(const SweepPoint&)>& on_load = {}) {
    std::vector<SweepParameter> parameters;
    parameters.reserve(texts.size());
    for (const std::string& text : texts) parameters.push_back(parse_sweep_parameter(text));
    SweepOptions options;
    options.folder = folder_;
    options.is_quiet = true;
    return simulation::sweep(
        MPI_COMM_SELF, parameters,
        [&](const SweepPoint& point) {
          if (on_load) on_load(point);
          return model::parse_model(kOscillator, "oscillator.yaml", ".",
                                    point.overrides(parameters));
        },
        options);
  }
  template <class Error>
  std::string message(const std::vector<std::string>& texts) {
    try {
      sweep(texts);
    } catch (const Error& e) {
      return e.what();
    }
    return "no error";
  }
  bool has(const std::string& name) const { return std::filesystem::exists(folder_ + "/" + name); }
  SweepTable table() const {
    std::istringstream text(test::read_text(folder_ + "/sweep.csv"));
    SweepTable found;
    std::string line;
    std::getline(text, line);
    std::getline(text, line);
    found.names = cells_of(line);
    while (std::getline(text, line)) found.rows.push_back(cells_of(line));
    return found;
  }

  test::ScratchFolder scratch_{MPI_COMM_SELF};
  std::string folder_ = scratch_ / "sweep";
};

TEST_F(SweepRuns, HaveARowEachWithWhatTheClosedFormSays) {
  EXPECT_EQ(sweep({"bodies.mass.mass=0.5,2", "bodies.mass.pose.position.0=0.1,0.2"}),
            RunStatus::done);
  const SweepTable t = table();
  ASSERT_EQ(t.rows.size(), 4U);
  for (int i = 0; i < 4; ++i) {
    const std::string run = "run_00" + std::to_string(i + 1);
    const double x0 = i % 2 ? 0.2 : 0.1;
    EXPECT_EQ(t.at(i, "run"), run);
    EXPECT_EQ(t.at(i, "bodies.mass.mass"), i < 2 ? "0.5" : "2");
    EXPECT_EQ(t.at(i, "status"), "done");
    EXPECT_TRUE(has(run + "/summary.json") && has(run + "/history.csv"));
    // Whole periods: one of the heavy mass, two of the light one.
    EXPECT_NEAR(std::stod(t.at(i, "x.last")), x0, 1e-4 * x0);
    EXPECT_NEAR(std::stod(t.at(i, "x.least")), -x0, 1e-4 * x0);
    EXPECT_NEAR(std::stod(t.at(i, "x.amplitude")), x0, 1e-4 * x0);
    EXPECT_NEAR(std::stod(t.at(i, "x.mean")), 0.0, 1e-4 * x0);
    EXPECT_NEAR(std::stod(t.at(i, "x.rms")), x0 / std::sqrt(2.0), 1e-4 * x0);
  }
  EXPECT_FALSE(has(".solidyn_lock"));
}

TEST_F(SweepRuns, ThatFailDoNotStopTheOthersAndAreNamed) {
  const std::string error =
      message<base::ComputationError>({"forces.push.force.0=0,\"sqrt(0.05 + x)\",1"});
  EXPECT_THAT(error, HasSubstr("1 of 3 runs failed:"));
  EXPECT_THAT(
      error,
      HasSubstr("run_002 (forces.push.force.0=\"sqrt(0.05 + x)\"): force push: `sqrt(0.05 + x)`"));
  const SweepTable t = table();
  ASSERT_EQ(t.rows.size(), 3U);
  EXPECT_EQ(t.at(0, "status"), "done");
  EXPECT_EQ(t.at(1, "status"), "failed");
  EXPECT_EQ(t.at(2, "status"), "done");
  // What it had found until then.
  EXPECT_GE(std::stod(t.at(1, "x.least")), -0.05);
  EXPECT_LT(std::stod(t.at(1, "x.least")), -0.04);
}

TEST_F(SweepRuns, ThatAreDoubtfulMakeTheSweepSo) {
  EXPECT_EQ(sweep({"analyses.dynamics.step=0.002,0.1", "analyses.dynamics.rho_infinity=0"}),
            RunStatus::doubtful);
  EXPECT_EQ(table().at(0, "status"), "done");
  EXPECT_EQ(table().at(1, "status"), "doubtful");
}

TEST_F(SweepRuns, BeginOnlyWhenEveryModelIsRight) {
  EXPECT_THAT(message<base::InputError>({"bodies.mass.mass=1,-1"}), HasSubstr("mass"));
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST_F(SweepRuns, OfAnEarlierSweepGoAndOtherFoldersStay) {
  sweep({"bodies.mass.mass=1,2,3"});
  std::filesystem::create_directories(folder_ + "/run_007");  // of somebody else
  test::write_text(folder_ + "/run_003/notes.txt", "of the run");
  sweep({"bodies.mass.mass=1"});
  EXPECT_TRUE(has("run_001") && has("run_007"));
  EXPECT_FALSE(has("run_002") || has("run_003"));
  EXPECT_EQ(table().rows.size(), 1U);
}

TEST_F(SweepRuns, DoNotReplaceATableThatIsNotOurs) {
  std::filesystem::create_directories(folder_ + "/run_001");
  test::write_text(folder_ + "/sweep.csv", "name,price\nrun_001,12\n");
  EXPECT_THAT(message<base::InputError>({"bodies.mass.mass=1"}),
              HasSubstr("sweep.csv exists and was not written by a sweep of Solidyn"));
  EXPECT_TRUE(has("run_001"));
  EXPECT_EQ(test::read_text(folder_ + "/sweep.csv"), "name,price\nrun_001,12\n");
}

// The signal comes while the models are made: the run that goes on then ends, the others do not
// begin.
TEST_F(SweepRuns, EndWithTheSignalThatEndsOneOfThem) {
  int n_loaded = 0;
  std::string error;
  try {
    sweep({"bodies.mass.mass=1,2,3"}, [&](const SweepPoint&) {
      if (++n_loaded == 5) std::raise(SIGINT);  // three to look at, then one for each run
    });
  } catch (const base::ComputationError& e) {
    error = e.what();
  }
  EXPECT_THAT(error, HasSubstr("2 of 3 runs failed:"));
  EXPECT_THAT(error, HasSubstr("run_002 (bodies.mass.mass=2): t = 0.002 s: stopped by Interrupt"));
  EXPECT_THAT(error, HasSubstr("run_003 (bodies.mass.mass=3): not started: the sweep was stopped"));
  EXPECT_EQ(n_loaded, 5);
  EXPECT_EQ(table().rows.size(), 2U);
  EXPECT_FALSE(has("run_003"));
}

TEST_F(SweepRuns, NeedADivisorOfTheRanks) {
  SweepOptions options;
  options.folder = folder_;
  for (const int ranks : {0, -1, 2}) {
    options.ranks_per_run = ranks;
    try {
      simulation::sweep(
          MPI_COMM_SELF, {}, [](const SweepPoint&) { return model::ModelDescription(); }, options);
      FAIL() << "accepted";
    } catch (const base::InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("the 1 ranks of this job are not a multiple of it"));
    }
  }
}

TEST_F(SweepRuns, HaveStatisticsFromAGivenTimeOn) {
  sweep({"output.statistics.from=0,0.5,0.75"});
  const SweepTable t = table();
  EXPECT_NEAR(std::stod(t.at(0, "x.mean")), 0.0, 1e-5);
  // Of cos(2 pi t) the mean is 0 from 0.5, and 2/pi from 0.75 on.
  EXPECT_NEAR(std::stod(t.at(1, "x.mean")), 0.0, 1e-5);
  EXPECT_NEAR(std::stod(t.at(1, "x.least")), -0.1, 1e-5);
  EXPECT_NEAR(std::stod(t.at(2, "x.mean")), 0.2 / M_PI, 1e-5);
  EXPECT_NEAR(std::stod(t.at(2, "x.least")), 0.0, 1e-5);
}

}  // namespace
}  // namespace solidyn::simulation
