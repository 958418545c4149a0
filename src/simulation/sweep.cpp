#include "solidyn/simulation/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "simulation/stop_request.h"
#include "simulation/sweep_table.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/base/timer.h"
#include "solidyn/model/load.h"
#include "solidyn/results/folder_lock.h"
#include "solidyn/results/output_folder.h"
#include "solidyn/simulation/run.h"

namespace solidyn::simulation {
namespace {

using model::ModelDescription;

// The ranks that carry out runs together.
class Group {
 public:
  Group(MPI_Comm world, int ranks) : index_(base::rank(world) / ranks) {
    n_groups_ = base::size(world) / ranks;
    MPI_Comm_split(world, index_, base::rank(world), &comm_);
  }
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  ~Group() { MPI_Comm_free(&comm_); }

  MPI_Comm comm() const { return comm_; }
  int index() const { return index_; }
  int n_groups() const { return n_groups_; }
  bool is_leader() const { return base::rank(comm_) == 0; }

 private:
  int index_, n_groups_ = 1;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

struct Outcome {
  bool is_done = false, is_doubtful = false;
  double seconds = 0.0;
  std::string failure;
  RunNumbers numbers;
};

Outcome run_point(const Group& group, const ModelDescription& description,
                  const std::string& folder, const SweepOptions& of_sweep) {
  Outcome outcome;
  outcome.numbers = RunNumbers(description.output.statistics_from);
  base::Timer timer;
  const base::LogScope log(group.comm());  // speaks into the run's own file only
  RunOptions options;
  options.folder = folder;
  options.all_ranks = of_sweep.all_ranks;
  options.write_contacts = of_sweep.write_contacts;
  options.observe = [&](const std::vector<results::HistoryColumn>& columns, double time,
                        const Eigen::VectorXd& row) { outcome.numbers.add(columns, time, row); };
  options.observe_modes = [&](const std::vector<NamedNumber>& numbers) {
    outcome.numbers.add(numbers);
  };
  model::log_warnings(description);
  try {
    outcome.is_doubtful = run(group.comm(), description, options) == results::RunStatus::doubtful;
    outcome.is_done = true;
  } catch (const base::ResourceError&) {
    throw;  // some ranks of the group are elsewhere
  } catch (const std::exception& e) {
    outcome.failure = e.what();
  }
  outcome.seconds = timer.seconds();
  return outcome;
}

std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
    lines.push_back(text.substr(at, end - at));
  std::sort(lines.begin(), lines.end());  // run names have leading zeros
  return lines;
}

std::string run_name(std::size_t i, std::size_t n) {
  const std::size_t width = std::max<std::size_t>(3, std::to_string(n).size());
  return fmt::format("run_{:0{}}", i + 1, width);
}

// The first field of each row of a table that an earlier sweep has written, unless it is no run's.
std::vector<std::string> runs_of_table(const std::filesystem::path& table) {
  std::vector<std::string> runs;
  std::ifstream file(table);
  std::string line;
  if (std::getline(file, line) && line.rfind(kSweepTableStart, 0) != 0)
    throw base::InputError(
        fmt::format("{} exists and was not written by a sweep of Solidyn", table.string()),
        "move it away, or choose another output folder with -o");
  while (std::getline(file, line)) {
    const std::string name = line.substr(0, line.find(','));
    if (name.rfind("run_", 0) == 0 && name.size() > 4 &&
        name.find_first_not_of("0123456789", 4) == std::string::npos)
      runs.push_back(name);
  }
  return runs;
}

// Runs of an earlier sweep would stand beside those of this one, whose table does not know them.
// Folders that no table names are somebody else's.
void prepare_folder(const std::filesystem::path& folder) {
  const std::vector<std::string> runs = runs_of_table(folder / "sweep.csv");
  for (const std::string& run : runs) results::refuse_folder_in_use(folder / run);
  for (const std::string& run : runs) std::filesystem::remove_all(folder / run);
  std::filesystem::remove(folder / "sweep.csv");
}

class Sweep {
 public:
  Sweep(MPI_Comm comm, const std::vector<SweepParameter>& parameters, const SweepOptions& options)
      : comm_(comm),
        parameters_(parameters),
        options_(options),
        points_(sweep_points(parameters)),
        group_(comm, options.ranks_per_run) {}

  results::RunStatus run(const std::function<ModelDescription(const SweepPoint&)>& load) {
    // Every model is looked at before the first run begins.
    base::run_together(comm_, [&] {
      for (const SweepPoint& point : points_) load(point);
      if (base::rank(comm_) > 0) return;
      results::create_output_folder(options_.folder);
      lock_ = std::make_unique<results::FolderLock>(options_.folder);
      prepare_folder(options_.folder);
    });
    base::Timer timer;
    const StopRequest stop;
    std::size_t i = static_cast<std::size_t>(group_.index());
    const auto is_told_to_stop = [&] {  // one rank of the group is enough, and all must agree
      return base::max(group_.comm(), stop.signal()) > 0.0;
    };
    for (; i < points_.size() && !is_told_to_stop(); i += group_.n_groups()) carry_out(i, load);
    for (; i < points_.size(); i += group_.n_groups())
      note_failure(i, "not started: the sweep was stopped");
    write_table();
    report(timer.seconds());
    return n_doubtful_ > 0 ? results::RunStatus::doubtful : results::RunStatus::done;
  }

 private:
  void carry_out(std::size_t i, const std::function<ModelDescription(const SweepPoint&)>& load) {
    const std::string name = run_name(i, points_.size());
    const Outcome outcome =
        run_point(group_, load(points_[i]), options_.folder + "/" + name, options_);
    if (!group_.is_leader()) return;
    const std::string shown = points_[i].shown(parameters_);
    const std::string status = !outcome.is_done      ? "failed"
                               : outcome.is_doubtful ? "doubtful"
                                                     : "done";
    n_doubtful_ += outcome.is_doubtful ? 1 : 0;
    if (!options_.is_quiet)
      std::fputs(fmt::format("sweep: {} of {}, {}: {} in {:.3g} s\n", name, points_.size(), shown,
                             status, outcome.seconds)
                     .c_str(),
                 stderr);
    rows_.push_back({name, points_[i].values, status, outcome.seconds, outcome.numbers.all()});
    if (!outcome.is_done) note_failure(i, outcome.failure);
  }

  void note_failure(std::size_t i, const std::string& why) {
    if (!group_.is_leader()) return;
    failures_ += fmt::format("{} ({}): {}\n", run_name(i, points_.size()),
                             points_[i].shown(parameters_), why.substr(0, why.find('\n')));
  }

  void write_table() {
    const std::string table = sweep_table(comm_, parameters_, rows_);
    base::run_together(comm_, [&] {
      if (base::rank(comm_) == 0) base::write_atomically(options_.folder + "/sweep.csv", table);
    });
  }

  void report(double seconds) {
    std::string all = gathered(comm_, failures_);
    base::broadcast(comm_, all);
    const std::vector<std::string> failed = sorted_lines(all);
    base::log_info("{} runs in {:.3g} s; the table is {}/sweep.csv", points_.size(), seconds,
                   options_.folder);
    MPI_Allreduce(MPI_IN_PLACE, &n_doubtful_, 1, MPI_INT, MPI_SUM, comm_);
    if (n_doubtful_ > 0)
      base::log_warning(
          "{} of {} runs are doubtful: see their rows in {}/sweep.csv and their summary.json",
          n_doubtful_, points_.size(), options_.folder);
    if (failed.empty()) return;
    std::string message = fmt::format("{} of {} runs failed:", failed.size(), points_.size());
    for (const std::string& line : failed) message += "\n  " + line;
    throw base::ComputationError(message);
  }

  MPI_Comm comm_;
  const std::vector<SweepParameter>& parameters_;
  const SweepOptions& options_;
  const std::vector<SweepPoint> points_;
  const Group group_;
  std::unique_ptr<results::FolderLock> lock_;  // of rank 0
  std::vector<SweepRow> rows_;                 // of runs that this rank leads
  std::string failures_;
  int n_doubtful_ = 0;  // led by this rank; in the end of all
};

}  // namespace

results::RunStatus sweep(MPI_Comm comm, const std::vector<SweepParameter>& parameters,
                         const std::function<ModelDescription(const SweepPoint&)>& load,
                         const SweepOptions& options) {
  if (options.ranks_per_run < 1 || base::size(comm) % options.ranks_per_run != 0)
    throw base::InputError(
        fmt::format("--ranks-per-run {}: the {} ranks of this job are not a multiple of it",
                    options.ranks_per_run, base::size(comm)),
        "use a divisor of the number of ranks (mpirun -n)");
  return Sweep(comm, parameters, options).run(load);
}

}  // namespace solidyn::simulation
