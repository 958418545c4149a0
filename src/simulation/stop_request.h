#pragma once
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

  /// The signal that this process was sent, or 0.
  int signal() const;

 private:
  std::array<struct sigaction, 4> before_;
};

}  // namespace solidyn::simulation
