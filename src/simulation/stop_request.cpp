#include "simulation/stop_request.h"

namespace solidyn::simulation {
namespace {

// A handler may touch nothing else.
volatile std::sig_atomic_t received = 0;
int n_listening = 0;  // an outer one hears of what ended an inner one

void remember(int number) { received = number; }

}  // namespace

StopRequest::StopRequest() {
  if (n_listening++ == 0) received = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  action.sa_flags = SA_RESTART | SA_RESETHAND;
  sigaction(SIGTERM, &action, &terminate_before_);
  sigaction(SIGINT, &action, &interrupt_before_);
}

StopRequest::~StopRequest() {
  --n_listening;
  sigaction(SIGTERM, &terminate_before_, nullptr);
  sigaction(SIGINT, &interrupt_before_, nullptr);
}

int StopRequest::signal() const { return received; }

}  // namespace solidyn::simulation
