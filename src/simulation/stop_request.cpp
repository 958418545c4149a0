#include "simulation/stop_request.h"

namespace solidyn::simulation {
namespace {

// A handler may touch nothing else.
volatile std::sig_atomic_t received = 0;
int n_listening = 0;  // an outer one hears of what ended an inner one

constexpr int kRequests[] = {SIGTERM, SIGINT, SIGQUIT, SIGHUP};

void remember(int number) { received = number; }

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

int StopRequest::signal() const { return received; }

}  // namespace solidyn::simulation
