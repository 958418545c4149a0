#include "simulation/machine_speed.h"

#include <algorithm>
#include <vector>

#include "simulation/timing.h"
#include "solidyn/base/mpi.h"

namespace solidyn::simulation {
namespace {

constexpr int kSamples = 9, kCalls = 50;

double measure_triad(MPI_Comm comm) {
  constexpr std::size_t kDoubles = std::size_t{1} << 21;
  std::vector<double> a(kDoubles, 0.0), b(kDoubles, 1.0), c(kDoubles, 2.0);
  const double seconds = median_time(comm, kSamples, [&] {
    for (std::size_t i = 0; i < kDoubles; ++i) a[i] = b[i] + 0.5 * c[i];
    b[0] = a[kDoubles - 1];  // what is not used would not be computed
  });
  return 3.0 * sizeof(double) * kDoubles / seconds;
}

// Seconds of one exchange in both directions.
double measure_exchange(MPI_Comm comm, int bytes, int calls) {
  const int n = base::size(comm), half = n / 2, me = base::rank(comm);
  const int partner = me < half ? me + half : me < 2 * half ? me - half : MPI_PROC_NULL;
  std::vector<char> sent(bytes), received(bytes);
  return median_time(comm, kSamples,
                     [&] {
                       for (int i = 0; i < calls; ++i)
                         MPI_Sendrecv(sent.data(), bytes, MPI_CHAR, partner, 0, received.data(),
                                      bytes, MPI_CHAR, partner, 0, comm, MPI_STATUS_IGNORE);
                     }) /
         calls;
}

double measure_reduction(MPI_Comm comm) {
  return median_time(comm, kSamples,
                     [&] {
                       double sums[2] = {1.0, 1.0}, results[2];
                       for (int i = 0; i < kCalls; ++i)
                         MPI_Allreduce(sums, results, 2, MPI_DOUBLE, MPI_SUM, comm);
                     }) /
         kCalls;
}

}  // namespace

MachineSpeed measure_machine(MPI_Comm comm) {
  MachineSpeed speed;
  speed.triad = measure_triad(comm);
  if (base::size(comm) == 1) return speed;
  constexpr int kLong = 1 << 20;
  speed.latency = measure_exchange(comm, 8, kCalls);
  const double of_long = measure_exchange(comm, kLong, 4);
  speed.bandwidth = kLong / std::max(of_long - speed.latency, 1e-9);
  speed.reduction = measure_reduction(comm);
  return speed;
}

}  // namespace solidyn::simulation
