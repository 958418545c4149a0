#include "solidyn/base/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "solidyn/base/mpi.h"

namespace solidyn::base {
namespace {

// Of this machine.
double available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, rest;
  for (double kibibytes = 0.0; file >> name >> kibibytes; std::getline(file, rest))
    if (name == "MemAvailable:") return 1024.0 * kibibytes;
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace

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

double available_memory(MPI_Comm comm) {
  MPI_Comm machine;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  const bool speaks = rank(machine) == 0;
  MPI_Comm_free(&machine);
  return sum(comm, speaks ? available_bytes() : 0.0);
}

}  // namespace solidyn::base
