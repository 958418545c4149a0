#include "simulation/crash_note.h"

#include <utility>

#include "solidyn/base/crash.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"

namespace solidyn::simulation {

void note_crash(const std::string& path, results::RunSummary summary, double time,
                std::int64_t steps, const std::string& message) {
  summary.status = results::RunStatus::failed;
  summary.time = time;
  summary.steps = steps;
  summary.failure = results::RunFailure{time, steps, message};
  base::set_crash_file(path, results::to_json(summary));
}

void forget_crash_note() { base::set_crash_file("", ""); }

void leave_failed_folder(const std::string& path, const results::RunSummary& summary,
                         const std::string& message) {
  note_crash(path, summary, summary.time, summary.steps, message);
  base::write_crash_file();
  forget_crash_note();
  results::mark_failed(path);  // where there was no room for it
}

void write_failed_summary(MPI_Comm comm, const std::string& path,
                          const std::function<void()>& write_summary) {
  try {
    write_summary();
  } catch (const base::ComputationError&) {
    if (base::rank(comm) == 0) results::mark_failed(path);
  }
}

}  // namespace solidyn::simulation
