// A run that is killed with SIGKILL at any moment leaves results that can be read and continued.
// The run is this very executable, started again on some ranks with a filter for the test
// `RunToBeKilled`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>
#include <regex>
#include <sstream>

#include "moving_box.h"
#include "scratch_folder.h"
#include "solidyn/base/hdf5.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/results/checkpoint.h"
#include "solidyn/results/fields.h"
#include "solidyn/results/history.h"
#include "solidyn/results/output_folder.h"
#include "solidyn/results/summary.h"
#include "text_file.h"

namespace solidyn::results {
namespace {

constexpr double kStep = 1.0 / 1024;  // so that times, and the formulas of moving_box.h, are exact
constexpr std::int64_t kStepsPerSnapshot = 4, kStepsPerCheckpoint = 8;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// The process shoots itself some time from now.
void arm(int microseconds) {
  struct sigaction action {};
  action.sa_handler = [](int) { raise(SIGKILL); };
  sigaction(SIGALRM, &action, nullptr);
  itimerval timer{};
  timer.it_value.tv_sec = microseconds / 1000000;
  timer.it_value.tv_usec = microseconds % 1000000;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

// The run: state q = (t, 3 t), nodal displacement (t, 2 t, -3 t).
class WrittenRun {
 public:
  WrittenRun(MPI_Comm comm, const std::string& path, FolderUse use, std::int64_t n_steps)
      : comm_(comm), n_steps_(n_steps), folder_(comm, path, use) {
    if (use == FolderUse::resume) step_ = read_checkpoint(comm_, folder_.checkpoint(), "box").step;
    const std::optional<double> resume_at =
        use == FolderUse::resume ? std::optional(time()) : std::nullopt;
    history_.emplace(comm_, folder_.history(), std::vector<HistoryColumn>{{"q1", "m"}, {"q2", "m"}},
                     resume_at);
    fields_.emplace(
        comm_, folder_.fields_xdmf(), folder_.fields_h5(),
        std::vector{make_field_part("box", mesh_, MeshPicture::solids, test::box_quantities())},
        std::min<std::int64_t>(n_steps / kStepsPerSnapshot, 4000), resume_at);
  }
  void go(const std::function<void()>& after_first_checkpoint) {
    while (step_ < n_steps_) {
      ++step_;
      history_->write(time(), Eigen::Vector2d(time(), 3 * time()));
      if (step_ % kStepsPerSnapshot == 0) fields_->write(time(), {test::box_values(mesh_, time())});
      if (step_ % kStepsPerCheckpoint == 0) save();
      if (step_ == kStepsPerCheckpoint) after_first_checkpoint();
    }
    fields_.reset();
    history_->flush();
    RunSummary summary;
    summary.status = RunStatus::done;
    write_summary(comm_, folder_.summary(), summary);
  }

 private:
  double time() const { return kStep * static_cast<double>(step_); }
  void save() {
    history_->flush();
    Checkpoint checkpoint;
    checkpoint.model_hash = "box";
    checkpoint.time = time();
    checkpoint.step = step_;
    checkpoint.arrays["q"] = {time(), 3 * time()};
    checkpoint.distributed["u"] = {
        {mesh_.node_tags.begin(), mesh_.node_tags.begin() + mesh_.n_owned},
        (time() * Eigen::Vector3d(1, 2, -3)).replicate(1, mesh_.n_owned)};
    write_checkpoint(comm_, folder_.checkpoint(), checkpoint);
  }

  MPI_Comm comm_;
  std::int64_t n_steps_, step_ = 0;
  OutputFolder folder_;
  mesh::DistributedMesh mesh_ = test::distributed_box(comm_);
  std::optional<HistoryWriter> history_;
  std::optional<FieldWriter> fields_;
};

TEST(DISABLED_Child, RunToBeKilled) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  const std::string kill_after = environment("SOLIDYN_TEST_KILL_AFTER");
  const bool resumes = environment("SOLIDYN_TEST_RESUME") == "yes";
  WrittenRun run(comm, environment("SOLIDYN_TEST_FOLDER"),
                 resumes ? FolderUse::resume : FolderUse::start,
                 std::stoll(environment("SOLIDYN_TEST_STEPS")));
  run.go([&] {
    if (!kill_after.empty() && base::rank(comm) == base::size(comm) - 1) arm(std::stoi(kill_after));
  });
}

// Returns whether the run ended as it should.
bool run_child(int n_ranks, const std::string& folder, std::int64_t n_steps,
               const std::string& settings) {
  // This process has started MPI: what it left in the environment would confuse the child's.
  const std::string command =
      "env -i PATH=\"$PATH\" HOME=\"$HOME\" LD_LIBRARY_PATH=\"$LD_LIBRARY_PATH\" OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none SOLIDYN_TEST_FOLDER=" +
      folder + " SOLIDYN_TEST_STEPS=" + std::to_string(n_steps) + " " + settings + " mpirun -n " +
      std::to_string(n_ranks) + " " + std::filesystem::read_symlink("/proc/self/exe").string() +
      " --gtest_also_run_disabled_tests --gtest_filter=DISABLED_Child.* > " + folder +
      ".child.log 2>&1";
  return std::system(command.c_str()) == 0;
}

struct History {
  std::vector<double> times;
  bool is_exact = true;
};

History read_history(const std::string& path) {
  History history;
  std::istringstream text(test::read_text(path));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "# units: s,m,m");
  std::getline(text, line);
  EXPECT_EQ(line, "time,q1,q2");
  while (std::getline(text, line) && !text.eof()) {  // the last line may be half written
    double t = 0, q1 = 0, q2 = 0;
    EXPECT_EQ(std::sscanf(line.c_str(), "%lf,%lf,%lf", &t, &q1, &q2), 3) << line;
    history.is_exact = history.is_exact && q1 == t && q2 == 3 * t;
    history.times.push_back(t);
  }
  return history;
}

// Every dataset that fields.xdmf names holds the numbers of its time. Returns the times.
std::vector<double> expect_good_fields(const OutputFolder& folder) {
  const mesh::Mesh box = test::moving_box();
  const base::H5File file = base::open_hdf5(folder.fields_h5());
  const auto tags = base::read_integers(file, "parts/box/nodes");
  const std::string text = test::read_text(folder.fields_xdmf());
  const std::regex item("Time Value=\"([^\"]*)\"[^]*?fields.h5:(/parts/box/positions/[0-9]*)");
  std::vector<double> times;
  for (std::sregex_iterator it(text.begin(), text.end(), item), end; it != end; ++it) {
    times.push_back(std::stod((*it)[1]));
    const Eigen::MatrixXd x = base::read_matrix(file, (*it)[2]);
    Eigen::MatrixXd expected(3, x.cols());
    for (Eigen::Index i = 0; i < x.cols(); ++i)
      expected.col(i) = test::moved(box.x.col(tags[i] - 1), times.back());
    EXPECT_EQ(x, expected) << (*it)[2];
  }
  return times;
}

void expect_good_checkpoint(const OutputFolder& folder, const History& history) {
  const Checkpoint checkpoint = read_checkpoint(MPI_COMM_SELF, folder.checkpoint(), "box");
  EXPECT_EQ(checkpoint.time, kStep * static_cast<double>(checkpoint.step));
  EXPECT_EQ(checkpoint.arrays.at("q")[1], 3 * checkpoint.time);
  ASSERT_FALSE(history.times.empty());
  EXPECT_GE(history.times.back(), checkpoint.time);
  const std::vector<std::int64_t> tags = test::moving_box().node_tags;
  const Eigen::MatrixXd u = read_distributed(MPI_COMM_SELF, folder.checkpoint(), "u", tags);
  EXPECT_EQ(u.col(17), (checkpoint.time * Eigen::Vector3d(1, 2, -3)));
}

void expect_finished(const OutputFolder& folder, std::int64_t n_steps) {
  const History history = read_history(folder.history());
  EXPECT_TRUE(history.is_exact);
  ASSERT_EQ(history.times.size(), static_cast<std::size_t>(n_steps));
  for (std::int64_t i = 0; i < n_steps; ++i)
    ASSERT_EQ(history.times[i], kStep * static_cast<double>(i + 1)) << "a row is missing or double";
  const std::vector<double> times = expect_good_fields(folder);
  ASSERT_EQ(times.size(), static_cast<std::size_t>(n_steps / kStepsPerSnapshot));
  for (std::size_t k = 0; k < times.size(); ++k)
    EXPECT_EQ(times[k], kStep * kStepsPerSnapshot * static_cast<double>(k + 1));
  EXPECT_THAT(test::read_text(folder.summary()), testing::HasSubstr("\"done\""));
}

// (ranks of the killed run, ranks of its continuation, when it is killed after its first checkpoint
// [us])
class KilledRun : public testing::TestWithParam<std::tuple<int, int, int>> {};
INSTANTIATE_TEST_SUITE_P(AtAnyMoment, KilledRun,
                         testing::Values(std::make_tuple(1, 1, 60'011),
                                         std::make_tuple(1, 2, 150'000),
                                         std::make_tuple(2, 1, 400'023),
                                         std::make_tuple(2, 2, 700'000)));

TEST_P(KilledRun, CanBeReadAndContinuedOnAnyNumberOfRanks) {
  const auto [n_before, n_after, microseconds] = GetParam();
  const test::ScratchFolder scratch;
  const std::string path = scratch / "out";
  ASSERT_FALSE(run_child(n_before, path, 1'000'000,
                         "SOLIDYN_TEST_KILL_AFTER=" + std::to_string(microseconds)))
      << "the run was not killed";
  EXPECT_THAT(test::read_text(path + "/summary.json"), testing::HasSubstr("\"running\""));
  ASSERT_TRUE(std::filesystem::exists(path + "/checkpoint.h5"))
      << test::read_text(path + ".child.log");

  std::optional<OutputFolder> folder;
  folder.emplace(MPI_COMM_SELF, path, FolderUse::resume);
  const History history = read_history(folder->history());
  EXPECT_TRUE(history.is_exact);
  EXPECT_FALSE(expect_good_fields(*folder).empty());
  expect_good_checkpoint(*folder, history);

  const std::int64_t saved = read_checkpoint(MPI_COMM_SELF, folder->checkpoint(), "box").step;
  const std::int64_t n_steps = saved + 5 * kStepsPerCheckpoint;
  folder.reset();  // one writes there at a time
  ASSERT_TRUE(run_child(n_after, path, n_steps, "SOLIDYN_TEST_RESUME=yes"))
      << test::read_text(path + ".child.log");
  folder.emplace(MPI_COMM_SELF, path, FolderUse::resume);
  expect_finished(*folder, n_steps);
  base::log_to_file("");
}

}  // namespace
}  // namespace solidyn::results
