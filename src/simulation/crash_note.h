#pragma once
#include <mpi.h>

#include <functional>
#include <string>

#include "solidyn/results/summary.h"

namespace solidyn::simulation {

/// Local. What summary.json (at `path`) will say if this process dies of itself from here on: that
/// the run failed at `time` after `steps` steps, and why.
void note_crash(const std::string& path, results::RunSummary summary, double time,
                std::int64_t steps, const std::string& message = "the program crashed");
void forget_crash_note();

/// Local. Writes that note now, for a folder that was begun and a run that cannot finish it.
void leave_failed_folder(const std::string& path, const results::RunSummary& summary,
                         const std::string& message);

/// Collective. The same after an orderly failure, where the disk may be full.
void write_failed_summary(MPI_Comm comm, const std::string& path,
                          const std::function<void()>& write_summary);

}  // namespace solidyn::simulation
