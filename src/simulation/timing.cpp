#include "simulation/timing.h"

#include <algorithm>

#include "solidyn/base/mpi.h"
#include "solidyn/base/timer.h"

namespace solidyn::simulation {

double timed(MPI_Comm comm, const std::function<void()>& work) {
  MPI_Barrier(comm);
  const base::Timer timer;
  work();
  return base::max(comm, timer.seconds());
}

double median(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const std::size_t n = samples.size();
  return 0.5 * (samples[(n - 1) / 2] + samples[n / 2]);
}

double median_time(MPI_Comm comm, int repeat, const std::function<void()>& work) {
  std::vector<double> samples;
  for (int i = 0; i < repeat; ++i) samples.push_back(timed(comm, work));
  return median(samples);
}

}  // namespace solidyn::simulation
