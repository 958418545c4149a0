#pragma once
#include <ctime>

namespace solidyn::base {

/// Of this process, s: what else runs on the machine does not count.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

}  // namespace solidyn::base
