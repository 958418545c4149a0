#include "simulation/stop_request.h"

#include <fmt/format.h>

#include <cstring>

#include "solidyn/base/error.h"

namespace solidyn::simulation {
namespace {

// A handler may touch nothing else.
volatile std::sig_atomic_t received = 0;
int n_listening = 0;  // an outer one hears of what ended an inner one

constexpr int kRequests[] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP};

void remember(int number) { received = number; }

constexpr int kStopTag = 4711;
MPI_Comm of_sleepers = MPI_COMM_NULL;

// @return a signal that a sleeping rank was sent, or 0
int take_message() {
  int is_there = 0, number = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, kStopTag, of_sleepers, &is_there, MPI_STATUS_IGNORE);
  if (is_there)
    MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, kStopTag, of_sleepers, MPI_STATUS_IGNORE);
  return number;
}

// Looked at before main(): MPI and PETSc set handlers of their own when they start.
const bool kIgnoresHangup = [] {
  struct sigaction present {};
  sigaction(SIGHUP, nullptr, &present);
  return present.sa_handler == SIG_IGN;
}();

}  // namespace

StopRequest::StopRequest() {
  if (n_listening++ == 0) received = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  for (std::size_t i = 0; i < before_.size(); ++i) {
    sigaction(kRequests[i], &action, &before_[i]);
    if (kRequests[i] == SIGHUP && kIgnoresHangup) ::signal(SIGHUP, SIG_IGN);
  }
}

StopRequest::~StopRequest() {
  --n_listening;
  for (std::size_t i = 0; i < before_.size(); ++i) sigaction(kRequests[i], &before_[i], nullptr);
}

int StopRequest::signal() const {
  // Nothing is written where there is no message: a signal may come meanwhile.
  if (received == 0 && of_sleepers != MPI_COMM_NULL)
    if (const int number = take_message(); number != 0) received = number;
  return received;
}

void StopRequest::throw_if_asked(const char* doing) const {
  if (const int number = signal(); number != 0)
    throw base::ComputationError(fmt::format("{}: stopped by {}", doing, strsignal(number)));
}

SleepersSignals::SleepersSignals(MPI_Comm comm) { MPI_Comm_dup(comm, &of_sleepers); }

SleepersSignals::~SleepersSignals() {
  while (take_message() != 0) {
  }
  MPI_Comm_free(&of_sleepers);
}

void SleepersSignals::pass_on(const StopRequest& own) {
  const int number = own.signal();
  if (number == 0 || has_passed_on_) return;
  MPI_Send(&number, 1, MPI_INT, 0, kStopTag, of_sleepers);
  has_passed_on_ = true;
}

}  // namespace solidyn::simulation
