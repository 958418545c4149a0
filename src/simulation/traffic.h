#pragma once
#include "solidyn/simulation/scaling_bench.h"

namespace solidyn::simulation {

/// What PETSc's log has counted on this rank since the start: messages that were sent and received
/// count half each, so that the sum over ranks is that of messages.
struct LogReading {
  double seconds = 0.0;
  Traffic traffic;
  LogReading& operator+=(const LogReading& other);
  LogReading operator-(const LogReading& other) const;
};

/// Local. Starts the log where -log_view has not, and the stages. @throws base::InputError where
/// PETSc was configured without logs
void start_log();
/// Local; zero where no stage of that name has begun. @pre start_log()
LogReading read_stage(const char* stage);
/// Local; of one event in a stage; zero where nothing of that name has happened. Each multigrid
/// registers events of the same names, and again when it is made anew: all of them together, or the
/// one of most time, in which those of an inner multigrid are nested.
enum class Registered { longest, all };
LogReading read_event(const char* stage, const char* event, Registered which);
/// Local. Messages, bytes and sums in all stages; no seconds.
Traffic read_traffic();

}  // namespace solidyn::simulation
