#include "solidyn/base/memory.h"

#include <sys/resource.h>

#include "solidyn/base/mpi.h"

namespace solidyn::base {

double peak_rss_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024e-6;  // Linux counts kibibytes
}

std::vector<double> peak_rss_mb_of_ranks(MPI_Comm comm) {
  const double own = peak_rss_mb();
  std::vector<double> all(size(comm));
  MPI_Allgather(&own, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, comm);
  return all;
}

}  // namespace solidyn::base
