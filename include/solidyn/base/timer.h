#pragma once
#include <chrono>

namespace solidyn::base {

/// Wall-clock seconds since construction.
class Timer {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Adds the time of its own life to a total: { ScopedTimer t(seconds.assembly); ... }
class ScopedTimer {
 public:
  explicit ScopedTimer(double& total) : total_(total) {}
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;
  ~ScopedTimer() { total_ += timer_.seconds(); }

 private:
  double& total_;
  Timer timer_;
};

}  // namespace solidyn::base
