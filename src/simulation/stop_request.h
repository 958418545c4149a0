#pragma once
#include <mpi.h>

#include <array>
#include <csignal>

namespace solidyn::simulation {

/// While one exists, SIGTERM, SIGINT, SIGQUIT and SIGHUP do not end the program: they are
/// remembered. A second signal of the same kind ends it at once. A SIGHUP that is ignored (nohup)
/// stays so. Local; the handlers that were there before come back at the end. They may be nested:
/// the outer one then still knows of a signal that came to the inner.
class StopRequest {
 public:
  StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;
  ~StopRequest();

  /// The signal that this process was sent, or on rank 0 of a SleepersSignals one that sleeps; or
  /// 0.
  int signal() const;
  /// Local. @throws base::ComputationError where there is one: "`doing`: stopped by Terminated"
  void throw_if_asked(const char* doing) const;

 private:
  std::array<struct sigaction, 4> before_;
};

/// While one exists, rank 0 of `comm` hears of the signals that ranks are sent which take no part
/// in what is to be stopped. Made and destroyed collectively, not nested.
class SleepersSignals {
 public:
  explicit SleepersSignals(MPI_Comm comm);
  SleepersSignals(const SleepersSignals&) = delete;
  SleepersSignals& operator=(const SleepersSignals&) = delete;
  ~SleepersSignals();

  /// Local, on a rank that sleeps: passes on what `own` has heard, once.
  void pass_on(const StopRequest& own);

 private:
  bool has_passed_on_ = false;
};

}  // namespace solidyn::simulation
