#include "simulation/traffic.h"

#include <petsc.h>

#include <cstring>

#include "solidyn/base/error.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/petsc.h"

namespace solidyn::simulation {

LogReading& LogReading::operator+=(const LogReading& other) {
  seconds += other.seconds;
  traffic.messages += other.traffic.messages;
  traffic.bytes += other.traffic.bytes;
  traffic.reductions += other.traffic.reductions;
  return *this;
}

LogReading LogReading::operator-(const LogReading& other) const {
  return {seconds - other.seconds,
          {traffic.messages - other.traffic.messages, traffic.bytes - other.traffic.bytes,
           traffic.reductions - other.traffic.reductions}};
}

#if defined(PETSC_USE_LOG)

namespace {

LogReading reading_of(const PetscEventPerfInfo& info) {
  return {info.time, {0.5 * info.numMessages, 0.5 * info.messageLength, info.numReductions}};
}

::PetscStageLog stage_log() {
  ::PetscStageLog log = nullptr;
  SOLIDYN_PETSC(PetscLogGetStageLog(&log));
  return log;
}

// Negative where there is none.
PetscLogStage find_stage(const char* name) {
  PetscLogStage stage = -1;
  SOLIDYN_PETSC(PetscLogStageGetId(name, &stage));
  return stage;
}

}  // namespace

void start_log() {
  PetscBool is_active = PETSC_FALSE;
  SOLIDYN_PETSC(PetscLogIsActive(&is_active));
  if (!is_active) SOLIDYN_PETSC(PetscLogDefaultBegin());
  base::LogStage::begin();
}

LogReading read_stage(const char* stage) {
  const PetscLogStage found = find_stage(stage);
  return found < 0 ? LogReading{} : reading_of(stage_log()->stageInfo[found].perfInfo);
}

LogReading read_event(const char* stage, const char* event, Registered which) {
  LogReading sum;
  const PetscLogStage in = find_stage(stage);
  if (in < 0) return sum;
  const ::PetscEventRegLog events = stage_log()->eventLog;
  for (PetscLogEvent e = 0; e < events->numEvents; ++e) {
    if (std::strcmp(events->eventInfo[e].name, event) != 0) continue;
    PetscEventPerfInfo info;
    SOLIDYN_PETSC(PetscLogEventGetPerfInfo(in, e, &info));
    if (which == Registered::all)
      sum += reading_of(info);
    else if (info.time > sum.seconds)
      sum = reading_of(info);
  }
  return sum;
}

Traffic read_traffic() {
  return {0.5 * (petsc_isend_ct + petsc_send_ct + petsc_irecv_ct + petsc_recv_ct),
          0.5 * (petsc_isend_len + petsc_send_len + petsc_irecv_len + petsc_recv_len),
          petsc_allreduce_ct + petsc_gather_ct + petsc_scatter_ct};
}

#else

void start_log() {
  throw base::InputError("PETSc was configured without logs (--with-log=0), which count messages",
                         "configure it with logs");
}
LogReading read_stage(const char*) { return {}; }
LogReading read_event(const char*, const char*, Registered) { return {}; }
Traffic read_traffic() { return {}; }

#endif

}  // namespace solidyn::simulation
