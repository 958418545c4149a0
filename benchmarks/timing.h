#pragma once
#include <algorithm>
#include <vector>

#include "solidyn/base/cpu_time.h"

namespace solidyn::benchmarks {

using base::cpu_seconds;

/// @pre there are values
inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// CPU milliseconds of one call, median of five groups of calls that take some 0.3 s together.
template <class Call>
double milliseconds(const Call& call) {
  constexpr double kSeconds = 0.3;
  double before = cpu_seconds();
  call();
  const double once = std::max(1e-7, cpu_seconds() - before);
  const int n = std::max(1, static_cast<int>(kSeconds / 5 / once));
  std::vector<double> times;
  for (int group = 0; group < 5; ++group) {
    before = cpu_seconds();
    for (int i = 0; i < n; ++i) call();
    times.push_back(1e3 * (cpu_seconds() - before) / n);
  }
  return median(times);
}

}  // namespace solidyn::benchmarks
