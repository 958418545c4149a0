#pragma once
#include <algorithm>
#include <ctime>
#include <vector>

namespace solidyn::benchmarks {

/// Of this process: what else runs on the machine does not count.
inline double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// @pre there are values
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace solidyn::benchmarks
